"""The coarse search for crates: a map of likeness to a rim is matched with templates of rims.

Template matching by correlation: a template sums to 1 on the rims and to -1 beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from companion.table import Body
from companion.table.crate import CRATE_MM, SLOTS, WALL_MM
from vision.bodies.orthopatch import Orthopatch
from vision.imaging.arrays import Floats, Values
from vision.imaging.camera import spin
from vision.imaging.pose import Pose

BLOCK_SHIFT_MM, BLOCK_TURNS_DEG = 16, np.arange(-8.0, 8.1, 2.0)
"""The range of shifts (mm) and turns about its expected pose in which a block of crates is searched for."""

RIM_INSIDE_MM, BESIDE_RIM_MM, CLOSE_MM = (WALL_MM / 2,), (-2.5, 3.5), (-0.5, 3.0)
"""Lines, in mm inwards from a crate's outline: on the rim; beside it, at the uncertainty of a block; and close to
it."""

RIM_WIDE_MM = 6.0
"""Two rims side by side, with the gap between them, are thinner than this; the lid of a can is thicker."""

SIDE_SAMPLES = 40
"""Points that are sampled along each side."""


@dataclass(frozen=True, slots=True, eq=False)
class RimMap:
    """Values (h, w) or (h, w, channels) over a rectified patch: mostly likeness to a rim, 1 where a pixel looks like
    one, towards 0 where it does not."""

    values: Values
    patch: Orthopatch

    def at(self, points: Floats, pose: Pose) -> Values:
        """The values (...) or (..., channels) at points (..., 2) in the frame of a crate at a pose."""
        px = self.patch.to_px(pose.to_table(points)).astype(np.float32)
        return np.asarray(cv2.remap(self.values, px[..., 0], px[..., 1], cv2.INTER_LINEAR), np.float32).squeeze()

    def thin(self) -> RimMap:
        """What is thin in the map, as a rim is and a lid is not: its white top-hat."""
        across = 2 * round(RIM_WIDE_MM * self.patch.px_per_mm / 2) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
        return RimMap(np.asarray(cv2.morphologyEx(self.values, cv2.MORPH_TOPHAT, disc), np.float32), self.patch)

    def halved(self) -> RimMap:
        """The map at half the scale."""
        small = cv2.resize(self.values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        half_px = 0.5 / self.patch.px_per_mm
        patch = replace(self.patch, left_mm=self.patch.left_mm + half_px, top_mm=self.patch.top_mm - half_px,
                        px_per_mm=self.patch.px_per_mm / 2)
        return RimMap(np.asarray(small, np.float32), patch)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Weights (h, w) over a part of a patch whose first pixel is at `left`, `top`."""

    weights: Values
    left: int
    top: int


def outlines(size_mm: Sequence[float], inside_mm: Sequence[float]) -> Floats:
    """Points (n, 2) in mm on a crate's outline, offset inwards by each of some distances."""
    return np.concatenate([_outline(float(size_mm[0]), float(size_mm[1]), inside) for inside in inside_mm])


@cache
def _outline(x_mm: float, y_mm: float, inside_mm: float) -> Floats:
    x, y = x_mm / 2 - inside_mm, y_mm / 2 - inside_mm
    ways = np.linspace(-0.9, 0.9, SIDE_SAMPLES)
    return np.concatenate([np.column_stack([np.full_like(ways, side * x), ways * y]) for side in (-1, 1)]
                          + [np.column_stack([ways * x, np.full_like(ways, side * y)]) for side in (-1, 1)])


@cache
def dividers(aside_mm: tuple[float, ...]) -> Floats:
    """Points (n, 2) in mm along the walls between a crate's slots, beside their middle by each of some distances."""
    half_x, half_y = ((size - WALL_MM) / 2 for size in CRATE_MM[:2])
    across, along = (np.linspace(-0.9, 0.9, SIDE_SAMPLES) * half for half in (half_x, half_y))
    lines = []
    for aside in aside_mm:
        lines += [np.column_stack([np.full_like(along, x + aside), along]) for x in _between(half_x, SLOTS[0])]
        lines += [np.column_stack([across, np.full_like(across, y + aside)]) for y in _between(half_y, SLOTS[1])]
    return np.concatenate(lines)


