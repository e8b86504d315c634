"""From the fits of all candidates, and of the bare ground, to log-likelihoods of a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table import EMPTY, turn_between_deg
from vision.faces.face_reading import FaceFit, FaceReading
from vision.faces.folds import count_folds
from vision.faces.light_basis import voices
from vision.faces.pose_candidates import MIN_TURN_APART_DEG, RegisteredFace
from vision.faces.registration import FaceRegistration
from vision.imaging.likelihood import with_outliers

NOISE_COST = 6.0
"""The noise floor of the mean square, added to every cost: below it differences do not discriminate."""

TURN_MARGIN_NATS = 1.5
"""A turn is known when every other one is at least this much less likely."""

MOST_OF_FOLD = 0.5
"""Turns that look the same differ from a multiple of what lies between them by less than this share of the most."""

BareCost = tuple[float, float]
"""Cost and prior (nats) of the bare ground."""


def decide_face(all_fits: Sequence[RegisteredFace], bare: BareCost | None) -> FaceReading:
    """The reading from the fits of all candidates, the best first, and of the bare ground.

    All candidates have the effective sample size of the largest: a small one that fits its small part badly is no
    better than a large one that does."""
    fits = {each.candidate.face.piece.name: each for each in reversed(all_fits)}
    loudest = max(voices(each.candidate.face) for each in fits.values())
    nats = {name: _nats(loudest, each.fit.cost, each.fit.prior) for name, each in fits.items()}
    best = max(nats, key=nats.__getitem__)
    if bare is not None:
        nats[EMPTY] = _nats(loudest, *bare)
    placed = {}
    for name, each in fits.items():
        own = [other.fit for other in all_fits if other.candidate.face is each.candidate.face]
        placed[name] = _placed(each, own, loudest)
    shares = with_outliers(np.array(list(nats.values()))).tolist()
    return FaceReading(dict(zip(nats, shares)), best, placed)


def _placed(best: RegisteredFace, all_fits: Sequence[FaceRegistration], voices: float) -> FaceFit:
    """The best fit of a face in the table frame; its turn is None where another one fits about as well, and the face
    does not look the same there."""
    fit = best.fit
    (x, y), (right, up) = best.candidate.window.window.centre_mm, fit.shift_mm
    turn = (fit.turn_deg + 180) % 360 - 180
    nats = _nats(voices, fit.cost, fit.prior)
    as_good = [other.turn_deg for other in all_fits
               if _nats(voices, other.cost, other.prior) >= nats - TURN_MARGIN_NATS]
    near_deg, folds = MIN_TURN_APART_DEG / 2, 1
    if any(turn_between_deg(turn, other) >= near_deg for other in as_good):
        folds = count_folds(best.candidate.face)
    is_sure = all(turn_between_deg(turn, other, folds) < min(near_deg, MOST_OF_FOLD * 180.0 / folds)
                  for other in as_good)
    return FaceFit((x + right, y + up), turn if is_sure else None, fit.cost, turn, folds if is_sure else 1)


def _nats(voices: float, cost: float, prior: float) -> float:
    """The profile log-likelihood of a fit over the noise variance, which is unknown beforehand (a reflection raises
    it): with the maximum likelihood estimate of it for each fit, the ratio of their costs counts."""
    return -0.5 * voices * float(np.log(cost + NOISE_COST)) - prior
