"""A part of the picture as seen from straight above, at one height over the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.photometry.white_reference import Reflectance, White

COARSE_PX = 32
"""The way from table to picture is worked out at every so many pixels; in between it is as good as straight."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A rectified piece of table with `px_per_mm`; x runs right, y runs up, so that the pixel (u, v) shows the table at
    `left_mm + u / px_per_mm`, `top_mm - v / px_per_mm`. `from_px` (h, w, 2) says which pixel of the picture each is
    taken from, less `origin_px`, the corner of the crop."""

    from_px: npt.NDArray[np.float32]
    crop: Image
    origin_px: tuple[int, int]
    left_mm: float
    top_mm: float
    px_per_mm: float

    def to_px(self, points_mm: Floats) -> Floats:
        """Table points (..., 2) in mm to pixels (..., 2) of this patch."""
        flipped = (points_mm - (self.left_mm, self.top_mm)) * (self.px_per_mm, -self.px_per_mm)
        return np.asarray(flipped, np.float64)

    def normalise(self, white: White) -> Reflectance:
        """The patch (h, w, 3) as reflectance."""
        light = white.normalise(self.crop, *self.origin_px)
        return np.asarray(cv2.remap(light, self.from_px[..., 0], self.from_px[..., 1], cv2.INTER_LINEAR), np.float32)


def rectify(image: Image, view: View, around_mm: Sequence[Point], height_mm: float, px_per_mm: float,
            margin_mm: float) -> Patch:
    """The table around some points, with a margin, as it looks at a height above it."""
    points = np.asarray(around_mm, np.float64)
    left, bottom = points.min(axis=0) - margin_mm
    right, top = points.max(axis=0) + margin_mm
    columns = int(np.ceil((right - left) * px_per_mm / COARSE_PX)) + 1
    rows = int(np.ceil((top - bottom) * px_per_mm / COARSE_PX)) + 1
    step = COARSE_PX / px_per_mm
    grid = np.stack(np.meshgrid(left + step * np.arange(columns), top - step * np.arange(rows)), axis=-1)
    px = view.project_at(grid.reshape(-1, 2), height_mm).reshape(rows, columns, 2)
    width, height = (columns - 1) * COARSE_PX, (rows - 1) * COARSE_PX
    spread = np.array([(COARSE_PX, 0, 0), (0, COARSE_PX, 0)], np.float64)
    spread_px = cv2.warpAffine(px.astype(np.float32), spread, (width, height), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_REPLICATE)
    x0, y0 = np.floor(px.reshape(-1, 2).min(axis=0)).astype(int) - 2
    x1, y1 = np.ceil(px.reshape(-1, 2).max(axis=0)).astype(int) + 3
    x0, y0 = max(int(x0), 0), max(int(y0), 0)
    crop = image[y0:max(int(y1), y0 + 1), x0:max(int(x1), x0 + 1)]
    from_px = (spread_px - np.array((x0, y0))).astype(np.float32)
    return Patch(from_px, crop, (x0, y0), float(left), float(top), px_per_mm)
