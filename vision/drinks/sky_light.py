"""The light over a zone of the table, as a sky of distant lamps, and what of it things keep away from the table.

Light adds up: a point of the table gets the light of all directions that nothing occludes. So how bright it is, beside
what it is bare, is linear in the light of the directions, and these are solved for from the shadows of things whose
poses are known: inverse lighting from cast shadows (I. Sato, Y. Sato, K. Ikeuchi, IEEE PAMI 25, 2003). A lamp that is
near has another direction at the other end of the table, so each zone has a sky of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats, Indices, Mask, Values

AZIMUTHS = 24
ELEVATIONS_DEG = (11.0, 16.0, 22.0, 28.0, 35.0, 43.0, 52.0, 62.0, 73.0, 84.0)
"""The directions of the sky: its patches are larger where a shadow's end depends less on them."""

CYLINDER_RADII = (1.0, 0.75, 0.5)
"""A drink occludes light as cylinders do, each as high as the drink is at least this share of its radius wide."""

EDGE_MM, SPREAD = 0.5, 0.13
"""Half the width over which the edge of a shadow is blended, at the drink, and for each mm from it: a direction stands
for a patch of the sky."""

ROUNDING_MM = 1e-3
"""Room for the numerical error of distances."""

FARTHEST_MM = 80.0
"""No shadow is followed farther from its drink."""

TOTAL_WEIGHT, RIDGE_WEIGHT = 30.0, 0.5
"""How firmly the light of all directions adds up to 1, and is drawn towards none, in rows of the equations."""

STRIP_POINTS = 256
"""Points of the table whose equations are summed at a time."""

ROUNDS, NEGLIGIBLE_PULL = 3, 1e-6
"""Rounds of reweighting; and the share of the greatest right-hand side below which more of a direction is no gain."""

MIN_SD = 0.02
"""The least standard deviation of the light in a pixel, as a share: noise and the grain of the table."""


@lru_cache(maxsize=1)
def sky() -> tuple[Values, Values]:
    """The directions from which light comes: (k, 2) on the table, and the cotangent (k,) of the elevation, which is the
    length of a shadow by the height of a thing."""
    turns = np.arange(AZIMUTHS) * 2 * np.pi / AZIMUTHS
    flat = np.tile(np.column_stack([np.cos(turns), np.sin(turns)]), (len(ELEVATIONS_DEG), 1))
    steep = np.repeat(1 / np.tan(np.radians(ELEVATIONS_DEG)), AZIMUTHS)
    return np.asarray(flat, np.float32), np.asarray(steep, np.float32)


@lru_cache(maxsize=32)
def cylinders(solid: Solid) -> tuple[tuple[float, float], ...]:
    """Height and radius in mm of cylinders that occlude light about as a solid does."""
    radii = np.sqrt((solid.outlines_mm ** 2).sum(axis=2)).mean(axis=1)
    heights = np.unique(solid.heights_mm)
    outer = np.array([radii[solid.heights_mm == height].max() for height in heights])
    wide = [outer >= share * outer.max() - 1e-6 for share in CYLINDER_RADII]
    return tuple((float(heights[each].max()), float(outer[each].min())) for each in wide)


def occluded(points_mm: Floats, foot_mm: Floats, solid: Solid, lit: Indices) -> Values:
    """The share (n, k) of the light of some directions (k,) that a solid with this foot (2,) keeps away from points
    (n, 2) of the table."""
    flat, steep = (each[lit] for each in sky())
    near, behind, aside = _beyond(points_mm, foot_mm, flat)
    at, way = _reached(behind, aside, solid)
    whole = np.zeros((len(points_mm), len(steep)), np.float32)
    whole[near[at], way] = _shade(behind[at, way], aside[at, way], steep[way], solid)
    return whole


def all_occluded(points_mm: Floats, standing: Iterable[tuple[Floats, Solid]]) -> Values:
    """The share (n, k) of the light of all directions that any of some solids with their feet keep away from points.
    What is not behind a solid by the azimuth is in its shadow at no elevation."""
    flat, steep = sky()[0][:AZIMUTHS], sky()[1][::AZIMUTHS]
    whole = np.zeros((len(points_mm) * AZIMUTHS, len(steep)), np.float32)
    for foot_mm, solid in standing:
        near, behind, aside = _beyond(points_mm, foot_mm, flat)
        at, azimuth = _reached(behind, aside, solid)
        shade = _shade(behind[at, azimuth, None], aside[at, azimuth, None], steep, solid)
        rows = near[at] * AZIMUTHS + azimuth
        whole[rows] = np.maximum(whole[rows], shade)
    return whole.reshape(len(points_mm), AZIMUTHS, -1).swapaxes(1, 2).reshape(len(points_mm), -1)


