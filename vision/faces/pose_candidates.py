"""Where each face seems to lie best, and how it fits from there: coarse search, then registration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.faces.candidate_window import CandidateWindow
from vision.faces.face_site import Cells
from vision.faces.linear_light import linear_values
from vision.faces.registration import FaceRegistration, register_faces
from vision.faces.template_search import CENTRES_PX, match_costs
from vision.faces.templates import PX_PER_MM, Face
from vision.faces.turned_templates import Templates, make_templates
from vision.imaging.arrays import Values

MIN_TURN_APART_DEG = 30.0
"""A face is also registered from another turn than the one that seems best, at least this far from it."""

MAX_CENTRES, REFINED_CENTRES = 60, 4
"""Of more centres than this only some are tried at first; around the best few of them it is tried again."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseCandidate:
    """A face, and where and in which turn it seems to lie best."""

    face: Face
    window: CandidateWindow
    shift_mm: tuple[float, float]
    turn_deg: float
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class RegisteredFace:
    """A face, and how it fits from where it seemed to lie."""

    candidate: PoseCandidate
    fit: FaceRegistration


def pose_candidates(window: CandidateWindow) -> list[PoseCandidate]:
    """Faces of one outline with their tops at a height, each where it seems to lie best in two turns."""
    centres, costs = _search(linear_values(window.colours), _templates(window.faces), window.centres_px)
    nearest = costs.argmin(axis=1)
    by_turn = np.take_along_axis(costs, nearest[:, None], axis=1)[:, 0]
    turns = _two_turns(by_turn)
    shifts = (centres[np.take_along_axis(nearest, turns, axis=1)] / PX_PER_MM).tolist()
    best = np.take_along_axis(by_turn, turns, axis=1).tolist()
    turns_deg = (turns * 360.0 / costs.shape[2]).tolist()
    return [PoseCandidate(face, window, (x, y), turn_deg, cost)
            for face, *two in zip(window.faces, shifts, turns_deg, best) for (x, y), turn_deg, cost in zip(*two)]


def _two_turns(costs: Values) -> Cells:
    """The best of all turns, and the best of those that are not near it (faces, 2), by costs (faces, turns)."""
    turns = costs.shape[1]
    best = costs.argmin(axis=1)
    apart = np.abs((np.arange(turns) - best[:, None] + turns // 2) % turns - turns // 2)
    return np.column_stack([best, np.where(apart * 360.0 / turns < MIN_TURN_APART_DEG, np.inf, costs).argmin(axis=1)])


def _search(light: Values, templates: Templates, centres_px: Cells) -> tuple[Cells, Values]:
    """Centres (n, 2) in px and costs there (faces, n, turns). Where there are many, every other one is tried at first,
    and then those around the best of them."""
    if len(centres_px) > MAX_CENTRES:
        some = centres_px[(centres_px // CENTRES_PX % 2 == 0).all(axis=1)]
        costs = match_costs(light, templates, some).min(axis=(1, 2))
        best = some[np.argsort(costs)[:REFINED_CENTRES]]
        near = np.abs(centres_px[:, None] - best).max(axis=2).min(axis=1) <= CENTRES_PX
        centres_px = centres_px[near]
    return centres_px, match_costs(light, templates, centres_px).transpose(1, 0, 2)


@lru_cache(maxsize=32)
def _templates(faces: tuple[Face, ...]) -> Templates:
    return make_templates(faces)


def register_all(candidates: Sequence[PoseCandidate]) -> list[RegisteredFace]:
    """The fits of faces from where they seemed to lie, those in one window together."""
    groups: dict[CandidateWindow, list[PoseCandidate]] = {}
    for each in candidates:
        groups.setdefault(each.window, []).append(each)
    found = []
    for window, group in groups.items():
        fits = register_faces(window.target, [each.face for each in group], np.array([each.shift_mm for each in group]),
                        np.array([each.turn_deg for each in group]))
        found += [RegisteredFace(each, fit) for each, fit in zip(group, fits)]
    return found
