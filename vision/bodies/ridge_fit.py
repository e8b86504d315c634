"""The fine fit of a crate: the ridge of its rim is measured along normals of its sides, and the pose fitted to that.

An active contour of one rigid shape (A. Blake and M. Isard, "Active Contours", 1998): profiles along the normals and a
robust least squares step for shift and turn, iterated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.table import Body
from companion.table.crate import WALL_MM
from vision.bodies.rim_templates import SIDE_SAMPLES, RimMap
from vision.imaging.arrays import Floats, Values
from vision.imaging.camera import spin
from vision.imaging.least_squares import Reals, RobustFit, huber, reweighted
from vision.imaging.pose import Pose

RIDGE_REACH_MM, RIDGE_STEP_MM, SEGMENTS = 1.6, 0.125, 4
"""The search range along a normal to each side, the step of the profile, and the number of segments of each side."""

RIDGE_ROUNDS = 4

STRAY_MM, STEP_ROUNDS = 0.15, 5
"""Scale of the Huber weights of residuals, and the rounds of IRLS."""

DISTANCE_WEIGHT = 0.15
"""The penalty of a ridge at the end of the search range: a neighbour's rim is farther."""

MIN_CLEAR = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """The sides of a crate, in segments: `profiles` (4 * SEGMENTS, n, steps, 2), points in mm across the middle of the
    wall; and `moves` (4 * SEGMENTS, 3), the derivatives of each segment's outward displacement by a shift along x,
    along y (mm) and a turn (degrees)."""

    profiles: Floats
    moves: Floats


def fit_ridges(rims: RimMap, body: Body, pose: Pose, reach_mm: float = RIDGE_REACH_MM) -> tuple[Pose, float]:
    """The pose whose four sides fit the ridges within reach, and the mean residual in mm."""
    sides = _sides(float(body.size_mm[0]), float(body.size_mm[1]), reach_mm)
    residual = 0.0
    for _ in range(RIDGE_ROUNDS):
        seen = rims.at(sides.profiles.reshape(-1, sides.profiles.shape[-2], 2), pose)
        off_mm, clear = _ridges(np.median(seen.reshape(sides.profiles.shape[:-1]), axis=1), reach_mm)
        fit = _rigid_step(sides.moves, off_mm, clear)
        residual = float((fit.residuals * fit.weights).sum() / max(fit.weights.sum(), 1e-9))
        shift = spin(pose.turn_deg) @ fit.solution[:2]
        pose = Pose((pose.at_mm[0] + float(shift[0]), pose.at_mm[1] + float(shift[1])),
                    pose.turn_deg + float(fit.solution[2]))
    return pose, residual


def _rigid_step(moves: Floats, off_mm: Floats, clear: Floats) -> RobustFit:
    """Shift (mm) and turn (degrees) that bring segments onto their ridges, which are displaced by `off_mm` (n,) and
    have the contrast `clear` (n,): IRLS with Huber weights."""
    def solve(weights: Reals) -> Reals:
        weighted = moves * np.square(weights)[:, None]
        return np.linalg.lstsq(weighted.T @ moves, weighted.T @ off_mm, rcond=None)[0]  # a dark map has no ridges

    return reweighted(solve, lambda moved: np.abs(moves @ moved - off_mm),
                      lambda miss: huber(miss, STRAY_MM, clear), clear, STEP_ROUNDS)


@cache
def _sides(x_mm: float, y_mm: float, reach_mm: float) -> _Sides:
    """The sides of a crate of this width and depth (mm), on the middle of the wall."""
    x, y = (x_mm - WALL_MM) / 2, (y_mm - WALL_MM) / 2
    ways = np.linspace(-0.88, 0.88, SIDE_SAMPLES).reshape(SEGMENTS, -1)
    parts, outwards = [], []
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for part in ways:
            parts.append([(right * x + abs(up) * way * x, up * y + abs(right) * way * y) for way in part])
            outwards.append([(right, up)] * len(part))
    points, normals = np.array(parts, np.float64), np.array(outwards, np.float64)
    middle, normal = points.mean(axis=1), normals[:, 0]
    turned = np.radians(1) * (middle[:, 0] * normal[:, 1] - middle[:, 1] * normal[:, 0])
    profiles = points[..., None, :] + _steps(reach_mm)[:, None] * normals[..., None, :]
    return _Sides(profiles, np.column_stack([normal, turned]))


def _ridges(profiles: Values, reach_mm: float) -> tuple[Floats, Floats]:
    """The position (n,) in mm of the ridge along each profile (n, steps), and its contrast (n,): the maximum of a
    moving average over the wall's thickness, interpolated by a parabola."""
    steps = _steps(reach_mm)
    filtered = profiles @ _means(len(steps), round(WALL_MM / (steps[1] - steps[0])))
    filtered -= DISTANCE_WEIGHT * np.abs(steps) / reach_mm
    top = filtered.argmax(axis=1).clip(1, len(steps) - 2)
    rows = np.arange(len(profiles))
    before, here, after = (filtered[rows, top + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * here + after, -1e-6)
    off = steps[top] + (steps[1] - steps[0]) * ((before - after) / (2 * bend)).clip(-1, 1)
    clear = (here - profiles.mean(axis=1)).clip(MIN_CLEAR, None)
    return off, np.where((top > 1) & (top < len(steps) - 2), clear, MIN_CLEAR)


@cache
def _steps(reach_mm: float) -> Floats:
    """The steps (steps,) of a profile, in mm."""
    return np.arange(-reach_mm, reach_mm + 0.01, RIDGE_STEP_MM)


@cache
def _means(count: int, width: int) -> Floats:
    """The matrix (count, count) of a moving average of this width."""
    return np.array([np.convolve(each, np.full(width, 1 / width), mode="same") for each in np.eye(count)])
