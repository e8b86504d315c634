"""The loss of a fit under gloss whose edges are sharp.

What a surface mirrors is added to what it scatters, in the lamp's own colour: white, after the white reference (the
dichromatic model; S. Shafer, "Using color to separate reflection components", Color Res. Appl. 10, 1985). The edge of a
lamp's or a window's reflection may cross a piece, at enrolment as in the game, and no smooth light follows it. So each
point may have white light of its own, more or less than at enrolment, at the price of its prior. A print stays what it
is: it differs by more than that, or by other light than white.
"""

from __future__ import annotations

import numpy as np

from vision.faces.light_basis import PIXEL_SD
from vision.faces.light_model import MIN_LINEAR_LIGHT, gamma_coded
from vision.faces.linear_light import TO_VALUES
from vision.faces.robust_step import mean_loss
from vision.imaging.arrays import Values
from vision.photometry.channel_noise import FULL_TRUST, Trust
from vision.photometry.white_reference import GAMMA

SHARP_GLOSS_SD = 0.1
"""Prior of the white light of one point (standard deviation about 0); white paper is 0.8."""

GLOSS_ROUNDS, MAX_GLOSS_STEP = 3, 0.1
"""Rounds of Gauss and Newton in which it is solved for, and the largest step in one: dark points are steep."""

_PRICE = np.float32((PIXEL_SD / SHARP_GLOSS_SD) ** 2)


def glossy_loss(seen: Values, linear: Values, brightest: Values, trust: Trust = FULL_TRUST) -> Values:
    """The mean losses (faces,) of values that are `seen` (faces, 3, n) where `linear` light (faces, 3, n) B G R is
    expected, each point with the gloss that suits it best; `brightest` (3,) B G R is where the camera clips,
    and `trust` the weights of channels."""
    weights = np.array(trust, np.float32)[:, None]
    seen, to_values = seen * weights, TO_VALUES.T * weights
    gloss = np.zeros_like(linear[:, :1])
    off, steep = _compared(seen, linear, brightest, to_values)
    least = np.square(off).sum(axis=1)
    for _ in range(GLOSS_ROUNDS):
        step = ((steep * off).sum(axis=1, keepdims=True) - _PRICE * gloss) / (
            np.square(steep).sum(axis=1, keepdims=True) + _PRICE)
        gloss = gloss + np.clip(step, -MAX_GLOSS_STEP, MAX_GLOSS_STEP)
        off, steep = _compared(seen, linear + gloss, brightest, to_values)
        np.minimum(least, np.square(off).sum(axis=1) + _PRICE * np.square(gloss[:, 0]), out=least)
    return mean_loss(least)


def _compared(seen: Values, linear: Values, brightest: Values, to_values: Values) -> tuple[Values, Values]:
    """The residuals (faces, 3, n) of what is seen where linear light is expected, and the derivative of the expected
    values by white light; `to_values` (3, 3) gives the values of coded B G R."""
    light = np.clip(linear, MIN_LINEAR_LIGHT, brightest[:, None])
    coded = gamma_coded(light)
    return seen - to_values @ coded, to_values @ (coded / (light * np.float32(GAMMA)))
