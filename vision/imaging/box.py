"""Axis-aligned boxes of pixels, and outlines that are dilated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats


MIN_SINE = 0.1
"""A corner of which the sine is less is all but straight, and moves less far than the sides beside it."""


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned part of the picture, in pixels; it may reach beyond the picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns in the picture."""
        return slice(self.top, self.top + self.height), slice(self.left, self.left + self.width)

    def __contains__(self, other: Box) -> bool:
        return (self.left <= other.left and other.left + other.width <= self.left + self.width
                and self.top <= other.top and other.top + other.height <= self.top + self.height)

    def meets(self, other: Box) -> bool:
        """Whether they share pixels."""
        return (self.left < other.left + other.width and other.left < self.left + self.width
                and self.top < other.top + other.height and other.top < self.top + self.height)

    def overlap(self, other: Box) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """The intersection, as rows and columns of this one and of the other."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right = min(self.left + self.width, other.left + other.width)
        bottom = min(self.top + self.height, other.top + other.height)
        first, second = ((slice(top - box.top, bottom - box.top), slice(left - box.left, right - box.left))
                         for box in (self, other))
        return first, second

    def strips(self, rows: int) -> Iterator[Box]:
        """The same part, in strips of so many rows."""
        for first in range(0, self.height, rows):
            yield Box(self.left, self.top + first, self.width, min(rows, self.height - first))

    def cut(self, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """This part of a picture (h, w, ...); beyond the picture's edge its border is replicated."""
        height, width = picture.shape[:2]
        if self.left >= 0 and self.top >= 0 and self.left + self.width <= width and self.top + self.height <= height:
            return picture[self.slices]
        rows, above, below = _beyond(self.top, self.height, height)
        columns, left, right = _beyond(self.left, self.width, width)
        return np.asarray(cv2.copyMakeBorder(picture[rows, columns], above, below, left, right, cv2.BORDER_REPLICATE),
                          np.uint8)


def box_around(points_px: Floats, margin_px: int) -> Box:
    """The bounding box of points (..., 2) in px, with a margin."""
    across, down = points_px[..., 0], points_px[..., 1]
    left, top = (int(np.floor(each.min())) - margin_px for each in (across, down))
    right, bottom = (int(np.ceil(each.max())) + margin_px + 1 for each in (across, down))
    return Box(left, top, right - left, bottom - top)


def box_within(points_px: Floats, margin_px: float, shape: tuple[int, ...]) -> Box:
    """The box around points (n, 2) that lies within a picture of this shape (h, w, ...); of no width or height where
    they are beside it."""
    low, high = np.floor(points_px.min(axis=0) - margin_px), np.ceil(points_px.max(axis=0) + margin_px)
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    right, bottom = min(int(high[0]) + 1, shape[1]), min(int(high[1]) + 1, shape[0])
    return Box(left, top, max(right - left, 0), max(bottom - top, 0))


def even_sized(box: Box) -> Box:
    """The box with an even width and height."""
    return Box(box.left, box.top, box.width + box.width % 2, box.height + box.height % 2)


def grow(corners_mm: Floats, by_mm: float) -> Floats:
    """The corners (4, 2) in mm, in order, of a convex quadrilateral of which each side moved out by `by_mm`."""
    into = corners_mm - np.roll(corners_mm, 1, axis=0)
    into = into / np.linalg.norm(into, axis=1, keepdims=True)
    out_of = np.roll(into, -1, axis=0)
    sine = into[:, 0] * out_of[:, 1] - into[:, 1] * out_of[:, 0]
    far_mm = by_mm / np.maximum(np.abs(sine), MIN_SINE)
    return np.asarray(corners_mm + (into - out_of) * far_mm[:, None], np.float64)


def _beyond(first: int, count: int, size: int) -> tuple[slice, int, int]:
    """The part of a picture's side of this size that so many pixels from `first` on show, at least one pixel of it, and
    how often its ends are repeated before and after."""
    start, end = min(max(first, 0), size - 1), max(min(first + count, size), 1)
    before = min(max(-first, 0), count - 1)
    return slice(start, end), before, count - (end - start) - before
