"""Polygons drawn to a part of a pixel."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

SUBPIXEL_BITS = 4
"""OpenCV draws points given in this many binary fractions of a pixel."""


def fill_convex(image: npt.NDArray[Any], corners_px: Floats, value: float) -> None:
    """Write a value (h, w) into a convex outline (n, 2) in px."""
    corners = np.rint(corners_px.reshape(-1, 2) * 2 ** SUBPIXEL_BITS).astype(np.int32)
    cv2.fillConvexPoly(image, corners, (value,), shift=SUBPIXEL_BITS)
