"""Faces of one outline at all turns, as templates in a rotated basis.

The turns of a face by quarters are one template at points that are permuted cyclically. Products with all four of them
are a cyclic correlation, which a discrete Fourier transform over the four points diagonalises (the convolution theorem;
over groups of rotations: R. Lenz, "Group Theoretical Methods in Image Processing", 1990). So values are kept as sums
and differences of the four points that quarters carry into each other: frequency 0 (`whole`), frequency 2 (`crossed`),
and the two parts of frequency 1 (`opposite`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.faces.light_basis import ERROR_PATCH_MM, KINDS, LIGHT_SD, LIGHTS, PIXEL_SD, light_ways
from vision.faces.linear_light import TO_VALUES
from vision.faces.templates import PX_PER_MM, Face, coarse_grid
from vision.imaging.arrays import Floats, Values
from vision.photometry.channel_noise import FULL_TRUST, Trust

ROUGH_FIELDS = 6
"""The number of basis functions of light in the coarse search: the first ones of all."""

POINTS_PER_VOICE = np.float32((ERROR_PATCH_MM * PX_PER_MM / 4) ** 2)
"""Coarse points that count as one effective sample, as their errors are correlated."""

_SPREAD_VALUES = np.stack([np.sqrt(np.square((np.array(LIGHT_SD[kind])[:, None] * LIGHTS[:len(LIGHT_SD[kind])])
                                             @ TO_VALUES).sum(axis=0)) for kind in KINDS], axis=1)
"""The prior standard deviation (3, FIELDS) of values in linear light for each basis function of added light."""


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Faces of one outline at all turns, in linear light, at `points_px` (n, 2) about their centres.

    `whole`, `crossed` (points * 3, faces * turns / 4) and `opposite` (2 * points * 3, faces * turns / 4) are their
    values in the rotated basis, for the turns of one quarter; `squares` (faces, turns) the squared norms of the values
    after projecting out the added light, and `count` (turns,) the number of points on the face.

    Several turns share a mask of the face, `there` (n, outlines), and a light basis: `outline` (turns,) is the index of
    each turn's. `light` (n, ways * outlines) are ROUGH_FIELDS orthonormal basis functions of light on each mask,
    `taken` (3 * ways, outlines) the share of such light that is projected out, and `fields` (turns, 3 * ways, faces)
    the coefficients of the faces' values.
    """

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


def make_templates(faces: Sequence[Face], trust: Trust = FULL_TRUST) -> Templates:
    """Templates of faces of one outline, weighted by the trust in each channel."""
    weights = np.array(trust, np.float32)
    values = np.stack([face.turned[0] for face in faces], axis=1) * weights  # (turns / 4, faces, n, 3)
    grid = coarse_grid(faces[0].radius_mm)
    there, outline = _masks(faces[0].turned[1])
    masks = there[np.unique(outline, return_index=True)[1]]
    ways, sizes = _light_basis(grid, masks)
    channels = np.ascontiguousarray(values.swapaxes(2, 3), np.float32)  # (turns / 4, faces, 3, n)
    fields = _fields(channels, ways, outline)
    taken = _taken(sizes, weights)
    squares = np.tile(np.square(channels).sum(axis=(2, 3)).T, 4) - np.einsum(
        "tlf,tl->ft", np.square(fields), taken[outline])
    whole, crossed, opposite = _in_rotated_basis(values)
    return Templates(
        grid.astype(np.intp), whole, crossed, opposite, outline, np.ascontiguousarray(masks.T),
        np.ascontiguousarray(np.stack(ways, axis=2).reshape(len(grid), -1), np.float32),
        np.ascontiguousarray(taken.T, np.float32), np.ascontiguousarray(fields, np.float32),
        squares.astype(np.float32), there.sum(axis=1))


def _masks(first: Values) -> tuple[Values, npt.NDArray[np.intp]]:
    """The masks of a face (turns, n) at all turns, from those of the first quarter, and for each turn the index
    (turns,) of its mask among the distinct ones."""
    there = np.concatenate([turned_on(first.T, quarters).T for quarters in range(4)])
    known: dict[bytes, int] = {}
    return there, np.array([known.setdefault(mask.tobytes(), len(known)) for mask in there])


def _light_basis(grid: Floats, masks: Values) -> tuple[list[Floats], list[Floats]]:
    """For each mask (n,) an orthonormal basis of light (n, ROUGH_FIELDS) on it, and the norms that the functions had
    (QR decomposition)."""
    bends = light_ways(grid / np.abs(grid).max())[:, :ROUGH_FIELDS]
    ways, sizes = [], []
    for mask in masks:
        basis, triangle = np.linalg.qr(mask[:, None] * bends)
        ways.append(np.asarray(basis, np.float64))
        sizes.append(np.abs(np.diag(triangle)))
    return ways, sizes


def _fields(channels: Values, ways: Sequence[Floats], outline: npt.NDArray[np.intp]) -> Values:
    """`Templates.fields` of faces (turns / 4, faces, 3, n)."""
    quarter, faces = channels.shape[:2]
    fields = np.stack([channels[turn % quarter] @ turned_on(ways[each], -(turn // quarter)).astype(np.float32)
                       for turn, each in enumerate(outline)])  # (turns, faces, 3, ways)
    return fields.transpose(0, 2, 3, 1).reshape(len(outline), 3 * ROUGH_FIELDS, faces)


def _taken(sizes: Sequence[Floats], weights: Values) -> Values:
    """The share (outlines, 3 * ways) of light that a ridge regression with its prior takes out of values with these
    weights (3,)."""
    spread = np.stack(sizes)[:, None] * (_SPREAD_VALUES[:, :ROUGH_FIELDS] * weights[:, None])  # (outlines, 3, ways)
    return np.asarray(1 / (1 + PIXEL_SD ** 2 * POINTS_PER_VOICE / np.square(spread).reshape(-1, 3 * ROUGH_FIELDS)))


def _in_rotated_basis(values: Values) -> tuple[Values, Values, Values]:
    """`Templates.whole`, `crossed` and `opposite` of values (turns / 4, faces, n, 3), scaled so that products with them
    need not be."""
    by_face = np.concatenate(values.swapaxes(0, 1))  # (faces * turns / 4, n, 3)
    whole, crossed, opposite = (np.ascontiguousarray(part.T, np.float32) for part in quartered(by_face))
    whole[:-3] /= 4
    crossed /= 4
    opposite /= 2
    return whole, crossed, opposite


def quartered(values: Values) -> tuple[Values, Values, Values]:
    """Values (m, n, 3) at the points of a `coarse_grid` in the rotated basis: (m, points * 3) sums over the four points
    of each orbit, and the centre; alternating sums; and (m, 2 * points * 3) differences of opposite points."""
    number, points = values.shape[:2]
    four = values[:, :-1].reshape(number, 4, points // 4 * 3)
    pairs, opposite = four[:, :2] + four[:, 2:], four[:, :2] - four[:, 2:]
    whole = np.concatenate([pairs[:, 0] + pairs[:, 1], values[:, -1]], axis=1)
    return whole, pairs[:, 0] - pairs[:, 1], opposite.reshape(number, -1)


def turned_on(values: npt.NDArray[Any], quarters: int) -> npt.NDArray[Any]:
    """Values (n, m) at the points of a `coarse_grid`, permuted as by a rotation by some quarter turns."""
    return np.concatenate([np.roll(values[:-1], quarters * (len(values) // 4), axis=0), values[-1:]])
