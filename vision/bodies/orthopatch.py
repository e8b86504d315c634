"""Rectification: a part of the picture as an orthophoto of a plane at one height above the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image
from vision.imaging.picture import Picture
from vision.photometry.white_reference import Reflectance, White

RASTER_PX = 32
"""The projection is computed at the points of a raster with this spacing, and interpolated linearly in between."""


@dataclass(frozen=True, slots=True)
class OrthoArea:
    """A part of a plane above the table: the bounding box of some points with a margin, its height, and the scale."""

    around_mm: Sequence[Point]
    margin_mm: float
    height_mm: float
    px_per_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Orthopatch:
    """A rectified piece of table with `px_per_mm`; x runs right, y runs up, so that the pixel (u, v) shows the table at
    `left_mm + u / px_per_mm`, `top_mm - v / px_per_mm`. `from_px` (h, w, 2) says which pixel of the picture each is
    taken from, less `origin_px`, the corner of the crop."""

    from_px: Values
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


def rectify(picture: Picture, area: OrthoArea) -> Orthopatch:
    """The orthophoto of an area."""
    points = np.asarray(area.around_mm, np.float64)
    left, bottom = points.min(axis=0) - area.margin_mm
    right, top = points.max(axis=0) + area.margin_mm
    columns = int(np.ceil((right - left) * area.px_per_mm / RASTER_PX)) + 1
    rows = int(np.ceil((top - bottom) * area.px_per_mm / RASTER_PX)) + 1
    step = RASTER_PX / area.px_per_mm
    grid = np.stack(np.meshgrid(left + step * np.arange(columns), top - step * np.arange(rows)), axis=-1)
    px = picture.view.project_at(grid.reshape(-1, 2), area.height_mm).reshape(rows, columns, 2)
    x0, y0 = (max(int(low) - 2, 0) for low in np.floor(px.reshape(-1, 2).min(axis=0)))
    x1, y1 = (int(high) + 3 for high in np.ceil(px.reshape(-1, 2).max(axis=0)))
    from_px = (spread_raster(px, RASTER_PX, ((columns - 1) * RASTER_PX, (rows - 1) * RASTER_PX))
               - np.array((x0, y0))).astype(np.float32)
    crop = picture.image[y0:max(y1, y0 + 1), x0:max(x1, x0 + 1)]
    return Orthopatch(from_px, crop, (x0, y0), float(left), float(top), area.px_per_mm)


def spread_raster(px: npt.NDArray[np.floating], step_px: int, size_wh: tuple[int, int]) -> Values:
    """Pixels (n, m, 2) given at every `step_px` pixels of a patch of this width and height, bilinearly interpolated at
    each of its pixels (h, w, 2)."""
    spread = np.array([(step_px, 0, 0), (0, step_px, 0)], np.float64)
    return np.asarray(cv2.warpAffine(px.astype(np.float32), spread, size_wh, flags=cv2.INTER_LINEAR,
                                     borderMode=cv2.BORDER_REPLICATE), np.float32)
