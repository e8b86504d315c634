"""What moves between two pictures of a stream."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Mask
from vision.imaging.frame import Image
from vision.presence.blobs import change_since, most_of_channels
from vision.presence.relight import match_light

MOTION, MOTION_SHARE = 10, 0.0006
"""Something moves when more than `MOTION_SHARE` of the pixels differ by more than `MOTION` grey values."""

SHIFTED_PX, CLEAR_PEAK = 0.8, 0.3
"""The picture as a whole is shifted when phase correlation finds a larger shift (px) with a higher peak."""


def is_like(before: Image, now: Image) -> bool:
    """Whether two small pictures (h, w, 3; B G R) show the same in the same light."""
    off = most_of_channels(cv2.absdiff(cv2.blur(now, (3, 3)), cv2.blur(before, (3, 3))))
    return bool(np.count_nonzero(off > MOTION) <= MOTION_SHARE * off.size)


def motion_between(before: Image, now: Image) -> Mask:
    """Where (h, w) a small picture (h, w, 3; B G R) differs from the one before it: nowhere while nothing moves."""
    if is_like(before, now):
        return np.zeros(now.shape[:2], np.bool_)
    moving = change_since([match_light(before, now)], now) > MOTION  # the exposure may have jumped
    return moving & bool(np.count_nonzero(moving) > MOTION_SHARE * moving.size)


def is_shifted(before: Image, now: Image) -> bool:
    """Whether a small picture as a whole is shifted from an earlier one, by phase correlation."""
    then_grey, grey = (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) for image in (before, now))
    (dx, dy), clear = cv2.phaseCorrelate(then_grey, grey)
    return bool(clear > CLEAR_PEAK and np.hypot(dx, dy) > SHIFTED_PX)
