"""Reading a place on which a flat piece may lie: which face is up, how it is turned, or that nothing lies there.

    reading = read_face(scene, FaceSite((x, y), 0.0, ground=BareTable()), tuple(pieces.faces.values()))
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.faces.candidate_window import CandidateWindow
from vision.faces.face_decision import BareCost, decide_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite, open_windows
from vision.faces.light_basis import PIXEL_SD
from vision.faces.pose_candidates import PoseCandidate, RegisteredFace, pose_candidates, register_all
from vision.faces.registration import FaceRegistration
from vision.faces.templates import Face
from vision.scene.scene import Scene

MAX_FITS, MAX_COST_RATIO = 5, 2.0
"""The number of faces that are registered at most, and how many times worse than the best they may seem."""

CLEARLY_BARE_COST = 12.0
"""Where the bare ground explains what is seen this well, only the best face is registered."""


def read_face(scene: Scene, site: FaceSite, candidates: Sequence[Face]) -> FaceReading:
    """Which of the candidates lies at a site, where, and how it is turned."""
    return read_windows(open_windows(scene, site, candidates))


def read_windows(windows: Sequence[CandidateWindow]) -> FaceReading:
    """The same, of windows that `open_windows` opened."""
    candidates = sorted((each for window in windows for each in pose_candidates(window)), key=lambda each: each.cost)
    first = candidates[0]
    bare = _bare_cost(first)
    worth = _worth_registering(candidates, bare)
    fits = sorted(register_all(worth), key=lambda each: each.fit.cost)
    fits += _as_they_seem([each for each in candidates if each not in worth], fits)
    best = fits[0].candidate
    if best.face.outline != first.face.outline:
        bare = _bare_cost(best)
    return decide_face(fits, bare)


def _bare_cost(candidate: PoseCandidate) -> BareCost | None:
    """Cost and prior of nothing lying where a face seems to lie best; None where it is unknown what lies beneath."""
    window = candidate.window
    return None if window.ground is None else window.bare_cost(candidate.shift_mm, candidate.turn_deg)


def _worth_registering(candidates: Sequence[PoseCandidate], bare: BareCost | None) -> list[PoseCandidate]:
    """The first of the candidates, the best first, that are not far worse than it."""
    most = MAX_FITS if bare is None or bare[0] > CLEARLY_BARE_COST else 1
    limit = MAX_COST_RATIO * candidates[0].cost + PIXEL_SD ** 2
    return [each for each in candidates[:most] if each.cost <= limit]


def _as_they_seem(others: Sequence[PoseCandidate], fits: Sequence[RegisteredFace]) -> list[RegisteredFace]:
    """Candidates that were not registered, as if each gained by it as the best did, but fitted no better than the worst
    that was."""
    best, worst = fits[0], fits[-1]
    share = best.fit.cost / max(best.candidate.cost, 1.0)
    return [RegisteredFace(each, FaceRegistration(each.shift_mm, each.turn_deg, max(worst.fit.cost, each.cost * share),
                                              best.fit.prior)) for each in others]
