"""A block of crates on a table of the colour of their rims, which fits as well a slot farther on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import Body, Point
from companion.table.crate import CRATE_MM, PITCH_MM, SLOTS, WALL_MM
from vision.bodies.orthopatch import Orthopatch
from vision.bodies.rim_templates import RimMap
from vision.bodies.slot_grid import on_its_slots
from vision.imaging.pose import Pose

PX_PER_MM = 4.0
CRATES = [Body(f"crate:{row}{column}", "crate", (31.6 * column, 46.6 * row), CRATE_MM)
          for row in range(2) for column in range(3)]
EMPTY_PATCH = Orthopatch(
    np.zeros((1, 1, 2), np.float32), np.zeros((1, 1, 3), np.uint8), (0, 0), -80.0, 140.0, PX_PER_MM)


def rims_of(off_mm: Point) -> RimMap:
    """The likeness to rims of a block that stands so far from where its crates are expected, on a table like them."""
    likeness = np.ones((1000, 1000), np.float32)

    def draw(left: float, bottom: float, right: float, top: float, value: float) -> None:
        low, high = EMPTY_PATCH.to_px(np.array([(left, top), (right, bottom)])).round().astype(int).tolist()
        cv2.rectangle(likeness, tuple(low), (high[0] - 1, high[1] - 1), (value,), -1)

    for crate in CRATES:
        x, y = np.add(crate.at_mm, off_mm)
        draw(x - 15.8, y - 23.3, x + 15.8, y + 23.3, 0.1)  # the gap between crates
        draw(x - 15.5, y - 23.0, x + 15.5, y + 23.0, 0.9)
        for column in range(SLOTS[0]):
            for row in range(SLOTS[1]):
                left, bottom = x - 15.5 + WALL_MM + column * PITCH_MM[0], y - 23.0 + WALL_MM + row * PITCH_MM[1]
                draw(left, bottom, left + PITCH_MM[0] - WALL_MM, bottom + PITCH_MM[1] - WALL_MM, 0.1)
    return RimMap(likeness, EMPTY_PATCH)


@pytest.mark.parametrize("slots", [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)])
def test_a_block_stands_where_two_rims_lie_side_by_side(slots: tuple[int, int]) -> None:
    found = [Pose(crate.at_mm, 0.0) for crate in CRATES]
    off_mm = (slots[0] * PITCH_MM[0], slots[1] * PITCH_MM[1])
    there = on_its_slots(rims_of(off_mm), CRATES, found)
    for pose, crate in zip(there, CRATES):
        assert np.allclose(pose.at_mm, np.add(crate.at_mm, off_mm))


def test_one_crate_alone_stays_where_it_was_found() -> None:
    found = [Pose(CRATES[0].at_mm, 0.0)]
    assert on_its_slots(rims_of((0.0, PITCH_MM[1])), CRATES[:1], found) == found
