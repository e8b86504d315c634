"""Change detection in a part of the picture, tolerant of noise and shifts by a pixel."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC

TOUCHED = 7.0
"""A spot is read again when some part of it changed by more than this."""

SQUARED_METRIC = (METRIC * METRIC)[None]
"""Weights (1, 3) of the squares of L, a and b."""

WINDOW_PX = 7
"""The width of the squares over which a change is averaged."""


def touched(before: Lab, now: Lab) -> bool:
    """Whether some part of a picture (h, w, 3) changed."""
    return bool(change_map(before, now, TOUCHED).max() > TOUCHED)


def change_map(before: Lab, now: Lab, least: float) -> Values:
    """The change (h - 2, w - 2) of each pixel but those at the edge. Where it is nowhere larger than `least`, shifts by
    a pixel are not tried."""
    inner = before[1:-1, 1:-1]
    height, width = inner.shape[:2]
    lowest: Values | None = None
    for right, down in ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2)):
        error = cv2.subtract(now[down:down + height, right:right + width], inner)
        square = cv2.transform(cv2.multiply(error, error), SQUARED_METRIC)
        lowest = np.asarray(square if lowest is None else cv2.min(lowest, square), np.float32)
        blurred = np.asarray(cv2.blur(cv2.sqrt(lowest), (WINDOW_PX, WINDOW_PX)), np.float32)
        if blurred.max() <= least:
            break
    return blurred
