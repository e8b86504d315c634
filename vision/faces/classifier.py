"""The classifier of a place on which a flat piece may lie: which face is up and at what turn, or that nothing is there.

    reading = read_face(scene, FaceSite((x, y), 0.0, ground=BareTable()), tuple(pieces.faces.values()))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.table import turn_between_deg
from vision.faces.candidate_window import CandidateWindow
from vision.faces.face_decision import BareCost, decide_face
from vision.faces.face_reading import FaceReading, pooled
from vision.faces.face_site import FaceSite, open_windows
from vision.faces.light_basis import PIXEL_SD
from vision.faces.pose_candidates import (
    MIN_TURN_APART_DEG,
    PoseCandidate,
    RegisteredFace,
    pose_candidates,
    register_all,
)
from vision.faces.registration import FaceRegistration
from vision.faces.templates import Face
from vision.scene.scene import Scene

MAX_FITS, MAX_COST_RATIO = 5, 2.0
"""The most candidates (a face at one of its two turns) that are registered, and the most that their cost may be
relative to the best."""

UNSURE_NATS, COLOURS_TRUST, SAME_COLOUR = 3.0, 0.35, 6.0
"""Faces are compared once more, with so little trust in colours, where others are less likely than the best one by no
more than so many nats, and have about the same colours on the whole."""

CLEARLY_BARE_COST = 12.0
"""Where the cost of the bare ground is at most this, only the best candidate is registered."""


def read_face(scene: Scene, site: FaceSite, candidates: Sequence[Face]) -> FaceReading:
    """The reading of a site: the likelihoods of the candidates, with their poses."""
    return read_windows(open_windows(scene, site, candidates))


def read_windows(windows: Sequence[CandidateWindow]) -> FaceReading:
    """The same, from windows that `open_windows` opened. Where faces of one colour are about as likely, all are
    compared once more, mostly by lightness, in which their prints are: a lamp, or what stands beside, may colour a
    piece unevenly."""
    reading = _read(windows)
    if reading.over_empty_nats < -UNSURE_NATS or not _differ_in_print(reading, windows):
        return reading
    light, *colours = windows[0].trust
    red, yellow = (min(each, COLOURS_TRUST) for each in colours)
    return pooled(reading, _read([replace(window, trust=(light, red, yellow)) for window in windows]))


def _differ_in_print(reading: FaceReading, windows: Sequence[CandidateWindow]) -> bool:
    """Whether the likeliest faces, if they are several, have about one colour."""
    least_nats = reading.loglik[reading.best] - UNSURE_NATS
    colours = np.array([face.middle_colour for window in windows for face in window.faces
                        if reading.loglik.get(face.piece.name, -np.inf) > least_nats])
    return len(colours) > 1 and bool(np.ptp(colours, axis=0).max() < SAME_COLOUR)


def _read(windows: Sequence[CandidateWindow]) -> FaceReading:
    candidates = sorted((each for window in windows for each in pose_candidates(window)), key=lambda each: each.cost)
    first = candidates[0]
    bare = _bare_cost(first)
    worth = _worth_registering(candidates, bare)
    fits = sorted(register_all(worth), key=lambda each: each.fit.cost)
    others = _as_they_seem([each for each in candidates if each not in worth], fits)
    turned = _turned_round(fits[0])
    if not _is_clearly_bare(bare) and not _is_tried(turned, worth):
        fits = sorted([*fits, *register_all([turned])], key=lambda each: each.fit.cost)
    fits += others
    best = fits[0].candidate
    if best.face.outline != first.face.outline:
        bare = _bare_cost(best)
    return decide_face(fits, bare)


def _turned_round(best: RegisteredFace) -> PoseCandidate:
    """The best face upside down where it lies: one that is nearly its own half-turn may have been found the wrong way
    round, as the coarse search does not see what tells."""
    fit, candidate = best.fit, best.candidate
    return replace(candidate, shift_mm=fit.shift_mm, turn_deg=(fit.turn_deg + 180.0) % 360.0)


def _is_tried(candidate: PoseCandidate, tried: Sequence[PoseCandidate]) -> bool:
    """Whether the same face was registered at about this turn."""
    return any(each.face is candidate.face
               and turn_between_deg(each.turn_deg, candidate.turn_deg) < MIN_TURN_APART_DEG / 2 for each in tried)


def _bare_cost(candidate: PoseCandidate) -> BareCost | None:
    """Cost and prior of the bare ground at the pose of a candidate; None where the ground is unknown."""
    window = candidate.window
    return None if window.ground is None else window.bare_cost(candidate.shift_mm, candidate.turn_deg)


def _is_clearly_bare(bare: BareCost | None) -> bool:
    """Whether it is clearly the bare ground that is seen."""
    return bare is not None and bare[0] <= CLEARLY_BARE_COST


def _worth_registering(candidates: Sequence[PoseCandidate], bare: BareCost | None) -> list[PoseCandidate]:
    """The candidates to be registered: the best ones, as far as they are not far behind the first."""
    most = 1 if _is_clearly_bare(bare) else MAX_FITS
    limit = MAX_COST_RATIO * candidates[0].cost + PIXEL_SD ** 2
    return [each for each in candidates[:most] if each.cost <= limit]


def _as_they_seem(others: Sequence[PoseCandidate], fits: Sequence[RegisteredFace]) -> list[RegisteredFace]:
    """Candidates that were not registered, with an extrapolated cost: reduced by the same factor as that of the best,
    but no better than the worst that was registered."""
    best, worst = fits[0], fits[-1]
    share = best.fit.cost / max(best.candidate.cost, 1.0)
    return [RegisteredFace(each, FaceRegistration(each.shift_mm, each.turn_deg, max(worst.fit.cost, each.cost * share),
                                              best.fit.prior)) for each in others]
