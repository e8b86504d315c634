"""Lightness and light: light is what adds up where two things share a pixel, lightness is what is compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def as_light(lightness: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The light that is seen as a lightness (any shape): a gamma of 2, near enough to that of the eye."""
    return np.asarray(np.square(lightness) / 100)


def as_lightness(light: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The lightness as which light is seen."""
    return np.asarray(10 * np.sqrt(np.maximum(light, 0)))
