"""What interpreting one free look can come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.engine import Ply
from companion.errors import Phrase
from companion.table import Appearance, Point, Spot

Plies = tuple[Ply[Any], ...]


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The table stands as the companion believed."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The last `taken_back` plies are withdrawn, then `plies` were played, with a probability of `confidence` (0–1)."""

    plies: Plies
    confidence: float
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """One explanation of a question: the last `taken_back` plies are withdrawn, then `plies` were played.

    `confidence` is its probability among all explanations, 0 to 1.
    """

    plies: Plies
    confidence: float
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several explanations are close together: a question with up to four choices, the likeliest first. Without
    choices: nothing explains the table look after look, for these `reasons`, and people are asked what was played.

    While it is open the believed state stays as it was.
    """

    choices: tuple[Choice, ...]
    reasons: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class Odd:
    """No legal plies explain the table: what stands where it cannot, in words. The believed state stays."""

    reasons: tuple[Phrase, ...]


Outcome = Unchanged | Moved | Ambiguous | Odd


@dataclass(frozen=True, slots=True)
class BelievedPiece:
    """A piece as believed: `appearance`, or None while it is one of `among`. `at_mm` is in the table frame."""

    appearance: Appearance | None
    at_mm: Point
    spot: Spot
    among: tuple[Appearance, ...] = ()