def _between(half_mm: float, slots: int) -> Floats:
    """Where the walls between so many slots stand."""
    return np.linspace(-half_mm, half_mm, slots + 1)[1:-1]


def rim_template(patch: Orthopatch, bodies: Sequence[Body], poses: Sequence[Pose],
                 beside_mm: tuple[float, ...] = BESIDE_RIM_MM) -> Template:
    """The template of the rims of crates at some poses on a patch: it sums to 1 on them and to -1 beside them."""
    rims, beside = (patch.to_px(np.concatenate([pose.to_table(outlines(body.size_mm, inside))
                                                for body, pose in zip(bodies, poses)]))
                    for inside in (RIM_INSIDE_MM, beside_mm))
    left, top = np.floor(np.concatenate([rims, beside]).min(axis=0)).astype(int)
    right, bottom = np.ceil(np.concatenate([rims, beside]).max(axis=0)).astype(int) + 1
    weights = np.zeros((bottom - top, right - left), np.float32)
    for points, sign in ((rims, 1.0), (beside, -1.0)):
        column, row = (np.rint(points).astype(int) - (left, top)).T
        np.add.at(weights, (row, column), np.float32(sign / len(points)))
    return Template(weights, int(left), int(top))


def find_block(rims: RimMap, expected: Sequence[Body]) -> list[Pose]:
    """The poses of all crates, shifted and turned as one block to the maximum of the correlation; 1 px is 1 mm."""
    smooth = cv2.GaussianBlur(rims.values, (3, 3), 0)
    middle = np.mean([body.at_mm for body in expected], axis=0)
    best: tuple[float, list[Pose]] = (-1.0, [])
    for turn in BLOCK_TURNS_DEG:
        at = [middle + spin(turn) @ np.subtract(body.at_mm, middle) for body in expected]
        poses = [Pose((float(x), float(y)), float(body.turn_deg + turn)) for body, (x, y) in zip(expected, at)]
        template = rim_template(rims.patch, expected, poses)
        first_row, first_column = max(template.top - BLOCK_SHIFT_MM, 0), max(template.left - BLOCK_SHIFT_MM, 0)
        scores = cv2.matchTemplate(smooth, template.weights, cv2.TM_CCORR)
        scores = scores[first_row:template.top + BLOCK_SHIFT_MM + 1, first_column:template.left + BLOCK_SHIFT_MM + 1]
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[0]:
            dx, dy = column + first_column - template.left, template.top - first_row - row
            best = (score, [Pose((pose.at_mm[0] + dx, pose.at_mm[1] + dy), pose.turn_deg) for pose in poses])
    return best[1]


def crate_scores(rims: RimMap, size_mm: Sequence[float], turn_deg: float) -> Values:
    """The score (h, w) of each pixel of a map, 1 px to a mm, as the centre of a crate with this turn: the mean likeness
    on its rims less that beside them."""
    values, patch = rims.values, rims.patch
    rows, columns = values.shape
    middle = (patch.left_mm + columns / 2 / patch.px_per_mm, patch.top_mm - rows / 2 / patch.px_per_mm)
    body = Body("", "", middle, (float(size_mm[0]), float(size_mm[1]), CRATE_MM[2]), turn_deg)
    template = rim_template(patch, [body], [Pose(middle, turn_deg)])
    scores = cv2.matchTemplate(cv2.GaussianBlur(values, (3, 3), 0), template.weights, cv2.TM_CCORR)
    column, row = np.rint(patch.to_px(np.array(middle))).astype(int) - (template.left, template.top)
    there = np.zeros_like(values)
    there[row:row + scores.shape[0], column:column + scores.shape[1]] = scores
    return there
