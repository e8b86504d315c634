"""The light model of a face: a gain, and added light of several colours that varies over the piece.

Parameters are (faces, LIGHT_PARAMETERS): the gain, then the amount of each of `_PARTS`, by the basis of `light_basis`.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.faces.face_samples import fine_grid
from vision.faces.light_basis import FIELDS, GAIN_SD, KINDS, LIGHT_SD, LIGHTS, light_ways
from vision.faces.linear_light import TO_VALUES
from vision.faces.templates import FaceSize
from vision.imaging.arrays import Floats, Values
from vision.photometry.white_reference import GAMMA

_PARTS = tuple((way, colour) for way, kind in enumerate(KINDS) for colour in range(len(LIGHT_SD[kind])))
"""The basis function, and the colour of `LIGHTS`, of each part of the added light."""

_WAYS, _COLOURS = (np.array(each) for each in zip(*_PARTS))
_ADDED = np.einsum("pw,pc->pwc", np.eye(FIELDS, dtype=np.float32)[_WAYS], LIGHTS[_COLOURS]).reshape(-1, FIELDS * 3)
"""The contribution of each part to the B G R amounts of each basis function, (parts, FIELDS * 3)."""

_LIGHT_VALUES = np.concatenate([TO_VALUES.T * light for light in LIGHTS])
"""From the derivatives of coded B G R by light to those of the values by light of each of the `LIGHTS`, (3 * 3, 3)."""

LIGHT_PARAMETERS = 1 + len(_PARTS)

LIGHT_MEAN = np.array([1.0, *(0.0,) * len(_PARTS)])
LIGHT_PRIOR_SD = np.array([GAIN_SD, *(LIGHT_SD[KINDS[way]][colour] for way, colour in _PARTS)])

MIN_LINEAR_LIGHT = 1e-3


def expect(light: Values, given: Floats, fields: Values, brightest: Values) -> tuple[Values, Values]:
    """The predicted values (faces, 3, n) of faces in linear light (faces, 3, n), `given` parameters, and their Jacobian
    (faces, LIGHT_PARAMETERS, 3, n)."""
    faces, _, points = light.shape
    linear = lit(light, given, fields, brightest)
    coded = gamma_coded(linear)
    steep = coded / (linear * np.float32(GAMMA))
    by_light = (_LIGHT_VALUES @ steep).reshape(faces, len(LIGHTS), 3, points)
    design = np.empty((faces, LIGHT_PARAMETERS, 3, points), np.float32)
    design[:, 0] = TO_VALUES.T @ (steep * light)
    np.multiply(by_light[:, _COLOURS], fields[_WAYS][:, None], out=design[:, 1:])
    return np.asarray(TO_VALUES.T @ coded, np.float32), design


def lit(light: Values, given: Floats, fields: Values, brightest: Values) -> Values:
    """The linear light (faces, 3, n) B G R of faces in the given light, as far as the camera does not clip it."""
    share = given.astype(np.float32)
    by_field = (share[:, 1:] @ _ADDED).reshape(len(light), FIELDS, 3)
    linear = light * share[:, :1, None] + by_field.swapaxes(1, 2) @ fields
    return np.asarray(np.clip(linear, MIN_LINEAR_LIGHT, brightest[:, None], out=linear), np.float32)


def gamma_coded(linear: Values) -> Values:
    """Linear light (faces, 3, n) as the picture codes it."""
    return np.asarray(cv2.pow(linear.reshape(-1, linear.shape[2]), 1 / GAMMA).reshape(linear.shape), np.float32)


@lru_cache(maxsize=32)
def light_fields(outline: FaceSize) -> Values:
    """The basis functions of light (FIELDS, n) at the points of an outline's `fine_grid`."""
    grid = fine_grid(outline)
    return np.ascontiguousarray(light_ways(grid / np.abs(grid).max()).T)


def light_prior(given: Floats) -> Floats:
    """The negative log-prior (faces,) of gain and light in nats, up to a constant: heavy-tailed as Student's, because
    gloss is rare but then may be strong."""
    off = (given - LIGHT_MEAN) / LIGHT_PRIOR_SD
    return np.asarray(np.log1p(0.5 * np.square(off)).sum(axis=1), np.float64)
