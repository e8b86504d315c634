"""Change detection in a part of the picture, tolerant of noise and shifts by a pixel."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from vision.imaging.arrays import Mask, Values
from vision.photometry.background_model import Lab
from vision.photometry.channel_noise import FULL_TRUST, Trust
from vision.photometry.difference import METRIC

TOUCHED, NOISE_PEAK, MOST_NOISE = 7.0, 4.5, 12.0
"""A spot is read again when some part of it changed by more than the first; in noise by more than the second times its
level, but never more than the last."""

REMEMBERED, FEWEST = 24, 4
"""The level of noise is taken from so many parts that were compared last, and from so many at least."""

SQUARED_METRIC = (METRIC * METRIC)[None]
"""Weights (1, 3) of the squares of L, a and b."""

WINDOW_PX = 7
"""The width of the squares over which a change is averaged."""


def touched(before: Lab, now: Lab, most: float = TOUCHED, trust: Trust = FULL_TRUST) -> bool:
    """Whether some part of a picture (h, w, 3) changed by more than that."""
    return bool(change_map(before, now, most, trust).max() > most)


class NoiseLevel:
    """How much noise the pictures of one table have: the median of what parts of them change from look to look, as
    most are not touched. `trust` are the weights of their lightness and colours."""

    def __init__(self, trust: Trust = FULL_TRUST) -> None:
        self.trust = trust
        self._changes: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def peak(self) -> float:
        """By how much a part may change that nobody touched."""
        level = _middle(np.array(self._changes)) if len(self._changes) >= FEWEST else 0.0
        return min(max(TOUCHED, NOISE_PEAK * level), MOST_NOISE)

    def changed(self, before: Lab, now: Lab, least: float = 1.0) -> float:
        """By how much some part of a picture (h, w, 3) changed, as a share of what noise may change: closely where that
        is more than `least`. What is seen adds to what is known of noise."""
        change, peak = change_map(before, now, least * TOUCHED, self.trust), self.peak
        self._changes.append(_middle(change))
        return float(change.max()) / peak

    def touched(self, before: Lab, now: Lab) -> bool:
        """Whether some part of a picture (h, w, 3) changed by more than noise may."""
        return touched(before, now, self.peak, self.trust)

    def stirred(self, before: Lab, now: Lab) -> Mask:
        """Where (h, w) a picture (h, w, 3) changed by more than noise may."""
        peak = self.peak
        return np.pad(change_map(before, now, peak, self.trust) > peak, 1)


def _middle(values: Values) -> float:
    """The median of some values (...), of which none is NaN: `np.median` looks for those too, which takes longer."""
    around = (values.size - 1) // 2, values.size // 2
    low, high = np.partition(values, around, axis=None)[list(around)]
    return float((low + high) / np.float32(2))


def change_map(before: Lab, now: Lab, least: float, trust: Trust = FULL_TRUST) -> Values:
    """The change (h - 2, w - 2) of each pixel but those at the edge, with so much trust in each channel. Where it is
    nowhere larger than `least`, shifts by a pixel are not tried."""
    weights = SQUARED_METRIC * np.square(np.array(trust, np.float32))
    inner = before[1:-1, 1:-1]
    height, width = inner.shape[:2]
    lowest: Values | None = None
    for right, down in ((1, 1), (0, 1), (2, 1), (1, 0), (1, 2)):
        error = cv2.subtract(now[down:down + height, right:right + width], inner)
        square = cv2.transform(cv2.multiply(error, error, dst=error), weights)
        lowest = np.asarray(square if lowest is None else cv2.min(lowest, square), np.float32)
        blurred = np.asarray(cv2.blur(cv2.sqrt(lowest), (WINDOW_PX, WINDOW_PX)), np.float32)
        if blurred.max() <= least:
            break
    return blurred
