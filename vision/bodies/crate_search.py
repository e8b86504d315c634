"""Crates searched for one by one, each near its expected pose, so that none overlaps another."""

from __future__ import annotations

import math
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


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """The scores (h, w) of a crate at some turn, at each x (w) and y (h) in mm."""

    turn_deg: float
    x_mm: Floats
    y_mm: Floats
    scores: Values


def match_crates(rims: RimMap, near: Sequence[Body], reach: Reach, beside: Sequence[Pose] = ()) -> list[Pose]:
    """The best poses of crates within reach of their expected poses. None overlaps those `beside` nor another: where
    two would, for one wall looks like the next, the one that loses less of its score gives way."""
    away, scored = [list(beside) for _ in near], [_scored(rims, body, reach) for body in near]
    found = [_best_pose(body, each, others) for body, each, others in zip(near, scored, away)]
    for _ in near:
        pair = next(((one, other) for one, other in combinations(range(len(near)), 2)
                     if _overlap(near[one], found[one][1], found[other][1])), None)
        if pair is None:
            break
        ways = []
        for stays, moves in (pair, pair[::-1]):
            score, pose = _best_pose(near[moves], scored[moves], [*away[moves], found[stays][1]])
            ways.append(_GivesWay(found[moves][0] - score, moves, stays, score, pose))
        best = min(ways, key=lambda way: (way.loss, way.moves))
        away[best.moves].append(found[best.stays][1])
        found[best.moves] = best.score, best.pose
    return [pose for _, pose in found]


def _scored(rims: RimMap, body: Body, reach: Reach) -> list[_Scored]:
    """How well a crate fits within reach, turn by turn."""
    patch, reach_px = rims.patch, round(reach.shift_mm * rims.patch.px_per_mm)
    scored = []
    for turn in reach.turns_deg:
        turned = Pose(body.at_mm, body.turn_deg + float(turn))
        template = rim_template(patch, [body], [turned], CLOSE_MM)
        first_x, first_y = max(template.left - reach_px, 0), max(template.top - reach_px, 0)
        down, across = template.weights.shape
        window = rims.values[first_y:template.top + down + reach_px, first_x:template.left + across + reach_px]
        scores = np.asarray(cv2.matchTemplate(window, template.weights, cv2.TM_CCORR), np.float32)
        x = turned.at_mm[0] + (np.arange(scores.shape[1]) + first_x - template.left) / patch.px_per_mm
        y = turned.at_mm[1] + (template.top - np.arange(scores.shape[0]) - first_y) / patch.px_per_mm
        scored.append(_Scored(turned.turn_deg, x, y, scores))
    return scored


def _best_pose(body: Body, scored: Sequence[_Scored], away: Sequence[Pose]) -> tuple[float, Pose]:
    """The best score of a crate, and its pose, which must not overlap a crate at one of the poses `away`."""
    best = (-1.0, pose_of(body))
    for each in scored:
        scores = each.scores
        if away:
            scores = _apart(scores, _in_others(body, each.turn_deg, each.x_mm[None], each.y_mm[:, None], away))
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[0]:
            best = (score, Pose((float(each.x_mm[column]), float(each.y_mm[row])), each.turn_deg))
    return best


def _apart(scores: Values, in_others: Mask) -> Values:
    """Scores (h, w) at local maxima where a crate would overlap no other, -1 elsewhere."""
    is_peak = scores >= cv2.dilate(scores, np.ones((3, 3)))
    return np.asarray(np.where(is_peak & ~in_others, scores, np.float32(-1)), np.float32)


def _overlap(body: Body, at: Pose, other: Pose) -> bool:
    """Whether two crates at these poses would overlap."""
    if math.dist(at.at_mm, other.at_mm) >= math.hypot(*body.size_mm[:2]):
        return False
    return bool(_in_others(body, at.turn_deg, np.array(at.at_mm[0]), np.array(at.at_mm[1]), [other]))


def _in_others(body: Body, turn_deg: float, x_mm: Floats, y_mm: Floats, others: Sequence[Pose]) -> Mask:
    """Whether a crate at x (1, w) and y (h, 1), or at one point, in mm, with this turn would overlap one of some others
    of the same size, turned about as much or by half a turn more."""
    at = np.array([other.at_mm for other in others])
    off_x, off_y = np.subtract.outer(at[:, 0], x_mm), np.subtract.outer(at[:, 1], y_mm)
    across, up = (np.abs(way[0] * off_x + way[1] * off_y) for way in spin(-turn_deg))
    overlap = (across < body.size_mm[0] - OVERLAP_MM) & (up < body.size_mm[1] - OVERLAP_MM)
    return np.asarray(overlap.any(axis=0), np.bool_)
