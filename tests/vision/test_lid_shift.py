"""Which heights of cans a camera can tell apart from where it hangs, before any can is enrolled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.excerpt import arrangement
from vision.fiducials.tag_pose import Arrangement
from vision.imaging.camera import View
from vision.pieces.lid_shift import heights_alike, lid_shift_px


def seen_from(times_as_high: float, width: int) -> Arrangement:
    """The excerpt's table, looked at straight from above from so many times as high, in pictures of this width."""
    known = arrangement()
    lens = known.view.lens.of_size(width, width * 9 // 16)
    assert lens is not None
    cards = np.array([card.at_mm for card in known.cards])
    x, y = cards.mean(axis=0)
    straight = np.diag([1.0, -1.0, -1.0])
    at = np.array([x, y, known.view.position_mm[2] * times_as_high])
    return replace(known, view=View(lens, straight, -straight @ at))


def test_a_lid_moves_as_geometry_says() -> None:
    view = seen_from(1.0, 2304).view
    x, y, high = view.position_mm.tolist()
    px = lid_shift_px(view, np.array([(x + 100.0, y)]), (16, 22))
    focal = view.lens.focal_px
    assert px == pytest.approx(focal * 100 * (1 / (high - 22) - 1 / (high - 16)), rel=0.03)
    assert lid_shift_px(view, np.array([(x, y)]), (16, 22)) < 0.5, "straight below nothing moves"


@pytest.mark.parametrize(("times_as_high", "width", "alike"), [
    (1.0, 2304, None), (1.0, 1920, None), (1.6, 1280, (12, 16)), (2.2, 1280, (16, 22)), (3.5, 1920, (16, 22))])
def test_what_cannot_be_told_apart_is_told_with_height_and_size(
    times_as_high: float, width: int, alike: tuple[int, int] | None
) -> None:
    told = heights_alike(seen_from(times_as_high, width))
    if alike is None:
        assert told is None
        return
    assert told is not None
    said = dict(told.args)
    assert ((said["one"], said["other"]), said["width"]) == (alike, width)
    assert said["given"] == pytest.approx(arrangement().view.position_mm[2] * times_as_high / 10, abs=0.6)
