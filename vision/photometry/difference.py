"""How different two colours are, where pictures of one surface are compared."""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Values

METRIC = np.array([0.6, 1.0, 1.0], np.float32)
"""Weights of L, a and b where two pictures are compared: light and shadow change lightness more than colour."""

LOOKS_ALIKE = 7.0
"""A pixel no farther than this from the background shows nothing else."""

NEUTRAL = 15.0
"""Colours with less chroma than about this have no hue to keep."""

SHADING = 0.4
"""How much a difference counts that is only one of light or of richness of colour."""

DARK_L, BRIGHT_L = 10.0, 50.0
"""Colours darker than about `BRIGHT_L` are ever less certain."""

WORST = 14.0
"""A pixel off by more than this counts as off by this: something lies there that is not modelled."""


def misfit(seen: Values, predicted: Values) -> Values:
    """How badly a background (3, ...) explains each pixel (...).

    Shading and reflections make one surface lighter, darker, paler or richer; its hue they leave as it is.
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
