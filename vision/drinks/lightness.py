"""Lightness and light: light is additive where two things share a pixel, lightness is what is compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def as_light(lightness: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Lightness (any shape) as light, by a gamma of 2, an approximation of that of the eye."""
    return np.asarray(np.square(lightness) / 100)


def as_lightness(light: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Light (any shape) as lightness: the inverse of `as_light`."""
    lightness = np.asarray(np.sqrt(np.maximum(light, 0)))
    lightness *= 10
    return lightness
