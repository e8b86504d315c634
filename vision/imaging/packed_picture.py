"""A picture of which only the part that is asked for lies decoded in memory."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.box import Box
from vision.imaging.frame import Image

GRID_PX: Final = 128
"""What is decoded grows in steps of so many pixels, so that it seldom grows."""


class PackedPicture:
    """A JPEG (n,) uint8. The smallest part that has all that was ever asked for is kept decoded: of a table's picture
    that is a quarter, and the rest is megabytes that nobody looks at. Raises `ValueError` for a damaged one."""

    def __init__(self, jpeg: npt.NDArray[np.uint8]) -> None:
        self.jpeg = jpeg
        height, width = self.whole().shape[:2]
        self._all = Box(0, 0, width, height)
        self._box, self._part = Box(0, 0, 0, 0), np.empty((0, 0, 3), np.uint8)

    def whole(self) -> Image:
        """All of it (h, w, 3), decoded anew."""
        image = cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR)
        if image is None:
            raise ValueError("a picture is damaged")
        return np.asarray(image, np.uint8)

    def around(self, box: Box) -> tuple[Image, Box]:
        """A part of it (h, w, 3) with all of a box that lies in the picture, and which part that is. Where it ends
        before the box does, the picture ends."""
        wanted = _within(box, self._all)
        if wanted not in self._box:
            self._box = _gridded(wanted if not self._part.size else _united(self._box, wanted), self._all)
            self._part = self.whole()[self._box.slices].copy()
        return self._part, self._box


def _within(box: Box, whole: Box) -> Box:
    """What of a box lies in the picture; the pixel of its edge that is nearest where nothing does."""
    left, top = min(max(box.left, 0), whole.width - 1), min(max(box.top, 0), whole.height - 1)
    right, bottom = min(box.left + box.width, whole.width), min(box.top + box.height, whole.height)
    return Box(left, top, max(right - left, 1), max(bottom - top, 1))


def _united(one: Box, other: Box) -> Box:
    left, top = min(one.left, other.left), min(one.top, other.top)
    right = max(one.left + one.width, other.left + other.width)
    bottom = max(one.top + one.height, other.top + other.height)
    return Box(left, top, right - left, bottom - top)


def _gridded(box: Box, whole: Box) -> Box:
    left, top = box.left // GRID_PX * GRID_PX, box.top // GRID_PX * GRID_PX
    right, bottom = (-(-end // GRID_PX) * GRID_PX for end in (box.left + box.width, box.top + box.height))
    return _within(Box(left, top, right - left, bottom - top), whole)
