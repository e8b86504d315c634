"""How well a table is seen, judged by its first free look, at which what stands there is known from the set-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from companion.interpret.contradictions import Difference
from companion.interpret.outcome import BelievedPiece

SightVerdict = Literal["good", "fair", "poor"]
"""Poor: plies will be missed or asked about. Fair: some pieces will be asked about."""

POOR_DIFFERENCES, POOR_OPEN = 2, 0.35
"""So many things that are not seen where they stand, or are seen where nothing stands, make a sight poor; so does this
share of pieces that cannot be told from others."""

FAIR_OPEN = 0.15
"""With a larger share of such pieces, or any single difference, sight is no better than fair."""


def judge_sight(found: Sequence[Difference], pieces: Sequence[BelievedPiece]) -> SightVerdict:
    """The verdict on a first look: where it contradicts the set-up, and the believed pieces, bodies left out."""
    is_open = sum(piece.appearance is None for piece in pieces) / max(len(pieces), 1)
    if len(found) >= POOR_DIFFERENCES or is_open > POOR_OPEN:
        return "poor"
    return "fair" if found or is_open > FAIR_OPEN else "good"
