"""What the background is at each pixel of a picture: the bare table, a part of a crate, or something else."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from companion.table.crate import RIM_MM
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.imaging.footprints import opening_mm, outline_mm, slot_centres_mm

TABLE, WALL, INSIDE, RIM, OTHER = range(5)
"""`OTHER` is something that was read otherwise, a board or a card."""

SurfaceMap = npt.NDArray[np.uint8]
"""(h, w): TABLE, WALL, INSIDE, RIM or OTHER."""

SUBPIXEL_BITS = 4


@lru_cache(maxsize=1)  # crates stay where they are from look to look
def crate_surfaces(shape: tuple[int, ...], view: View, crates: tuple[Body, ...]) -> SurfaceMap:
    """The surfaces of a picture of this shape (h, w) that shows crates on the table; not to be written to."""
    surfaces = np.zeros(shape, np.uint8)
    for crate in crates:
        low, high = (view.project_at(outline_mm(crate), height) for height in (0.0, RIM_MM))
        fill(surfaces, np.asarray(cv2.convexHull(np.concatenate([low, high]).astype(np.float32)), np.float64), WALL)
    for crate in crates:
        fill(surfaces, view.project_at(outline_mm(crate), RIM_MM), RIM)
        for centre in slot_centres_mm(crate):
            fill(surfaces, view.project_at(opening_mm(crate, centre), RIM_MM), INSIDE)
    return surfaces


def fill(surfaces: SurfaceMap, outline_px: Floats, value: int) -> None:
    """Write a value into a convex outline (n, 2) in px, to a part of a pixel."""
    corners = np.rint(outline_px.reshape(-1, 2) * 2 ** SUBPIXEL_BITS).astype(np.int32)
    cv2.fillConvexPoly(surfaces, corners, value, shift=SUBPIXEL_BITS)
