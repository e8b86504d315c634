"""From white-referenced colours to linear light, in which gloss is additive."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.photometry.background_model import Lab
from vision.photometry.channel_noise import FULL_TRUST, Trust
from vision.photometry.difference import METRIC
from vision.photometry.white_reference import GAMMA, OPPONENT

_TO_CODED = np.linalg.inv(OPPONENT.astype(np.float64)).T.astype(np.float32)

TO_VALUES = (OPPONENT * METRIC[:, None]).T.astype(np.float32)
"""From B G R (3,) to lightness and opponent colours, weighted by `METRIC`: `values = bgr @ TO_VALUES`."""


def to_light(colours: Lab) -> Values:
    """White-referenced lightness and opponent colours (..., 3) back to linear B G R."""
    coded = np.maximum(colours @ _TO_CODED, 0)
    return np.asarray(cv2.pow(coded.reshape(-1, 3), GAMMA).reshape(coded.shape), np.float32)


def linear_values(colours: Lab, trust: Trust = FULL_TRUST) -> Values:
    """Colours (..., 3) as lightness and opponent colours in linear light, weighted by `METRIC` and by the trust in each
    channel."""
    return np.asarray(to_light(colours) @ (TO_VALUES * np.array(trust, np.float32)), np.float32)
