"""How well faces of one form match a window at many centres and in all turns, to begin with.

Their light (`light_basis`) is solved for as well, but knows fewer ways in which it may vary, and a pixel that
does not fit at all counts like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces.light_basis import (
    ERROR_PATCH_MM,
    GAIN_SD,
    KINDS,
    LIGHT_SD,
    LIGHTS,
    PIXEL_SD,
    TO_VALUES,
    Values,
    light_ways,
)
from vision.faces.templates import COARSE_BLUR_PX, PX_PER_MM, Face, coarse_grid

CENTRES_PX = 3
"""Centres are tried in steps of so many pixels."""

ROUGH_FIELDS = 6
"""Ways in which light varies over a piece that a first try knows: the first ones of all."""

_SPREAD_VALUES = np.stack([np.sqrt(np.square((np.array(LIGHT_SD[kind])[:, None] * LIGHTS[:len(LIGHT_SD[kind])])
                                             @ TO_VALUES).sum(axis=0)) for kind in KINDS], axis=1)
"""The usual spread (3, FIELDS) of values in linear light for each way in which added light varies."""

_VOICE_POINTS = np.float32((ERROR_PATCH_MM * PX_PER_MM / 4) ** 2)
"""So many of the coarse points speak with one voice."""


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Faces of one form in all turns, in linear light, at `points_px` (n, 2) about their centres. A face that is turned
    on by a quarter is the same at points that are turned on as well: so their values are kept in the turns of one
    quarter, as sums and differences (points * 3, faces * turns / 4) of the four points that quarters carry into each
    other: of all four of them (`whole`), of two and two that are opposite each other (`crossed`), and of one and one
    (`opposite`).

    Where the face is, `there` (n, outlines), and the light on it are the same in several turns: which `outline`
    (turns,) each has. `light` (n, ways * outlines) are ROUGH_FIELDS ways in which light may vary there, `taken`
    (3 * ways, outlines) how far such light is taken out, and `fields` (turns, 3 * ways, faces) how much of the values
    is such light; `squares` (faces, turns) of the values without it and `count` (turns,) of the points."""

    points_px: npt.NDArray[np.intp]
    whole: Values
    crossed: Values
    opposite: Values
    outline: npt.NDArray[np.intp]
    there: Values
    light: Values
    taken: Values
    fields: Values
    squares: Values
    count: Values


