"""The crates: found as a block near where they are expected, then each fitted with its own place and turn.

What is looked for is the rim: a bright frame, 1.5 mm wide, 12 mm above the table, whose colour is learned at
enrolment. The picture is rectified at the rim's height and turned into likeness to the rim. The block is found by
templates, coarse to fine; then each side is measured where its ridge is brightest. What the ridge's shading adds (an
outer wall in the light, an inner one in shadow) is the same for all crates and is learned at enrolment too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from companion.errors import SightError, phrase
from companion.table import Body, Place, Point, Spot
from companion.table.crate import RIM_MM, WALL_MM
from vision.bodies.orthopatch import Patch, rectify
from vision.bodies.rim_templates import (
    BESIDE_MM,
    BLOCK_SHIFT_MM,
    RIDGE_SAMPLES,
    RIM_INSIDE_MM,
    Map,
    Pose,
    Reach,
    find_block,
    halved,
    outlines,
    search,
    values_at,
)
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import Image
from vision.imaging.least_squares import Reals, RobustFit, huber, reweighted
from vision.photometry.white_reference import White, to_lab

COARSE_PX_PER_MM, FINE_PX_PER_MM, QUICK_PX_PER_MM = 1.0, 4.0, 2.5
NARROW: Reach = (2.5, np.arange(-3.0, 3.1, 1.0))
WIDE: Reach = (7.0, np.arange(-9.0, 9.1, 1.5))
RIDGE_REACH_MM, SEGMENTS = 1.6, 4
STRAY_MM, STEP_ROUNDS = 0.15, 5
"""A side that is farther than this off the fit of all sides counts less, found in some rounds."""

BEYOND_MM = 33.0
"""From the centre of a crate to the edge of what is rectified: half its diagonal and some more."""

FOUND = 0.45
"""A block counts as found when its rims look at least so much like a rim; drinks may hide a part of them."""


@dataclass(frozen=True, slots=True)
class CrateLook:
    """How crates look under this light: the rim's L*a*b*, how far its surroundings are from it, and by how much its
    brightest line is off the middle of the wall, in mm along x and y of the table."""

    rim_lab: tuple[float, float, float]
    contrast: float
    bias_mm: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FittedBody:
    """Where a body stands in the table frame. `residual_px`: how far its sides are, on average, off the fit;
    `likeness`: how much they look as enrolled, 0 to 1."""

    spot: Spot
    at_mm: Point
    turn_deg: float
    residual_px: float
    likeness: float


@dataclass(frozen=True, slots=True, eq=False)
class CratePicture:
    """A picture with crates, as needed to learn how they look."""

    image: Image
    view: View
    white: White
    crates: tuple[Body, ...]
    """Where they stand, in the table frame."""


def learn_crates(pictures: Iterable[CratePicture]) -> CrateLook | None:
    """The look of crates from pictures in which their places are known; None without any crate."""
    pictures = [picture for picture in pictures if picture.crates]
    if not pictures:
        return None
    rim, around = [], []
    for picture in pictures:
        for crate in picture.crates:
            lab = _lab_at(picture, [crate])
            size = crate.size_mm[:2]
            pose = (*crate.at_mm, crate.turn_deg)
            rim.append(values_at(lab, outlines(size, RIM_INSIDE_MM), pose))
            around.append(values_at(lab, outlines(size, BESIDE_MM), pose))
    middle = np.median(np.concatenate(rim), axis=0)
    far = np.linalg.norm(np.concatenate(around) - middle, axis=1)
    look = CrateLook((float(middle[0]), float(middle[1]), float(middle[2])), max(float(np.median(far)), 3.0))
    off = [np.subtract(fitted.at_mm, crate.at_mm) for picture in pictures for crate in picture.crates
           for fitted in _refit(picture.image, picture.view, picture.white, look, [crate])]
    bias = np.median(off, axis=0)
    return CrateLook(look.rim_lab, look.contrast, (float(bias[0]), float(bias[1])))


def fit_crates(image: Image, view: View, white: White, look: CrateLook, expected: Sequence[Body]
               ) -> tuple[FittedBody, ...]:
    """Where the crates stand that are expected (in the table frame) as one block within 15 mm and 8 degrees.

    Raises `SightError` when no such block is there.
    """
    map_ = _likeness(rectify(image, view, [body.at_mm for body in expected], RIM_MM, COARSE_PX_PER_MM,
                             margin_mm=BLOCK_SHIFT_MM + BEYOND_MM), white, look)
    poses = find_block(map_, expected)
    near = [_moved(body, pose) for body, pose in zip(expected, poses)]
    fitted = _refit(image, view, white, look, near, NARROW)
    if np.median([body.likeness for body in fitted]) < FOUND:
        raise SightError(phrase("eyes.no_crates"))
    return fitted


def refit_crates(image: Image, view: View, white: White, look: CrateLook, expected: Sequence[Body],
                 before: Sequence[FittedBody]) -> tuple[FittedBody, ...]:
    """Where crates stand that have moved by less than a wall since an earlier fit."""
    poses = {body.spot: body for body in before}
    near = [_moved(body, (*poses[body.spot].at_mm, poses[body.spot].turn_deg)) for body in expected]
    return _refit(image, view, white, look, near)


def fit_each(image: Image, view: View, white: White, look: CrateLook, near: Sequence[Body],
             beside: Iterable[FittedBody] = (), wide: bool = False) -> tuple[FittedBody, ...]:
    """The best fits of crates near where they might stand (in the table frame), none in another or in those that stand
    `beside` them: 2.5 mm to each side, or 7 mm when `wide`. Their likeness tells whether one stands there."""
    return _refit(image, view, white, look, near, WIDE if wide else NARROW, beside)


def rims(image: Image, view: View, white: White, look: CrateLook, around_mm: Sequence[Point], margin_mm: float) -> Map:
    """How much each millimetre around some points looks like a rim, and beside it not, were a crate's rim there."""
    return _likeness(rectify(image, view, around_mm, RIM_MM, COARSE_PX_PER_MM, margin_mm + BEYOND_MM), white, look)


