"""The reading of a place at which a flat piece lies or may lie."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.table import EMPTY, Appearance, Point


@dataclass(frozen=True, slots=True)
class FaceFit:
    """The best fit of one face at a place: its foot's centre in the table frame (mm), its turn in degrees, None where
    others fit as well, and the mean square of the residuals, about 10 for the right face and far more where something
    else lies. `lies_deg` is one of the turns that fit best. A face that looks the same at so many turns (`folds`) lies
    at any of them: `turn_deg` is one."""

    at_mm: Point
    turn_deg: float | None
    misfit: float
    lies_deg: float
    folds: int = 1


@dataclass(frozen=True, slots=True)
class FaceReading:
    """The reading of one place. `loglik` in nats for each candidate, and for `EMPTY` when the ground was known; `best`
    is the likeliest candidate (never `EMPTY`), `fits` the best fit of each candidate."""

    loglik: Mapping[Appearance, float]
    best: Appearance
    fits: Mapping[Appearance, FaceFit]

    @property
    def at_mm(self) -> Point:
        """Centre of the foot in the table frame (mm)."""
        return self.fits[self.best].at_mm

    @property
    def turn_deg(self) -> float | None:
        """Turn of the face in degrees, anticlockwise; None where it is unknown."""
        return self.fits[self.best].turn_deg

    @property
    def folds(self) -> int:
        """At how many turns the face may lie for all that is seen, `turn_deg` being one of them."""
        return self.fits[self.best].folds

    @property
    def misfit(self) -> float:
        """The mean square of the residuals of the best face."""
        return self.fits[self.best].misfit

    @property
    def over_empty_nats(self) -> float:
        """By how much the likeliest candidate is likelier than `EMPTY`; infinite when the ground was not known."""
        return self.loglik[self.best] - self.loglik.get(EMPTY, -math.inf)

    @property
    def is_empty(self) -> bool:
        """Whether `EMPTY` is likelier than any candidate."""
        return self.over_empty_nats < 0


def pooled(first: FaceReading, second: FaceReading) -> FaceReading:
    """One reading of two by different measures, of the same candidates: the mean of their log-likelihoods. Poses are
    those of the second; how well a face fits is told by the first, as what is compared with it is."""
    loglik = {name: (nats + second.loglik[name]) / 2 for name, nats in first.loglik.items()}
    best = max(first.fits, key=lambda name: loglik[name])
    fits = {name: replace(fit, misfit=first.fits[name].misfit) for name, fit in second.fits.items()}
    return FaceReading(loglik, best, fits)
