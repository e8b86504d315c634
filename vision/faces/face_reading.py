"""What was read where a flat piece lies or may lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.table import EMPTY, Appearance, Point


@dataclass(frozen=True, slots=True)
class FaceFit:
    """How one face fits a place best: its foot's centre in the table frame, its turn, None where others fit as well,
    and the mean square of the differences that remain, about 16 where all is well and far more where something else
    lies. `lies_deg` is one of the turns that fit best."""

    at_mm: Point
    turn_deg: float | None
    misfit: float
    lies_deg: float


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What one place looks like. `loglik` in nats for each candidate, and for `EMPTY` when it was known what lies
    beneath; `best` is the likeliest candidate (never `EMPTY`), `fits` how each candidate fits best."""

    loglik: Mapping[Appearance, float]
    best: Appearance
    fits: Mapping[Appearance, FaceFit]

    @property
    def at_mm(self) -> Point:
        """Centre of the foot in the table frame."""
        return self.fits[self.best].at_mm

    @property
    def turn_deg(self) -> float | None:
        """Turn of the face, anticlockwise; None where it is unknown."""
        return self.fits[self.best].turn_deg

    @property
    def misfit(self) -> float:
        """The mean square of the differences that the best face leaves."""
        return self.fits[self.best].misfit

    @property
    def is_empty(self) -> bool:
        """Whether nothing lying there is likelier than any candidate."""
        return EMPTY in self.loglik and self.loglik[EMPTY] > self.loglik[self.best]