def places_on(bodies: Sequence[Body], fitted: Sequence[Body | FittedBody], places: Iterable[Place]
              ) -> dict[Spot, Point]:
    """Centres in the table frame (mm) of all places that lie on bodies of a layout, by where the bodies stand."""
    layout = {body.spot: body for body in bodies}
    stands = {body.spot: body for body in fitted}
    centres: dict[Spot, Point] = {}
    for place in places:
        if place.on is None or place.on not in stands:
            continue
        drawn, real = layout[place.on], stands[place.on]
        off = spin(real.turn_deg - drawn.turn_deg) @ np.subtract(place.at_mm, drawn.at_mm)
        centres[place.spot] = (float(real.at_mm[0] + off[0]), float(real.at_mm[1] + off[1]))
    return centres


# ---------------------------------------------------------------- likeness to the rim


def _likeness(patch: Patch, white: White, look: CrateLook) -> Map:
    lab = to_lab(patch.normalise(white))
    off = (lab - np.array(look.rim_lab, np.float32)) / np.float32(look.contrast / 2)
    return np.asarray(1 / (1 + np.einsum("ijk,ijk->ij", off, off)), np.float32), patch


def _lab_at(picture: CratePicture, crates: Sequence[Body]) -> Map:
    patch = rectify(picture.image, picture.view, [crate.at_mm for crate in crates], RIM_MM, FINE_PX_PER_MM, BEYOND_MM)
    return to_lab(patch.normalise(picture.white)), patch


# ---------------------------------------------------------------- each crate, finely


def _refit(image: Image, view: View, white: White, look: CrateLook, near: Sequence[Body],
           reach: Reach | None = None, beside: Iterable[FittedBody] = ()) -> tuple[FittedBody, ...]:
    density = FINE_PX_PER_MM if reach else QUICK_PX_PER_MM
    map_ = _likeness(rectify(image, view, [body.at_mm for body in near], RIM_MM, density, BEYOND_MM), white, look)
    poses: Sequence[Pose] = [(*body.at_mm, body.turn_deg) for body in near]
    if reach:
        poses = search(halved(map_), near, reach, [(*other.at_mm, other.turn_deg) for other in beside])
    fitted = []
    for body, pose in zip(near, poses):
        pose, residual_mm = _fit_ridges(map_, body, (pose[0] + look.bias_mm[0], pose[1] + look.bias_mm[1], pose[2]))
        rim = values_at(map_, outlines(body.size_mm, RIM_INSIDE_MM), pose)
        at = (pose[0] - look.bias_mm[0], pose[1] - look.bias_mm[1])
        fitted.append(FittedBody(body.spot, at, (pose[2] + 180) % 360 - 180, residual_mm * view.px_per_mm(at, RIM_MM),
                                 float(np.median(rim))))
    return tuple(fitted)


