"""What changed on the table while every reading stayed."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from companion.table import EMPTY, Sight
from tests.odd_tables.pasted import as_in, glowing, in_light, knocked_over
from tests.vision.excerpt import arrangement, excerpt, picture
from vision.enrolment.picture_set import make_small, read_truth
from vision.imaging.frame import Image, Look
from vision.overlay.overlay import DOUBT_BGR, overlay
from vision.pipeline.strange_change import Strange, StrangeChanges, strange_phrase
from vision.presence.play_area import PlayArea

STOOD = [each for each in read_truth(excerpt().folder)[9]["pieces"] if each["spot"].startswith("grid")]
CELLS = {each["spot"]: (float(each["at"][0]), float(each["at"][1])) for each in STOOD}
AREA = PlayArea(np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8), 200.0, 0.44)
BOTTLE = {"red/tall_bottle": 0.0, EMPTY: -30.0}
SHADE = 0.8
EMPTIED = {EMPTY: 0.0, "red/tall_bottle": -30.0}


def px(spot: str) -> tuple[int, int]:
    x, y = np.rint(arrangement().view.project_at([CELLS[spot]], 0.0)[0]).astype(int).tolist()
    return x, y


def lying() -> Image:
    """The bottle on c5 was knocked over."""
    return knocked_over(as_in(picture(3), picture(0), px("grid:c5"), 75), px("grid:c5"), 110, 45, (60, 50, 170))


class Watched:
    def __init__(self) -> None:
        self.strange, self.n = StrangeChanges(tall_mm=60.0), 0

    def see(self, image: Image, c5: Mapping[str, float] = BOTTLE, body_mm: float = 0.0) -> tuple[Strange, ...]:
        self.n += 1
        sights = [Sight(spot, at, EMPTIED) for spot, at in CELLS.items() if spot != "grid:c5"]
        sights += [Sight("grid:c5", CELLS["grid:c5"], c5), Sight("crate:1", (body_mm, 0.0), {"crate": 0.0})]
        places = {spot: np.array(at) for spot, at in CELLS.items()}
        return self.strange.find(make_small(image), 4.0 * self.n, sights, places, ["crate"],
                                 (arrangement().view, AREA))


def test_what_lies_there_is_strange_at_the_second_look_until_it_is_put_right() -> None:
    watched = Watched()
    assert [bool(watched.see(each)) for each in (picture(3), lying(), lying(), lying())] == [False, False, True, True]
    found, = watched.see(lying())
    assert found.spot == "grid:c5"
    assert np.hypot(*np.subtract(found.at_mm, CELLS["grid:c5"])) < 10
    assert strange_phrase([found]).id == "eyes.strange"
    assert watched.see(picture(3)) == watched.see(picture(3)) == ()
    assert strange_phrase(()) is None


@pytest.mark.parametrize("c5", [{"red/tall_bottle": -3.0, "red/tall_can": 0.0, EMPTY: -30.0},
                                {"red/tall_bottle": -12.0, "red/tall_can": 0.0, "red/short_can": -1.0}])
def test_a_piece_that_is_no_longer_read_clearly_does_not_explain_it(c5: dict[str, float]) -> None:
    watched = Watched()
    watched.see(picture(3))
    watched.see(lying(), c5)

    assert [each.spot for each in watched.see(lying(), c5)] == ["grid:c5"]


def test_a_piece_that_came_or_went_explains_what_changed_there() -> None:
    watched = Watched()
    watched.see(picture(0), EMPTIED)
    assert [watched.see(picture(3)) for _ in range(3)] == [()] * 3
    assert [watched.see(picture(0), EMPTIED) for _ in range(3)] == [()] * 3


def test_the_shadow_of_a_piece_that_went_is_nothing_strange() -> None:
    x, y = px("grid:c5")
    outline = np.array([(x + 15, y - 40), (x + 105, y - 40), (x + 105, y + 40), (x + 15, y + 40)])
    shade = cv2.fillConvexPoly(np.zeros(picture(3).shape[:2], np.uint8), outline, (1,))
    shaded = np.where(shade[..., None] > 0, picture(3) * np.float32(SHADE), picture(3)).astype(np.uint8)
    cv2.circle(shaded, (x, y), 40, (5, 5, 5), -1)
    watched = Watched()
    watched.see(shaded)
    assert [watched.see(picture(0), EMPTIED) for _ in range(3)] == [()] * 3


def test_light_and_leds_are_nothing_strange() -> None:
    watched = Watched()
    lit = [in_light(picture(3), 0.6), in_light(picture(3), 0.6), glowing(picture(3), px("grid:c5"), 150.0, (5, 25, 5))]

    assert [watched.see(each) for each in (picture(3), *lit, lit[-1])] == [()] * 5


def test_a_crate_that_was_moved_makes_all_look_otherwise() -> None:
    watched = Watched()
    watched.see(picture(3))

    assert [watched.see(lying(), body_mm=9.0) for _ in range(3)] == [()] * 3


def test_it_is_ringed_in_the_picture() -> None:
    view = arrangement().view
    bare = overlay(picture(3), view, Look(0, 0.0, "free"), 1280)
    ringed = overlay(picture(3), view, Look(0, 0.0, "free", strange=(CELLS["grid:c5"],)), 1280)

    changed = np.argwhere(cv2.absdiff(bare, ringed).max(axis=2) > 0)
    middle = np.array(px("grid:c5"))[::-1] * 1280 / picture(3).shape[1]
    assert np.hypot(*((changed.min(axis=0) + changed.max(axis=0)) / 2 - middle)) < 3
    assert (ringed == DOUBT_BGR).all(axis=2).sum() > (bare == DOUBT_BGR).all(axis=2).sum() + 100
