"""How well faces of one form match a window at many centres and in all turns, to begin with.

Their light (`vision/flat_light.py`) is solved for as well, but knows fewer ways in which it may vary, and a pixel that
does not fit at all counts like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import COARSE_BLUR_PX, PX_PER_MM, Face, coarse_grid
from vision.flat_light import GAIN_SD, KINDS, LIGHT_SD, LIGHTS, PATCH_MM, PIXEL_SD, TO_VALUES, Values, light_ways

CENTRES_PX = 3
"""Centres are tried in steps of so many pixels."""

ROUGH_FIELDS = 6
"""Ways in which light varies over a piece that a first try knows: the first ones of all."""

_SPREAD_VALUES = np.stack([np.sqrt(np.square((np.array(LIGHT_SD[kind])[:, None] * LIGHTS[:len(LIGHT_SD[kind])])
                                             @ TO_VALUES).sum(axis=0)) for kind in KINDS], axis=1)
"""The usual spread (3, FIELDS) of values in linear light for each way in which added light varies."""

_VOICE_POINTS = np.float32((PATCH_MM * PX_PER_MM / 4) ** 2)
"""So many of the coarse points speak with one voice."""


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Faces of one form in all turns, in linear light. `points_px` (n, 2); `values` (n * 3, faces * turns); `there`
    (n, turns), whether the face is there; `light` (n, ways * turns), ROUGH_FIELDS ways in which light may vary over it,
    and how much of the values is such light, `fields` (turns, 3 * ways, faces); `taken` (3 * ways, turns), how far such
    light is taken out; `squares` (faces, turns) of the values without it and `count` (turns,) of the points."""

    points_px: npt.NDArray[np.intp]
    values: Values
    there: Values
    light: Values
    fields: Values
    taken: Values
    squares: Values
    count: Values


def make_templates(faces: Sequence[Face]) -> Templates:
    """Templates of faces of one form."""
    values = np.stack([face.turned[0] for face in faces])  # (faces, turns, n, 3)
    there = faces[0].turned[1]
    number, turns, points = values.shape[:3]
    grid = coarse_grid(faces[0].radius_mm)
    bends = light_ways(grid / np.abs(grid).max())[:, :ROUGH_FIELDS]
    ways, sizes = zip(*(_orthogonal(mask[:, None] * bends) for mask in there))
    light = np.stack(ways, axis=2)  # (n, ROUGH_FIELDS, turns)
    fields = np.stack([np.tensordot(values[:, turn], way, (1, 0)) for turn, way in enumerate(ways)])  # (t, f, c, q)
    fields = fields.transpose(0, 2, 3, 1).reshape(turns, 3 * ROUGH_FIELDS, number)
    spread = np.stack(sizes)[:, None] * _SPREAD_VALUES[:, :ROUGH_FIELDS]  # (turns, 3, ROUGH_FIELDS)
    taken = 1 / (1 + PIXEL_SD ** 2 * _VOICE_POINTS / np.square(spread).reshape(turns, 3 * ROUGH_FIELDS))
    flat = values.reshape(number * turns, points * 3)
    squares = (flat * flat).sum(axis=1).reshape(number, turns) - (fields ** 2 * taken[:, :, None]).sum(axis=1).T
    return Templates(
        grid.astype(np.intp), np.ascontiguousarray(flat.T), np.ascontiguousarray(there.T),
        np.ascontiguousarray(light.reshape(points, ROUGH_FIELDS * turns), np.float32), fields.astype(np.float32),
        np.ascontiguousarray(taken.T, np.float32), squares.astype(np.float32), there.sum(axis=1))


def try_all(light: Values, templates: Templates, centres_px: npt.NDArray[np.intp]) -> Values:
    """Costs (centres, faces, turns) of values in linear light (side, side, 3) at centres (n, 2) in px right and up of
    the window's middle. A cost is like `Fit.cost`, but not robust."""
    side = light.shape[0]
    middle = side // 2
    blurred = cv2.GaussianBlur(light, (0, 0), COARSE_BLUR_PX, borderType=cv2.BORDER_REPLICATE).reshape(-1, 3)
    at = (middle - centres_px[:, 1, None] - templates.points_px[:, 1]) * side + (
        middle + centres_px[:, 0, None] + templates.points_px[:, 0])
    seen = np.take(blurred, at, axis=0)  # (centres, n, 3)
    number, points = seen.shape[:2]
    faces, turns = templates.squares.shape
    channels = np.ascontiguousarray(seen.transpose(0, 2, 1))
    cross = (seen.reshape(number, points * 3) @ templates.values).reshape(number, faces, turns)
    fields = (channels.reshape(number * 3, points) @ templates.light).reshape(number, 3 * ROUGH_FIELDS, turns)
    taken = fields * templates.taken
    own = np.square(channels).sum(axis=1) @ templates.there - (fields * taken).sum(axis=1)
    both = cross - (taken.transpose(2, 0, 1) @ templates.fields).transpose(1, 2, 0)
    ridge = np.float32((PIXEL_SD / GAIN_SD) ** 2 * _VOICE_POINTS)
    gain = np.clip((both + ridge) / (templates.squares + ridge), 0.5, 1.5)
    cost = own[:, None] + gain * (gain * templates.squares - 2 * both) + ridge * (gain - 1) ** 2
    return np.asarray(np.maximum(cost, 0) / templates.count, np.float32)


def _orthogonal(fields: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Fields (n, ROUGH_FIELDS) made orthogonal and of length one, and how long each was."""
    ways, sizes = np.linalg.qr(fields)
    return np.asarray(ways, np.float64), np.abs(np.diag(sizes))
