"""Polygons filled with subpixel accuracy."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

SUBPIXEL_BITS = 4
"""Fractional bits of the fixed-point coordinates that OpenCV draws with."""


def fill_convex(image: npt.NDArray[Any], corners_px: Floats, value: float) -> None:
    """Fill a convex polygon (n, 2) in px of an image (h, w) with a value."""
    corners = np.rint(corners_px.reshape(-1, 2) * 2 ** SUBPIXEL_BITS).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (value,), shift=SUBPIXEL_BITS)
