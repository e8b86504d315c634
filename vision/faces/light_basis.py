"""The light on a flat piece: how it may differ from that at the piece's enrolment.

What is seen of a face is taken to be `gain * face + light` in linear light, where the added light has a colour and may
rise towards one side: shade takes light away, a gloss adds some, at enrolment as in the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.faces.templates import Face
from vision.imaging.arrays import Values

GAIN_SD = 0.15
"""Usual gain of a face's light since its enrolment, after the white reference (standard deviation about 1)."""

LIGHTS = np.array([(1, 1, 1), (-1, 0, 1), (0.5, -1, 0.5)], np.float32)
"""The colours (B G R) that added light is a sum of; white paper is 0.8."""

LIGHT_SD = ((0.15, 0.05, 0.012), (0.3, 0.06), (0.3,), (0.3,))
"""How much of each is usual: evenly, rising from the middle to the edge, and bulging as a gloss does, to the second and
the third power."""

PIXEL_SD = 4.0
"""Residual of a pixel of the right face (standard deviation)."""

ERROR_PATCH_MM = 6.0
"""Errors of pixels this near to each other are correlated: a face has as many voices (effective samples) as it has
patches of this size."""

FIELDS = 10
"""Ways in which light varies over a piece: even, rising along x and y, bulging."""

KINDS = (0, 1, 1, 2, 2, 2, 3, 3, 3, 3)
"""Which of the rows of `LIGHT_SD` each of these ways belongs to."""


def voices(face: Face) -> float:
    """By how many independent patches a face speaks."""
    x, y = face.piece.size_mm[:2]
    area = x * y * (np.pi / 4 if face.piece.round else 1.0)
    return float(np.clip(area / ERROR_PATCH_MM ** 2, 4, 40))


def light_ways(off: npt.NDArray[Any]) -> Values:
    """The ways (..., FIELDS) in which light varies, at points (..., 2) about the middle, 1 at the edge."""
    x, y = off[..., 0], off[..., 1]
    ways = [np.ones_like(x), x, y, x * x - 0.25, y * y - 0.25, x * y, x * x * x - x / 2, y * y * y - y / 2,
            x * x * y - y / 4, x * y * y - x / 4]
    return np.stack(ways, axis=-1).astype(np.float32)
