"""Crates sought by their rims: what looks like a rim is held against templates of rims, coarse to fine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from companion.table.crate import CRATE_MM, WALL_MM
from vision.bodies.orthopatch import Patch
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin

BLOCK_SHIFT_MM, BLOCK_TURNS_DEG = 16, np.arange(-8.0, 8.1, 2.0)
RIM_INSIDE_MM, BESIDE_MM, CLOSE_MM = (WALL_MM / 2,), (-2.5, 3.5), (-0.5, 3.0)
"""Lines, in mm inwards from a crate's outline: on the rim, beside it as far as a block is unsure, and close by."""

OVERLAP_MM = 1.0
"""By so much crates that stand side by side may seem to stand in each other, for a search is good to half a millimetre.
"""

RIDGE_SAMPLES = 40
"""So many points are looked at along each side."""

Likeness = npt.NDArray[np.float32]
"""(h, w): 1 where a pixel looks like the rim, towards 0 where it does not."""

Map = tuple[npt.NDArray[np.float32], Patch]
"""Values (h, w) or (h, w, channels) over a rectified patch, and the patch."""

Pose = tuple[float, float, float]
"""x, y in mm and turn in degrees."""

Reach = tuple[float, npt.NDArray[np.float64]]
"""How far, in mm, and in which turns, in degrees, a crate is looked for."""


