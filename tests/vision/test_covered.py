"""Things that lie on the pieces' places: what is beside them is read, what they cover is told once and kept."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import Phrase, phrase
from companion.games import registry
from companion.games.kamikaze_cans.layout import layout as kamikaze_cans
from companion.table import Sight, Spot, spot_phrase
from companion.words import load
from tests.vision.excerpt import excerpt
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader

BLUE = (120, 60, 20)
EVERY_S = 60.0


@pytest.fixture(scope="module")
def pieces(learned_once: None) -> PieceSet:
    return enrol_set(excerpt(), registry.kinds(excerpt().game))


@pytest.fixture
def reader(pieces: PieceSet) -> Reader:
    return Reader(excerpt().lens, pieces, kamikaze_cans(2), excerpt().zones, excerpt().seats)


def looks(reader: Reader, *images: Image, first: int = 0) -> list[Look]:
    return [reader.look(Frame(image, make_small(image), EVERY_S * number, number))
            for number, image in enumerate(images, first)]


def with_mug(image: Image, at_px: tuple[int, int]) -> Image:
    """A mug, 80 mm across, with its coffee and a soft shadow."""
    shade = np.zeros(image.shape[:2], np.float32)
    cv2.circle(shade, (at_px[0] + 50, at_px[1] + 30), 140, (0.35,), -1)
    shaded = np.asarray(image * (1.0 - cv2.GaussianBlur(shade, (0, 0), 40.0))[..., None], np.uint8)
    for radius, colour in ((136, BLUE), (118, (12, 18, 30))):
        cv2.circle(shaded, at_px, radius, colour, -1, cv2.LINE_AA)
    return shaded


def by_spot(look: Look) -> dict[Spot, list[Sight]]:
    assert look.observation is not None
    found: dict[Spot, list[Sight]] = {}
    for sight in look.observation.sights:
        found.setdefault(sight.spot, []).append(sight)
    return found


def names(sights: list[Sight]) -> list[str]:
    return sorted(sight.likeliest for sight in sights)


def said(why: Phrase | None) -> str:
    return "" if why is None else load().say(why)


def test_a_mug_on_the_crates_for_ten_minutes_costs_only_what_it_covers(reader: Reader) -> None:
    bare = excerpt().frame(0).image
    mug = with_mug(bare, (1310, 640))
    clear, *covered = looks(reader, bare, *[mug] * 10)
    assert {look.state for look in covered} == {"free"}
    assert [said(look.why) for look in covered][1:] == [""] * 9, "it is told once"
    assert said(covered[0].why).startswith("Something lies on ")
    before, now = by_spot(clear), by_spot(covered[-1])
    hidden = before.keys() - now.keys()
    assert {"grid:f3", "grid:f4"} <= hidden
    assert not hidden & {f"grid:{column}{row}" for column in "abc" for row in range(1, 7)}
    assert {spot: names(now[spot]) for spot in now} == {spot: names(before[spot]) for spot in now}
    again, = looks(reader, bare, first=200)
    assert by_spot(again).keys() == before.keys()
    assert again.why is None


def test_a_zone_that_is_covered_in_part_is_not_whole_and_proves_nothing(reader: Reader) -> None:
    bare = excerpt().frame(0).image
    corners = np.array(excerpt().zones["stock:0"])
    reader.look(excerpt().frame(0))
    assert reader.arrangement is not None
    middle = reader.arrangement.view.project_at(corners.mean(axis=0)[None], 0.0)[0]
    look, = looks(reader, with_mug(bare, (round(middle[0]), round(middle[1]))), first=1)
    assert look.observation is not None
    assert look.observation.zones == {"stock:1"}
    assert look.why is not None
    assert "stock" in said(look.why)


def test_what_lies_there_from_the_first_look_on_is_not_told_from_the_table(reader: Reader) -> None:
    look, = looks(reader, excerpt().frame(0).image)
    assert look.why is None


def test_spots_are_called_as_people_call_them() -> None:
    assert spot_phrase("stock:1") == phrase("spot.stock", at="1", seat=phrase("seat.B"))
    assert spot_phrase("grid:c4") == phrase("spot.grid", at="c4", seat="c4")
