"""How crates looked where they held nothing: kept by pixel, and laid where it tells more than the crate's colours."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.arrays import Mask
from vision.imaging.box import Box
from vision.photometry.background_model import Lab
from vision.scene.empty_slot_model import Emptied, learn_emptied

BOX = Box(100, 50, 8, 6)


def plain(level: float, box: Box = BOX) -> Lab:
    return np.full((box.height, box.width, 3), (level, 10.0, -10.0), np.float32)


def left_half(box: Box = BOX) -> Mask:
    mask = np.zeros((box.height, box.width), np.bool_)
    mask[:, :4] = True
    return mask


def test_what_is_empty_is_known_and_the_rest_is_not() -> None:
    known = learn_emptied(None, BOX, plain(60), left_half())
    assert known.box == BOX
    assert np.array_equal(known.known, left_half())
    assert np.array_equal(known.colours[:, :4], plain(60)[:, :4])
    assert (known.colours[:, 4:] == 0).all()
    assert known.colours.dtype == np.float16


def test_more_is_learned_and_what_is_seen_anew_replaces_what_was() -> None:
    before = learn_emptied(None, BOX, plain(60), left_half())
    after = learn_emptied(before, BOX, plain(40), ~left_half())
    assert after.known.all()
    assert (after.colours[:, :4, 0] == 60).all()
    assert (after.colours[:, 4:, 0] == 40).all()
    again = learn_emptied(after, BOX, plain(50), left_half())
    assert (again.colours[:, :4, 0] == 50).all()
    assert (after.colours[:, :4, 0] == 60).all(), "what was given out stays as it is"


def test_another_box_begins_anew() -> None:
    before = learn_emptied(None, BOX, plain(60), left_half())
    other = Box(101, 50, 8, 6)
    after = learn_emptied(before, other, plain(40), ~left_half())
    assert after.box == other
    assert np.array_equal(after.known, ~left_half())


def laid(seen: float, crate: float, known: Emptied, box: Box = BOX) -> Lab:
    ground = plain(crate, box)
    known.lay_over(ground, plain(seen, box), box)
    return ground


@pytest.mark.parametrize(("seen", "crate", "lies"), [
    (60.0, 30.0, 60.0),  # it looks as it did while it was empty
    (55.0, 30.0, 55.0),  # a little darker: the same in less light
    (31.0, 30.0, 31.0),  # half as light is still the same
    (67.0, 80.0, 67.0),  # a tenth lighter
    (60.0, 60.5, 60.0),
    (90.0, 90.0, 90.0),  # lighter than it can be: the crate itself
    (5.0, 6.0, 6.0),  # darker than it can be
])
def test_what_is_nearer_to_what_is_seen_lies_there(seen: float, crate: float, lies: float) -> None:
    ground = laid(seen, crate, learn_emptied(None, BOX, plain(60), left_half()))
    assert ground[:, 4:, 0] == pytest.approx(crate), "where nothing is known the crate lies"
    assert ground[:, :4, 0] == pytest.approx(lies, abs=1.0)


def test_it_lies_where_boxes_overlap_and_nowhere_else() -> None:
    known = learn_emptied(None, BOX, plain(60), np.ones((BOX.height, BOX.width), np.bool_))
    ground = laid(60.0, 30.0, known, Box(104, 52, 8, 6))
    overlap = np.zeros((BOX.height, BOX.width), np.bool_)
    overlap[:4, :4] = True
    assert ground[overlap][:, 0] == pytest.approx(60.0)
    assert ground[~overlap][:, 0] == pytest.approx(30.0)
    assert laid(60.0, 30.0, known, Box(108, 50, 8, 6))[..., 0] == pytest.approx(30.0)
