"""The table as if seen from straight above: millimetres are the same everywhere, and a layout lies there as it was
laid."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.games import registry
from companion.table.laid import Corners, Laid, areas, middle_of
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.fiducials.tag_detection import detect
from vision.fiducials.tag_pose import find_cards
from vision.imaging.layout_pose import LayoutFrame, ZoneCorners
from vision.overlay.from_above import seen_from_above
from vision.pipeline.reader import Reader

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


@pytest.mark.usefixtures("learned_once")
def test_a_table_is_read_alike_where_people_laid_it_and_where_a_set_says_it_lies() -> None:
    known = read_set(EXCERPT)
    game = registry.game(known.game)
    layout = game.layout(game.deal(2, game.read_options({}, 2), Random(1)))
    frame = LayoutFrame(layout, known.zones, known.seats)
    laid = Laid(frame.point(middle_of(layout)), frame.turn_deg,
                {zone.spot: corners_of(known.zones[zone.spot]) for zone in layout.zones})
    pieces = enrol_set(known, layout.kinds)
    said = ((known.zones, known.seats), (areas(layout, laid), laid.directions(2)))
    one, other = (Reader(known.lens, pieces, layout, *each).look(known.frame(0)).observation for each in said)
    assert one is not None
    assert other is not None
    assert [max(each.loglik, key=each.loglik.__getitem__) for each in one.sights] == [
        max(each.loglik, key=each.loglik.__getitem__) for each in other.sights]


def corners_of(zone: ZoneCorners) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in zone)
    return a, b, c, d
