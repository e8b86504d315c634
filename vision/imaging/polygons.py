"""Convex polygons, filled: with subpixel accuracy, or as a mask of whole pixels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats
from vision.imaging.box import Box

SUBPIXEL_BITS = 4
"""Fractional bits of the fixed-point coordinates that OpenCV draws with."""


def fill_convex(image: npt.NDArray[Any], corners_px: Floats, value: float) -> None:
    """Fill a convex polygon (n, 2) in px of an image (h, w) with a value."""
    corners = np.rint(corners_px.reshape(-1, 2) * 2 ** SUBPIXEL_BITS).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (value,), shift=SUBPIXEL_BITS)


def mask_within(box: Box, outlines_px: Iterable[Floats]) -> npt.NDArray[np.uint8]:
    """The mask (h, w) of a box, 1 within any of some convex outlines (n, 2) in px with rounded corners, else 0."""
    mask = np.zeros((box.height, box.width), np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.rint(outline - (box.left, box.top)).astype(np.int32), 1)
    return mask
