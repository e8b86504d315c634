"""Crates searched for one by one, each near its expected pose, so that none overlaps another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.table import Body
from vision.bodies.rim_templates import CLOSE_MM, RimMap, rim_template
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.camera import spin
from vision.imaging.pose import Pose, pose_of

OVERLAP_MM = 1.0
"""The overlap that is tolerated: a search is good to half a millimetre."""


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The range of the search for a crate: to each side, in mm, and the turns (n,), in degrees."""

    shift_mm: float
    turns_deg: Floats


NARROW = Reach(2.5, np.arange(-3.0, 3.1, 1.0))
WIDE = Reach(7.0, np.arange(-9.0, 9.1, 1.5))


@dataclass(frozen=True, slots=True)
class _GivesWay:
    """Of two crates that overlap one `moves`: the `loss` of its score, the `score` that is left, and its new pose."""

    loss: float
    moves: int
    stays: int
    score: float
    pose: Pose


def match_crates(rims: RimMap, near: Sequence[Body], reach: Reach, beside: Sequence[Pose] = ()) -> list[Pose]:
    """The best poses of crates within reach of their expected poses. None overlaps those `beside` nor another: where
    two would, for one wall looks like the next, the one that loses less of its score gives way."""
    away = [list(beside) for _ in near]
    found = [_best_pose(rims, body, reach, others) for body, others in zip(near, away)]
    for _ in near:
        pair = next(((one, other) for one, other in combinations(range(len(near)), 2)
                     if _overlap(near[one], found[one][1], found[other][1])), None)
        if pair is None:
            break
        ways = []
        for stays, moves in (pair, pair[::-1]):
            score, pose = _best_pose(rims, near[moves], reach, [*away[moves], found[stays][1]])
            ways.append(_GivesWay(found[moves][0] - score, moves, stays, score, pose))
        best = min(ways, key=lambda way: (way.loss, way.moves))
        away[best.moves].append(found[best.stays][1])
        found[best.moves] = best.score, best.pose
    return [pose for _, pose in found]


def _best_pose(rims: RimMap, body: Body, reach: Reach, away: Sequence[Pose]) -> tuple[float, Pose]:
    """The best score of a crate within reach, and its pose, which must not overlap a crate at one of the poses `away`.
    """
    patch, reach_px = rims.patch, round(reach.shift_mm * rims.patch.px_per_mm)
    best = (-1.0, pose_of(body))
    for turn in reach.turns_deg:
        turned = Pose(body.at_mm, body.turn_deg + float(turn))
        template = rim_template(patch, [body], [turned], CLOSE_MM)
        first_x, first_y = max(template.left - reach_px, 0), max(template.top - reach_px, 0)
        down, across = template.weights.shape
        window = rims.values[first_y:template.top + down + reach_px, first_x:template.left + across + reach_px]
        scores = np.asarray(cv2.matchTemplate(window, template.weights, cv2.TM_CCORR), np.float32)
        x = turned.at_mm[0] + (np.arange(scores.shape[1]) + first_x - template.left) / patch.px_per_mm
        y = turned.at_mm[1] + (template.top - np.arange(scores.shape[0]) - first_y) / patch.px_per_mm
        if away:
            scores = _apart(scores, [_in_other(body, turned.turn_deg, x, y[:, None], other) for other in away])
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[0]:
            best = (score, Pose((float(x[column]), float(y[row])), turned.turn_deg))
    return best


def _apart(scores: Values, in_others: Sequence[Mask]) -> Values:
    """Scores (h, w) at local maxima where a crate would overlap no other, -1 elsewhere."""
    is_peak = scores >= cv2.dilate(scores, np.ones((3, 3)))
    return np.asarray(np.where(is_peak & ~np.logical_or.reduce(in_others), scores, np.float32(-1)), np.float32)


def _overlap(body: Body, at: Pose, other: Pose) -> bool:
    """Whether two crates at these poses would overlap."""
    return bool(_in_other(body, at.turn_deg, np.array(at.at_mm[0]), np.array(at.at_mm[1]), other))


def _in_other(body: Body, turn_deg: float, x_mm: Floats, y_mm: Floats, other: Pose) -> Mask:
    """Whether a crate at x and y (arrays, in mm) with this turn would overlap another one of the same size, turned
    about as much or by half a turn more."""
    off = other.at_mm[0] - x_mm, other.at_mm[1] - y_mm
    across, up = (np.abs(way[0] * off[0] + way[1] * off[1]) for way in spin(-turn_deg))
    return np.asarray((across < body.size_mm[0] - OVERLAP_MM) & (up < body.size_mm[1] - OVERLAP_MM), np.bool_)
