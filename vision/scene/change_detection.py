"""Whether a part of the picture looks as it did before, apart from noise and a pixel's play."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC

TOUCHED = 7.0
"""A spot of which some part changed by more than this was touched and is read again."""

SQUARED_METRIC = (METRIC * METRIC)[None]
"""Weights (1, 3) of the squares of L, a and b."""

WINDOW_PX = 7
"""The width of the squares on which a change is judged."""


def touched(before: Lab, now: Lab) -> bool:
    """Whether some part (h, w, 3) looks different."""
    return bool(change_map(before, now, TOUCHED).max() > TOUCHED)


def change_map(before: Lab, now: Lab, least: float) -> Values:
    """By how much each pixel but those at the edge (h - 2, w - 2) changed. Where nothing changed by more than `least`,
    a pixel's play is not looked for."""
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
