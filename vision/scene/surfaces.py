"""The surface at each pixel of a picture: the bare table, a part of a crate, or something else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from companion.table.crate import RIM_MM
from vision.imaging.box import Box, box_within
from vision.imaging.camera import View
from vision.imaging.footprints import opening_mm, outline_mm, slot_centres_mm
from vision.imaging.polygons import fill_convex

TABLE, CRATE_WALL, CRATE_INSIDE, CRATE_RIM, OTHER = range(5)
"""`OTHER` is something that is neither, a board or a card."""

SurfaceMap = npt.NDArray[np.uint8]
"""(h, w): TABLE, CRATE_WALL, CRATE_INSIDE, CRATE_RIM or OTHER."""


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """The surfaces (h, w) in the box of a picture that shows all crates; around it there is the bare table."""

    box: Box
    kinds: SurfaceMap

    def within(self, box: Box) -> SurfaceMap:
        """The surface map (h, w) of a box, a copy."""
        kinds = np.zeros((box.height, box.width), np.uint8)
        if box.meets(self.box):
            there, here = self.box.overlap(box)
            kinds[here] = self.kinds[there]
        return kinds


@lru_cache(maxsize=1)  # crates stay where they are from look to look
def crate_surfaces(shape: tuple[int, ...], view: View, crates: tuple[Body, ...]) -> Surfaces:
    """The surfaces of a picture of this shape (h, w) that shows crates (one or more) on the table."""
    outlines = [[view.project_at(outline_mm(crate), height) for height in (0.0, RIM_MM)] for crate in crates]
    box = box_within(np.concatenate([each for both in outlines for each in both]), 1, shape)
    corner = (box.left, box.top)
    kinds = np.zeros((box.height, box.width), np.uint8)
    if not kinds.size:
        return Surfaces(box, kinds)
    for low, high in outlines:
        seen = cv2.convexHull((np.concatenate([low, high]) - corner).astype(np.float32))
        fill_convex(kinds, np.asarray(seen, np.float64), CRATE_WALL)
    for crate, (_, high) in zip(crates, outlines):
        fill_convex(kinds, high - corner, CRATE_RIM)
        for centre in slot_centres_mm(crate):
            fill_convex(kinds, view.project_at(opening_mm(crate, centre), RIM_MM) - corner, CRATE_INSIDE)
    return Surfaces(box, kinds)
