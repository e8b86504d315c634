"""Crates sought by their rims on painted likeness: no camera, no colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import Body
from companion.table.crate import CRATE_MM, WALL_MM
from vision.bodies.crate_search import NARROW, match_crates
from vision.bodies.orthopatch import Orthopatch
from vision.bodies.rim_templates import RimMap
from vision.imaging.pose import Pose

PX_PER_MM = 2.0
GAP_MM = 0.8
NEAR, FAR = (50.0, 40.0), (50.0, 40.0 + CRATE_MM[1] + GAP_MM)


def painted() -> RimMap:
    """Rims of two crates one behind the other, seen as 1. Of the far one the back is hidden, and most of the front."""
    x, y = np.meshgrid(np.arange(220) / PX_PER_MM, 150.0 - np.arange(300) / PX_PER_MM)
    likeness = np.full(x.shape, 0.05, np.float32)
    for middle in (NEAR, FAR):
        inside = np.minimum(CRATE_MM[0] / 2 - np.abs(x - middle[0]), CRATE_MM[1] / 2 - np.abs(y - middle[1]))
        likeness[(inside >= 0) & (inside <= WALL_MM)] = 1.0
    off_back, off_front = (np.abs(y - FAR[1] - side * (CRATE_MM[1] - WALL_MM) / 2) for side in (1, -1))
    likeness[(off_back < WALL_MM) | (off_front < WALL_MM) & (x > FAR[0] - 8.0)] = 0.05
    likeness = np.asarray(cv2.GaussianBlur(likeness, (0, 0), 0.7), np.float32)
    patch = Orthopatch(np.zeros((*x.shape, 2), np.float32), np.zeros((1, 1, 3), np.uint8), (0, 0), 0.0, 150.0,
                       PX_PER_MM)
    return RimMap(np.asarray(likeness, np.float32), patch)


def crate(at_mm: tuple[float, float], off_mm: tuple[float, float] = (0.0, 0.0)) -> Body:
    return Body("crate", "crate", (at_mm[0] + off_mm[0], at_mm[1] + off_mm[1]), CRATE_MM)


@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (0.5, -1.0), (-1.0, 0.5)])
def test_a_crate_is_not_put_into_the_one_before_it_whose_rim_looks_like_its_own(off_mm: tuple[float, float]) -> None:
    rims = painted()
    alone, = match_crates(rims, [crate(FAR, off_mm)], NARROW)
    assert alone.at_mm[1] < FAR[1] - 1.5  # by itself it takes the other one's rim for its own
    for found in (match_crates(rims, [crate(NEAR), crate(FAR, off_mm)], NARROW)[1],
                  match_crates(rims, [crate(FAR, off_mm), crate(NEAR)], NARROW)[0],
                  match_crates(rims, [crate(FAR, off_mm)], NARROW, [Pose(NEAR, 0.0)])[0]):
        assert np.hypot(*np.subtract(found.at_mm, FAR)) < 1.0
