"""The surface at each pixel of a picture: the bare table, a part of a crate, or something else."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from companion.table.crate import RIM_MM
from vision.imaging.camera import View
from vision.imaging.footprints import opening_mm, outline_mm, slot_centres_mm
from vision.imaging.polygons import fill_convex

TABLE, CRATE_WALL, CRATE_INSIDE, CRATE_RIM, OTHER = range(5)
"""`OTHER` is something that is neither, a board or a card."""

SurfaceMap = npt.NDArray[np.uint8]
"""(h, w): TABLE, CRATE_WALL, CRATE_INSIDE, CRATE_RIM or OTHER."""


@lru_cache(maxsize=1)  # crates stay where they are from look to look
def crate_surfaces(shape: tuple[int, ...], view: View, crates: tuple[Body, ...]) -> SurfaceMap:
    """The surface map of a picture of this shape (h, w) that shows crates on the table; read-only, as it is cached."""
    surfaces = np.zeros(shape, np.uint8)
    for crate in crates:
        low, high = (view.project_at(outline_mm(crate), height) for height in (0.0, RIM_MM))
        seen = cv2.convexHull(np.concatenate([low, high]).astype(np.float32))
        fill_convex(surfaces, np.asarray(seen, np.float64), CRATE_WALL)
    for crate in crates:
        fill_convex(surfaces, view.project_at(outline_mm(crate), RIM_MM), CRATE_RIM)
        for centre in slot_centres_mm(crate):
            fill_convex(surfaces, view.project_at(opening_mm(crate, centre), RIM_MM), CRATE_INSIDE)
    return surfaces
