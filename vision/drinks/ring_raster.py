"""Solids of rings projected into a picture and rasterised, each pixel with the number of the ring seen there.

Seen from above, each ring occludes those below it: they are painted in order (painter's algorithm).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.imaging.polygons import SUBPIXEL_BITS

OVERSAMPLING = 3
"""Samples per pixel along each side of a painted picture."""

Painted = npt.NDArray[np.uint8]
"""(height, width) times OVERSAMPLING: number of the ring seen, from 1; 0 where the solid is not."""


def project_rings(view: View, solid: Solid, foot_mm: Floats, turn_deg: float) -> Floats:
    """The rings (n, points, 2) in px of a solid with its foot's centre at x, y, z (3,) in mm."""
    rings, = project_each(view, [(solid, turn_deg)], foot_mm)
    return rings


def project_each(view: View, turned: Sequence[tuple[Solid, float]], foot_mm: Floats) -> list[Floats]:
    """The same for several solids, each at its own turn, that might stand there."""
    at = [_turned(solid, turn_deg) + foot_mm for solid, turn_deg in turned]
    px = view.project(np.concatenate(at).reshape(-1, 3)).reshape(-1, at[0].shape[1], 2)
    return np.split(px, np.cumsum([len(rings) for rings in at])[:-1])


@lru_cache(maxsize=32)
def _turned(solid: Solid, turn_deg: float) -> Floats:
    """The rings (n, points, 3) in mm about the foot's centre."""
    turn = np.radians(turn_deg)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    heights = np.broadcast_to(solid.heights_mm[:, None, None], (*solid.outlines_mm.shape[:2], 1))
    return np.concatenate([solid.outlines_mm @ spin, heights], axis=2)


def outline_of(view: View, solid: Solid, foot_mm: Floats, turn_deg: float) -> Floats:
    """The convex silhouette (n, 2) in px of a solid in this pose."""
    rings = project_rings(view, solid, foot_mm, turn_deg).reshape(-1, 2)
    return np.asarray(cv2.convexHull(rings.astype(np.float32)).reshape(-1, 2), np.float64)


def blank(box: Box) -> Painted:
    """A picture with nothing painted in it."""
    return np.zeros((box.height * OVERSAMPLING, box.width * OVERSAMPLING), np.uint8)


def at_centres(painted: Painted) -> Painted:
    """The number (h, w) painted at the centre of each pixel."""
    return painted[OVERSAMPLING // 2::OVERSAMPLING, OVERSAMPLING // 2::OVERSAMPLING]


def paint_polygon(painted: Painted, box: Box, corners_px: Floats, number: int) -> None:
    """Fill a convex polygon (n, 2) in px with a number. A pixel's centre has whole coordinates."""
    cv2.fillConvexPoly(painted, _fine(box, corners_px), number, shift=SUBPIXEL_BITS)


def paint(painted: Painted, box: Box, rings_px: Floats, first: int = 0, last: int | None = None) -> None:
    """Paint the rings `first` to `last` (exclusive) with their numbers, counted from 1."""
    for number, corners in enumerate(_fine(box, rings_px[first:last]), first + 1):
        cv2.fillConvexPoly(painted, corners, number, shift=SUBPIXEL_BITS)


def _fine(box: Box, points_px: Floats) -> npt.NDArray[np.int32]:
    """Points (..., 2) in px as fixed-point coordinates of the oversampled picture of a box."""
    at = (points_px - (box.left, box.top) + 0.5) * OVERSAMPLING - 0.5
    return np.rint(at * (1 << SUBPIXEL_BITS)).astype(np.int32)
