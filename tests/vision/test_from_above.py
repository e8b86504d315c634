"""The table as if seen from straight above: millimetres are the same everywhere, and a layout lies there as it was
laid."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.games import registry
from companion.table.laid import Laid, areas
from vision.enrolment.picture_set import read_set
from vision.fiducials.tag_detection import detect
from vision.fiducials.tag_pose import find_cards
from vision.imaging.layout_pose import LayoutFrame
from vision.overlay.from_above import seen_from_above

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"


def test_the_cards_lie_in_the_picture_where_they_lie_on_the_table() -> None:
    known = read_set(EXCERPT)
    image = known.frame(0).image
    arrangement = find_cards(image, known.lens)
    seen = seen_from_above(image, arrangement)
    scale = seen.image.shape[1] / seen.wide_mm
    assert seen.image.shape[0] / seen.deep_mm == pytest.approx(scale, rel=0.01)
    found = detect(seen.image)
    assert sorted(found) == [0, 1, 2, 3]
    for card in arrangement.cards:
        x, y = np.mean(found[card.card], axis=0)
        there = seen.left_mm + (x + 0.5) / scale, seen.back_mm - (y + 0.5) / scale
        assert np.linalg.norm(np.subtract(there, card.at_mm)) < 1.5, card


@pytest.mark.parametrize("turn_deg", [0.0, 4.0, 91.0, 200.0, 275.0])
@pytest.mark.parametrize("name", registry.ids())
def test_the_eyes_take_a_layout_to_lie_where_people_laid_it(name: str, turn_deg: float) -> None:
    game = registry.game(name)
    layout = game.layout(game.deal(2, game.read_options({}, 2), Random(1)))
    laid = Laid((300.0, 210.0), turn_deg)
    frame = LayoutFrame(layout, areas(layout, laid), laid.directions(2))
    for at_mm in [(0.0, 0.0), layout.size_mm, *(place.at_mm for place in layout.places[:4])]:
        assert frame.point(at_mm) == pytest.approx(laid.of(layout, at_mm), abs=0.01)
