"""From sRGB values to linear light."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

_VALUES = np.arange(256) / 255
_LIGHT = np.where(_VALUES <= 0.04045, _VALUES / 12.92, ((_VALUES + 0.055) / 1.055) ** 2.4).astype(np.float32)


def linear(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """An sRGB picture (any shape, uint8) as linear light, float32 from 0 to 1."""
    return np.asarray(cv2.LUT(image, _LIGHT), np.float32).reshape(image.shape)