def make_templates(faces: Sequence[Face]) -> Templates:
    """Templates of faces of one form."""
    values = np.stack([face.turned[0] for face in faces], axis=1)  # (turns / 4, faces, n, 3)
    first = faces[0].turned[1]
    number, points = values.shape[1:3]
    grid = coarse_grid(faces[0].radius_mm)
    bends = light_ways(grid / np.abs(grid).max())[:, :ROUGH_FIELDS]
    there = np.concatenate([_turned_on(first.T, quarters).T for quarters in range(4)])
    known: dict[bytes, int] = {}
    outline = np.array([known.setdefault(mask.tobytes(), len(known)) for mask in there])
    outlines = there[np.unique(outline, return_index=True)[1]]
    ways, sizes = zip(*(_orthogonal(mask[:, None] * bends) for mask in outlines))
    channels = np.ascontiguousarray(values.swapaxes(2, 3), np.float32)  # (turns / 4, faces, 3, n)
    fields = np.stack([channels[turn % len(first)] @ _turned_on(ways[each], -(turn // len(first))).astype(np.float32)
                       for turn, each in enumerate(outline)])  # (turns, faces, 3, ways)
    fields = fields.transpose(0, 2, 3, 1).reshape(len(there), 3 * ROUGH_FIELDS, number)
    spread = np.stack(sizes)[:, None] * _SPREAD_VALUES[:, :ROUGH_FIELDS]  # (outlines, 3, ROUGH_FIELDS)
    taken = 1 / (1 + PIXEL_SD ** 2 * _VOICE_POINTS / np.square(spread).reshape(-1, 3 * ROUGH_FIELDS))
    squares = np.tile(np.square(channels).sum(axis=(2, 3)).T, 4) - np.einsum(
        "tlf,tl->ft", np.square(fields), taken[outline])
    by_face = np.concatenate(values.swapaxes(0, 1))  # (faces * turns / 4, n, 3)
    whole, crossed, opposite = (np.ascontiguousarray(part.T, np.float32) for part in _quartered(by_face))
    whole[:-3] /= 4
    crossed /= 4
    opposite /= 2
    return Templates(
        grid.astype(np.intp), whole, crossed, opposite, outline, np.ascontiguousarray(outlines.T),
        np.ascontiguousarray(np.stack(ways, axis=2).reshape(points, -1), np.float32),
        np.ascontiguousarray(taken.T, np.float32), np.ascontiguousarray(fields, np.float32),
        squares.astype(np.float32), there.sum(axis=1))


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
    channels = np.ascontiguousarray(seen.transpose(0, 2, 1))
    fields = (channels.reshape(number * 3, points) @ templates.light).reshape(number, 3 * ROUGH_FIELDS, -1)
    taken = fields * templates.taken
    own = np.square(channels).sum(axis=1) @ templates.there - (fields * taken).sum(axis=1)
    taken_out = np.take(taken.transpose(2, 0, 1), templates.outline, axis=0) @ templates.fields
    both = _products(seen, templates) - taken_out.transpose(1, 2, 0)
    ridge = np.float32((PIXEL_SD / GAIN_SD) ** 2 * _VOICE_POINTS)
    gain = np.clip((both + ridge) / (templates.squares + ridge), 0.5, 1.5)
    cost = own[:, None, templates.outline] + gain * (gain * templates.squares - 2 * both) + ridge * (gain - 1) ** 2
    return np.asarray(np.maximum(cost, 0) / templates.count, np.float32)


def _products(seen: Values, templates: Templates) -> Values:
    """The sums (centres, faces, turns) of the products of what is seen (centres, n, 3) with each face in each turn:
    with sums and differences of points that takes three eighths of the multiplications."""
    number, faces = len(seen), len(templates.squares)
    whole, crossed, opposite = _quartered(seen)
    along = opposite.reshape(number, 2, -1)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    even, odd = whole @ templates.whole, crossed @ templates.crossed
    half, next_half = (each.reshape(number, -1) @ templates.opposite for each in (along, across))
    quarters = (even + odd + half, even - odd + next_half, even + odd - half, even - odd - next_half)
    return np.stack([each.reshape(number, faces, -1) for each in quarters], axis=2).reshape(number, faces, -1)


def _quartered(values: Values) -> tuple[Values, Values, Values]:
    """The sums and differences that `Templates` has of values (m, n, 3) at the points of a `coarse_grid`: (m, points *
    3) of all four that belong together, and the centre; of two and two; and (m, 2 * points * 3) of one and one."""
    number, points = values.shape[:2]
    four = values[:, :-1].reshape(number, 4, points // 4 * 3)
    pairs, opposite = four[:, :2] + four[:, 2:], four[:, :2] - four[:, 2:]
    whole = np.concatenate([pairs[:, 0] + pairs[:, 1], values[:, -1]], axis=1)
    return whole, pairs[:, 0] - pairs[:, 1], opposite.reshape(number, -1)


def _turned_on(values: npt.NDArray[Any], quarters: int) -> npt.NDArray[Any]:
    """Values (n, m) at the points of a `coarse_grid`, turned on by so many quarters with what they belong to."""
    return np.concatenate([np.roll(values[:-1], quarters * (len(values) // 4), axis=0), values[-1:]])


def _orthogonal(fields: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Fields (n, ROUGH_FIELDS) made orthogonal and of length one, and how long each was."""
    ways, sizes = np.linalg.qr(fields)
    return np.asarray(ways, np.float64), np.abs(np.diag(sizes))