def _beyond(points_mm: Floats, foot_mm: Floats, flat: Values) -> tuple[Indices, Values, Values]:
    """The points (m,) near a foot, and how far (m, k) they lie behind it and aside, seen from directions (k, 2)."""
    from_foot = np.asarray(points_mm - foot_mm, np.float32)
    near = np.flatnonzero(np.hypot(from_foot[:, 0], from_foot[:, 1]) < FARTHEST_MM)
    return near, -from_foot[near] @ flat.T, from_foot[near] @ np.stack([-flat[:, 1], flat[:, 0]])


def _edge(behind: Values) -> Values:
    """The width of the edge of a shadow so far (...) behind its drink."""
    return np.asarray(2 * (EDGE_MM + SPREAD * np.maximum(behind, 0)), np.float32)


def _reached(behind: Values, aside: Values, solid: Solid) -> tuple[Indices, Indices]:
    """The points so far behind a solid and aside (m, k) that its shadow reaches at some elevation, and from which of
    the k directions: the others get all of the light."""
    reach = max(radius for _, radius in cylinders(solid)) + _edge(behind) / 2 + np.float32(ROUNDING_MM)
    at, way = np.nonzero((behind > -reach) & (np.abs(aside) < reach))
    return at, way


def _shade(behind: Values, aside: Values, steep: Values, solid: Solid) -> Values:
    """The share (...) of the light that a solid keeps away from points so far behind it and aside, by the cotangent of
    the elevation: arrays that are broadcast."""
    ahead, squares = np.maximum(behind, 0), aside * aside
    gap = np.full(np.broadcast_shapes(behind.shape, steep.shape), np.inf, np.float32)
    for height, radius in cylinders(solid):
        off = behind - np.minimum(ahead, height * steep)
        off *= off
        off += squares
        np.minimum(gap, np.sqrt(off, out=off) - radius, out=gap)
    return np.asarray(np.clip(0.5 - gap / _edge(behind), 0, 1), np.float32)


def fit_sky(light: Values, occlusion: Values) -> tuple[Values, float]:
    """The light (k,) of all directions that explains the `light` (n,) of points of the table, as shares of that of the
    bare table, with the `occlusion` (n, k) of the directions there; and the standard deviation of what is left.
    Non-negative least squares by active sets, IRLS with Cauchy weights."""
    seen = 1 - occlusion
    del occlusion
    found = np.zeros(seen.shape[1])
    trust, sd = np.ones(len(light), np.float32), MIN_SD
    for _ in range(ROUNDS):
        gram, right = _normal(seen, light, trust)
        found = non_negative(gram, right, found)
        off = light - seen @ found.astype(np.float32)  # else all that is seen would be copied, twice as large
        sd = max(1.48 * float(np.median(np.abs(off))), MIN_SD)
        trust = np.asarray(1 / (1 + (off / (2 * sd)) ** 2), np.float32)
    return np.asarray(found, np.float32), sd


def _normal(seen: Values, light: Values, trust: Values) -> tuple[Floats, Floats]:
    """The normal equations (k, k) and (k,) of light that is seen (n, k) at points that are trusted so much (n,); strip
    by strip, as all of them weighted take megabytes."""
    gram = TOTAL_WEIGHT ** 2 + RIDGE_WEIGHT ** 2 * np.eye(seen.shape[1])
    right = np.full(seen.shape[1], TOTAL_WEIGHT ** 2)
    for first in range(0, len(seen), STRIP_POINTS):
        rows = slice(first, first + STRIP_POINTS)
        weighted = (seen[rows] * trust[rows, None]).T
        gram += weighted @ seen[rows]
        right += weighted @ light[rows]
    return gram, right


def non_negative(gram: Floats, right: Floats, start: Floats) -> Floats:
    """The solution (k,) of the normal equations without negative numbers: Lawson and Hanson's active sets, begun with
    those of `start` (R. Bro, S. de Jong, J. Chemometrics 11, 1997)."""
    found, free = start, start > 0
    for _ in range(2 * len(right)):
        found, free = _feasible(gram, right, found, free)
        pull = np.where(free, 0.0, right - gram @ found)
        strongest = int(pull.argmax())
        if pull[strongest] <= NEGLIGIBLE_PULL * np.abs(right).max():
            break
        free[strongest] = True
    return found


def _feasible(gram: Floats, right: Floats, found: Floats, free: Mask) -> tuple[Floats, Mask]:
    """The solution in which only what is `free` (k,) is not 0, and what is free without negative numbers."""
    while free.any():
        solved = np.zeros_like(found)
        solved[free] = np.linalg.solve(gram[np.ix_(free, free)], right[free])
        below = free & (solved <= 0)
        if not below.any():
            return solved, free
        step = (found[below] / (found[below] - solved[below])).min()
        found = np.maximum(found + step * (solved - found), 0)
        free = free & ~(below & (found <= found[below].min()))
    return np.zeros_like(found), free