def values_at(map_: Map, points: Floats, pose: Pose) -> npt.NDArray[np.float32]:
    """The map's values (n,) or (n, channels) at points (..., 2) of a crate at a pose."""
    values, patch = map_
    at = patch.to_px(points @ spin(pose[2]).T + pose[:2]).astype(np.float32)
    return np.asarray(cv2.remap(values, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32).squeeze()


def outlines(size_mm: Sequence[float], inside_mm: Sequence[float]) -> Floats:
    """Points (n, 2) on a crate's outline, moved inwards by each of some distances."""
    return np.concatenate([_outline(float(size_mm[0]), float(size_mm[1]), inside) for inside in inside_mm])


@cache
def _outline(x_mm: float, y_mm: float, inside_mm: float) -> Floats:
    x, y = x_mm / 2 - inside_mm, y_mm / 2 - inside_mm
    ways = np.linspace(-0.9, 0.9, RIDGE_SAMPLES)
    return np.concatenate([np.column_stack([np.full_like(ways, side * x), ways * y]) for side in (-1, 1)]
                          + [np.column_stack([ways * x, np.full_like(ways, side * y)]) for side in (-1, 1)])


def find_block(map_: Map, expected: Sequence[Body]) -> list[Pose]:
    """The poses of all crates, moved and turned as one block to where it looks most like rims."""
    likeness, patch = map_
    smooth = cv2.GaussianBlur(likeness, (3, 3), 0)
    middle = np.mean([body.at_mm for body in expected], axis=0)
    best: tuple[float, list[Pose]] = (-1.0, [])
    for turn in BLOCK_TURNS_DEG:
        at = [middle + spin(turn) @ np.subtract(body.at_mm, middle) for body in expected]
        poses = [(float(x), float(y), float(body.turn_deg + turn)) for body, (x, y) in zip(expected, at)]
        template, left, top = _template(patch, expected, poses)
        scores = cv2.matchTemplate(smooth, template, cv2.TM_CCORR)
        reach = BLOCK_SHIFT_MM
        scores = scores[max(top - reach, 0):top + reach + 1, max(left - reach, 0):left + reach + 1]
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[0]:
            dx, dy = column - min(reach, left), min(reach, top) - row
            best = (score, [(x + dx, y + dy, way) for x, y, way in poses])
    return best[1]


def _template(patch: Patch, bodies: Sequence[Body], poses: Sequence[Pose],
              beside_mm: tuple[float, ...] = BESIDE_MM) -> tuple[Likeness, int, int]:
    """Rims as they would lie on the coarse patch, 1 in sum, and -1 in sum beside them; and where it lies (px)."""
    rims, beside = (patch.to_px(np.concatenate([
        outlines(body.size_mm, inside) @ spin(pose[2]).T + pose[:2] for body, pose in zip(bodies, poses)]))
        for inside in (RIM_INSIDE_MM, beside_mm))
    left, top = np.floor(np.concatenate([rims, beside]).min(axis=0)).astype(int)
    right, bottom = np.ceil(np.concatenate([rims, beside]).max(axis=0)).astype(int) + 1
    template = np.zeros((bottom - top, right - left), np.float32)
    for points, sign in ((rims, 1.0), (beside, -1.0)):
        column, row = (np.rint(points).astype(int) - (left, top)).T
        np.add.at(template, (row, column), np.float32(sign / len(points)))
    return template, int(left), int(top)


def halved(map_: Map) -> Map:
    """The map at half its scale."""
    values, patch = map_
    small = cv2.resize(values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    half_px = 0.5 / patch.px_per_mm
    return np.asarray(small, np.float32), replace(patch, left_mm=patch.left_mm + half_px, top_mm=patch.top_mm - half_px,
                                                  px_per_mm=patch.px_per_mm / 2)


def search(map_: Map, near: Sequence[Body], reach: Reach, beside: Sequence[Pose] = ()) -> list[Pose]:
    """The best poses of crates in reach of where they are expected. None stands in those `beside` nor in another: where
    two would, for one wall looks like the next, that one gives way which then looks less worse."""
    away = [list(beside) for _ in near]
    found = [_search_near(map_, body, reach, others) for body, others in zip(near, away)]
    for _ in near:
        pair = next(((one, other) for one, other in combinations(range(len(near)), 2)
                     if _overlap(near[one], found[one][1], found[other][1])), None)
        if pair is None:
            break
        ways = []
        for stays, moves in (pair, pair[::-1]):
            elsewhere = _search_near(map_, near[moves], reach, [*away[moves], found[stays][1]])
            ways.append((found[moves][0] - elsewhere[0], moves, stays, elsewhere))
        _, moves, stays, elsewhere = min(ways)
        away[moves].append(found[stays][1])
        found[moves] = elsewhere
    return [pose for _, pose in found]


def _search_near(map_: Map, body: Body, reach: Reach, away: Sequence[Pose]) -> tuple[float, Pose]:
    """How much a crate looks as if it stood at the best pose in reach, and that pose: among its neighbours it has
    little play. In one of them, at the poses `away`, it cannot stand."""
    likeness, patch = map_
    reach_px = round(reach[0] * patch.px_per_mm)
    best = (-1.0, (*body.at_mm, body.turn_deg))
    for turn in reach[1]:
        turned = (*body.at_mm, body.turn_deg + float(turn))
        template, left, top = _template(patch, [body], [turned], CLOSE_MM)
        first_x, first_y = max(left - reach_px, 0), max(top - reach_px, 0)
        window = likeness[first_y:top + template.shape[0] + reach_px, first_x:left + template.shape[1] + reach_px]
        scores = cv2.matchTemplate(window, template, cv2.TM_CCORR)
        x = turned[0] + (np.arange(scores.shape[1]) + first_x - left) / patch.px_per_mm
        y = turned[1] + (top - np.arange(scores.shape[0]) - first_y) / patch.px_per_mm
        if away:  # nor does it stand on the slope towards where it cannot
            there = np.logical_or.reduce([_in_other(body, turned[2], x, y[:, None], other) for other in away])
            is_peak = scores >= cv2.dilate(scores, np.ones((3, 3)))
            scores = np.where(is_peak & ~there, scores, np.float32(-1))
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[0]:
            best = (score, (float(x[column]), float(y[row]), turned[2]))
    return best


def _overlap(body: Body, at: Pose, other: Pose) -> bool:
    """Whether two crates at these poses would stand in each other."""
    return bool(_in_other(body, at[2], np.array(at[0]), np.array(at[1]), other))


def _in_other(body: Body, turn_deg: float, x_mm: Floats, y_mm: Floats, other: Pose) -> npt.NDArray[np.bool_]:
    """Whether a crate that is turned so and stands at x and y would stand in another one beside it, of the same size
    and turned as much or by half a turn more."""
    off = other[0] - x_mm, other[1] - y_mm
    across, up = (np.abs(way[0] * off[0] + way[1] * off[1]) for way in spin(-turn_deg))
    return np.asarray((across < body.size_mm[0] - OVERLAP_MM) & (up < body.size_mm[1] - OVERLAP_MM), np.bool_)


def crate_at(map_: Map, size_mm: Sequence[float], turn_deg: float) -> Likeness:
    """How much each pixel (h, w) of a map, 1 px to a mm, looks like the centre of a crate turned so: likeness of its
    rims less that beside them."""
    likeness, patch = map_
    middle = (patch.left_mm + likeness.shape[1] / 2 / patch.px_per_mm,
              patch.top_mm - likeness.shape[0] / 2 / patch.px_per_mm)
    body = Body("", "", middle, (float(size_mm[0]), float(size_mm[1]), CRATE_MM[2]), turn_deg)
    template, left, top = _template(patch, [body], [(*middle, turn_deg)])
    scores = cv2.matchTemplate(cv2.GaussianBlur(likeness, (3, 3), 0), template, cv2.TM_CCORR)
    column, row = np.rint(patch.to_px(np.array(middle))).astype(int) - (left, top)
    there = np.zeros_like(likeness)
    there[row:row + scores.shape[0], column:column + scores.shape[1]] = scores
    return there
