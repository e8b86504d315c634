"""From sRGB values to linear light, and from that to CIE L*a*b*."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

_VALUES = np.arange(256) / 255
_LIGHT = np.where(_VALUES <= 0.04045, _VALUES / 12.92, ((_VALUES + 0.055) / 1.055) ** 2.4).astype(np.float32)

_BGR_TO_XYZ = np.array([(0.180423, 0.357580, 0.412453), (0.072169, 0.715160, 0.212671), (0.950227, 0.119193, 0.019334)])
_WHITE_XYZ = np.array([0.950456, 1.0, 1.088754])
TO_SHARES = (_BGR_TO_XYZ / _WHITE_XYZ[:, None]).astype(np.float32)
"""From linear light B G R to the shares of white's CIE X, Y and Z (primaries of ITU-R BT.709, standard illuminant D65).
"""

DARK, DARK_SLOPE, DARK_ROOT = 0.008856, 7.787, 16 / 116
"""Up to this share of white's L*a*b* is linear and no cube root; its slope, and what it begins with (CIE 15)."""

ROOTS_TO_LAB = np.array([(0, 116, 0, -16), (500, -500, 0, 0), (0, 200, -200, 0)], np.float32)
"""From the roots of the shares of X, Y and Z, and 1, to L*, a* and b*."""


def linear(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """An sRGB picture (any shape, uint8) as linear light, float32 from 0 to 1."""
    return np.asarray(cv2.LUT(image, _LIGHT), np.float32).reshape(image.shape)


def to_lab(light: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Linear light B G R (h, w, 3), limited to 0 and 1, as CIE L*a*b* (h, w, 3), L from 0 to 100.
    `cv2.cvtColor` gives the same, but makes and keeps 4.5 MB of tables first."""
    share = np.asarray(cv2.transform(np.clip(light, 0, 1), TO_SHARES), np.float32)
    root = np.asarray(cv2.pow(share, 1 / 3), np.float32)
    dark = share <= DARK
    root[dark] = DARK_SLOPE * share[dark] + DARK_ROOT
    return np.asarray(cv2.transform(root, ROOTS_TO_LAB), np.float32)
