"""Pose candidates of each face by coarse search, and their registration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.faces.candidate_window import CandidateWindow
from vision.faces.face_site import Cells
from vision.faces.light_basis import PIXEL_SD
from vision.faces.linear_light import linear_values
from vision.faces.registration import FaceRegistration, register_faces
from vision.faces.template_search import CENTRES_PX, match_costs
from vision.faces.templates import PX_PER_MM, Face
from vision.faces.turned_templates import Templates, make_templates
from vision.imaging.arrays import Values
from vision.photometry.channel_noise import Trust

MIN_TURN_APART_DEG = 30.0
"""The second candidate turn of a face is at least this far from the first."""

MAX_CENTRES, REFINED_CENTRES = 60, 4
"""Of more centres than the first only every other one is tried, and then the neighbours of the best few."""

SAME_PIECE_PX = 12
"""The best few are no farther than this from where a face explains the largest share of what a plain surface does not:
there lies a piece. In a shadow there is little to explain, and any dark face costs as little."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseCandidate:
    """A face with a pose and cost from the coarse search: `shift_mm` from the window's centre, `turn_deg`."""

    face: Face
    window: CandidateWindow
    shift_mm: tuple[float, float]
    turn_deg: float
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class RegisteredFace:
    """A candidate and its registration."""

    candidate: PoseCandidate
    fit: FaceRegistration


def pose_candidates(window: CandidateWindow) -> list[PoseCandidate]:
    """The candidates of a window's faces, each at its best pose for two turns."""
    centres, costs = _search(linear_values(window.colours, window.trust), _templates(window.faces, window.trust),
                             window.centres_px)
    nearest = costs.argmin(axis=1)
    by_turn = np.take_along_axis(costs, nearest[:, None], axis=1)[:, 0]
    turns = _two_turns(by_turn)
    shifts = (centres[np.take_along_axis(nearest, turns, axis=1)] / PX_PER_MM).tolist()
    best = np.take_along_axis(by_turn, turns, axis=1).tolist()
    turns_deg = (turns * 360.0 / costs.shape[2]).tolist()
    return [PoseCandidate(face, window, (x, y), turn_deg, cost)
            for face, *two in zip(window.faces, shifts, turns_deg, best) for (x, y), turn_deg, cost in zip(*two)]


def _two_turns(costs: Values) -> Cells:
    """The indices (faces, 2) of the best turn and of the best one that is not near it, by costs (faces, turns)."""
    turns = costs.shape[1]
    best = costs.argmin(axis=1)
    apart = np.abs((np.arange(turns) - best[:, None] + turns // 2) % turns - turns // 2)
    return np.column_stack([best, np.where(apart * 360.0 / turns < MIN_TURN_APART_DEG, np.inf, costs).argmin(axis=1)])


def _search(light: Values, templates: Templates, centres_px: Cells) -> tuple[Cells, Values]:
    """Centres (n, 2) in px and costs there (faces, n, turns). Where there are many, every other one is tried at first,
    and then those around the best of them."""
    if len(centres_px) > MAX_CENTRES:
        some = centres_px[(centres_px // CENTRES_PX % 2 == 0).all(axis=1)]
        costs, plain = match_costs(light, templates, some)
        left = ((costs.min(axis=1) + PIXEL_SD ** 2) / (plain + PIXEL_SD ** 2)).min(axis=1)
        here = np.flatnonzero(np.abs(some - some[left.argmin()]).max(axis=1) <= SAME_PIECE_PX)
        best = some[here[np.argsort(costs[here].min(axis=(1, 2)))[:REFINED_CENTRES]]]
        near = np.abs(centres_px[:, None] - best).max(axis=2).min(axis=1) <= CENTRES_PX
        centres_px = centres_px[near]
    return centres_px, match_costs(light, templates, centres_px)[0].transpose(1, 0, 2)


@lru_cache(maxsize=32)
def _templates(faces: tuple[Face, ...], trust: Trust) -> Templates:
    return make_templates(faces, trust)


def register_all(candidates: Sequence[PoseCandidate]) -> list[RegisteredFace]:
    """The registrations of candidates, batched by window."""
    groups: dict[CandidateWindow, list[PoseCandidate]] = {}
    for each in candidates:
        groups.setdefault(each.window, []).append(each)
    found = []
    for window, group in groups.items():
        fits = register_faces(window.target, [each.face for each in group], np.array([each.shift_mm for each in group]),
                        np.array([each.turn_deg for each in group]))
        found += [RegisteredFace(each, fit) for each, fit in zip(group, fits)]
    return found
