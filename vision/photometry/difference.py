"""The metric of colour differences between a picture and a background prediction."""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Values

METRIC = np.array([0.6, 1.0, 1.0], np.float32)
"""Weights of L, a and b where two pictures are compared: light and shadow change lightness more than colour."""

LOOKS_ALIKE = 7.0
"""A pixel no farther than this from the background is background."""

NEUTRAL = 15.0
"""Colours with less chroma than about this have no reliable hue."""

SHADING = 0.4
"""Weight of a difference that is only one of lightness or saturation."""

DARK_L, BRIGHT_L = 10.0, 50.0
"""Dark colours are less certain: a squared residual has the weight `(L + DARK_L) / BRIGHT_L`, at most 1."""

WORST = 14.0
"""Residuals are clipped at this: something lies there that is not modelled."""


def misfit(seen: Values, predicted: Values) -> Values:
    """The squared, clipped residual (...) of each pixel (3, ...) under a background prediction (3, ...).

    Shading and reflections make one surface lighter, darker, less or more saturated, but keep its hue.
    """
    light, a, b = seen - predicted
    _, predicted_a, predicted_b = predicted
    along = a * predicted_a
    along += b * predicted_b
    along *= along
    chroma = predicted_a * predicted_a
    chroma += predicted_b * predicted_b
    chroma += np.float32(NEUTRAL * NEUTRAL)
    along /= chroma
    along *= np.float32(1 - SHADING * SHADING)
    light *= light
    light *= np.float32(SHADING * SHADING)
    a *= a
    b *= b
    light += a
    light += b
    light -= along
    trust = (predicted[0] + np.float32(DARK_L)) / np.float32(BRIGHT_L)
    light *= np.clip(trust, 0, 1, out=trust)
    return np.asarray(np.minimum(light, np.float32(WORST * WORST), out=light), np.float32)