def _fit_ridges(map_: Map, body: Body, pose: Pose) -> tuple[Pose, float]:
    """The pose whose four sides lie on the brightest lines nearby, and the mean distance in mm that remains."""
    points, normals = _sides(float(body.size_mm[0]), float(body.size_mm[1]))
    steps = np.arange(-RIDGE_REACH_MM, RIDGE_REACH_MM + 0.01, 0.125)
    lines = points[..., None, :] + steps[:, None] * normals[..., None, :]
    residual = 0.0
    for _ in range(4):
        profiles = values_at(map_, lines.reshape(-1, lines.shape[-2], 2), pose).reshape(lines.shape[:-1])
        off, weight = _ridge(np.median(profiles, axis=1), steps)
        middle = points.mean(axis=1)
        normal = normals[:, 0]
        columns = np.column_stack([normal, np.radians(1) * (middle[:, 0] * normal[:, 1] - middle[:, 1] * normal[:, 0])])
        fit = _rigid_step(columns, off, weight)
        residual = float((fit.residuals * fit.weights).sum() / max(fit.weights.sum(), 1e-9))
        shift = spin(pose[2]) @ fit.solution[:2]
        pose = (pose[0] + float(shift[0]), pose[1] + float(shift[1]), pose[2] + float(fit.solution[2]))
    return pose, residual


def _rigid_step(columns: Floats, off_mm: Floats, clear: Floats) -> RobustFit:
    """Shift (mm) and turn (degrees) that bring sides onto their ridges, which are `off_mm` (n,) ahead and so `clear`
    (n,); `columns` (n, 3) say by how much each of the three moves a side outwards. Robust, with Huber's weights."""
    def solve(weights: Reals) -> Reals:
        weighted = columns * np.square(weights)[:, None]
        return np.linalg.lstsq(weighted.T @ columns, weighted.T @ off_mm, rcond=None)[0]  # a dark map has no ridges

    return reweighted(solve, lambda moved: np.abs(columns @ moved - off_mm),
                      lambda miss: huber(miss, STRAY_MM, clear), clear, STEP_ROUNDS)


@cache
def _sides(x_mm: float, y_mm: float) -> tuple[Floats, Floats]:
    """Points (4 * SEGMENTS, n, 2) on the middle of the wall, by pieces of sides, and their outward normals."""
    x, y = (x_mm - WALL_MM) / 2, (y_mm - WALL_MM) / 2
    ways = np.linspace(-0.88, 0.88, RIDGE_SAMPLES).reshape(SEGMENTS, -1)
    points, normals = [], []
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for segment in ways:
            points.append([(right * x + abs(up) * way * x, up * y + abs(right) * way * y) for way in segment])
            normals.append([(right, up)] * len(segment))
    return np.array(points, np.float64), np.array(normals, np.float64)


def _ridge(profiles: npt.NDArray[np.float32], steps: Floats) -> tuple[Floats, Floats]:
    """Where each profile (n, steps) has its ridge, as the middle of what stands out, and how clear it is."""
    filtered = profiles @ _means(len(steps), round(WALL_MM / (steps[1] - steps[0])))
    filtered -= 0.15 * np.abs(steps) / RIDGE_REACH_MM  # a neighbour's rim is farther
    top = filtered.argmax(axis=1).clip(1, len(steps) - 2)
    rows = np.arange(len(profiles))
    before, here, after = (filtered[rows, top + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * here + after, -1e-6)
    off = steps[top] + (steps[1] - steps[0]) * ((before - after) / (2 * bend)).clip(-1, 1)
    clear = (here - profiles.mean(axis=1)).clip(0.01, None)
    return off, np.where((top > 1) & (top < len(steps) - 2), clear, 0.01)


@cache
def _means(count: int, width: int) -> Floats:
    """The matrix (count, count) that turns values along a line into means over `width` of them."""
    return np.array([np.convolve(each, np.full(width, 1 / width), mode="same") for each in np.eye(count)])


def _moved(body: Body, pose: Pose) -> Body:
    return Body(body.spot, body.appearance, (pose[0], pose[1]), body.size_mm, pose[2])
