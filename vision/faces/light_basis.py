"""The basis and priors of the light model of a flat piece: how its light may differ from that at enrolment.

A face is predicted as `gain * face + light` in linear light, where the added light has a colour and varies smoothly
over the piece: shade takes light away, gloss adds some, at enrolment as in the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.faces.templates import Face
from vision.imaging.arrays import Values

GAIN_SD = 0.15
"""Prior of the gain of a face's light against enrolment, after the white reference (standard deviation about 1)."""

LIGHTS = np.array([(1, 1, 1), (-1, 0, 1), (0.5, -1, 0.5)], np.float32)
"""The basis colours (B G R) of added light; white paper is 0.8."""

LIGHT_SD = ((0.15, 0.05, 0.012), (0.3, 0.06), (0.3,), (0.3,))
"""Priors of the amount of each colour (standard deviations), by the degree of the polynomial over the piece: constant,
linear, quadratic and cubic."""

PIXEL_SD = 4.0
"""Residual of a pixel of the right face (standard deviation)."""

ERROR_PATCH_MM = 6.0
"""The correlation length of errors: the effective sample size of a face (its voices) is the number of its patches of
this size."""

FIELDS = 10
"""The number of basis functions: polynomials in x and y up to the third degree."""

KINDS = (0, 1, 1, 2, 2, 2, 3, 3, 3, 3)
"""The degree of each basis function, which is its row of `LIGHT_SD`."""


def voices(face: Face) -> float:
    """The effective sample size of a face: the number of its patches with independent errors."""
    x, y = face.piece.size_mm[:2]
    area = x * y * (np.pi / 4 if face.piece.round else 1.0)
    return float(np.clip(area / ERROR_PATCH_MM ** 2, 4, 40))


def light_ways(off: npt.NDArray[Any]) -> Values:
    """The basis functions (..., FIELDS) at points (..., 2) about the middle, where 1 is the edge."""
    x, y = off[..., 0], off[..., 1]
    ways = [np.ones_like(x), x, y, x * x - 0.25, y * y - 0.25, x * y, x * x * x - x / 2, y * y * y - y / 2,
            x * x * y - y / 4, x * y * y - x / 4]
    return np.stack(ways, axis=-1).astype(np.float32)
