"""A lens that is measured while the sheet is held into outlines: rendered sheets, a lens that is known."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.main.lens_measuring import LensMeasuring
from companion.session.survey import LensMeasured
from tests.vision.test_lens_sheet import LENS, SIZE, rendered
from vision.fiducials.lens_outlines import HELD_FAR, HELD
from vision.imaging.camera import lens_from_json
from vision.imaging.frame import Image

NOTHING = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
SLOPPY = np.random.default_rng(4)


@cache
def held(number: int) -> Image:
    """The sheet in an outline, as people hold it: a little aside, and tilted by some degrees more or less."""
    tilt, turn, x, y = HELD[number] + SLOPPY.normal(0, (1.5, 4, 0.15, 0.15))
    return rendered(tilt, turn, x, y, number, HELD_FAR + SLOPPY.normal(0, 0.3))


@cache
def measured() -> tuple[LensMeasured, ...]:
    """What was said at each look: of each outline, two."""
    measuring = LensMeasuring()
    return tuple(measuring.look(held(number)) for number in range(len(HELD)) for _ in range(2))


@pytest.mark.wide
def test_twelve_outlines_tell_the_lens_to_half_a_per_cent() -> None:
    said = measured()
    assert [each.taken for each in said] == [n // 2 for n in range(1, 25)]
    assert {each.said.id for each in said[::2]} == {"calibrate.hold_still"}
    done = said[-1]
    assert (done.said.id, done.wanted) == ("calibrate.good", ())
    assert float(str(dict(done.said.args)["error"])) <= 0.3
    assert done.lens is not None
    found = lens_from_json(dict(done.lens))
    for at in ((0, 0), (1, 1), (0, 2), (1, 2)):
        assert found.camera_matrix[at] == pytest.approx(LENS.camera_matrix[at], rel=0.005)


def test_it_is_said_what_to_do_and_nothing_is_taken_meanwhile() -> None:
    measuring = LensMeasuring()
    aside = np.roll(held(0), 90, axis=1)
    shaken = np.roll(held(0), 8, axis=1)
    steps = [(NOTHING, "show", 0), (aside, "fill", 0), (aside, "fill", 0), (held(0), "hold_still", 0),
             (shaken, "hold_still", 0), (shaken, "taken", 1), (shaken, "fill", 1)]
    for image, says, taken in steps:
        now = measuring.look(image)
        assert (now.said.id, now.taken) == (f"calibrate.{says}", taken)
    assert now.sheet[0][0] == pytest.approx(now.wanted[0][0], abs=0.2)


def test_the_sheet_may_be_upside_down_as_a_tablet_is() -> None:
    measuring = LensMeasuring()
    turned = np.asarray(cv2.rotate(held(0), cv2.ROTATE_180), np.uint8)
    assert [measuring.look(turned).taken for _ in range(2)] == [0, 1]


def test_an_outline_is_left_for_later_and_another_size_of_pictures_begins_anew() -> None:
    measuring = LensMeasuring()
    first = measuring.look(NOTHING).wanted
    measuring.leave_for_later()
    assert measuring.look(NOTHING).wanted != first
    assert [measuring.look(held(1)).taken for _ in range(2)] == [0, 1]
    smaller = np.asarray(cv2.resize(NOTHING, None, fx=0.5, fy=0.5), np.uint8)
    assert (measuring.look(smaller).taken, measuring.look(smaller).wanted) == (0, first)
    measuring.look(NOTHING)
    assert [measuring.look(held(0)).taken for _ in range(2)] == [0, 1]
    measuring.begin_anew()
    assert measuring.look(NOTHING).taken == 0


def test_all_outlines_are_within_the_picture() -> None:
    measuring = LensMeasuring()
    for _ in HELD:
        wanted = measuring.look(NOTHING).wanted
        assert all(0.01 < x < 0.99 and 0.01 < y < 0.99 for x, y in wanted)
        measuring.leave_for_later()
