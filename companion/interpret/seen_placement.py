"""What the table shows as one placement, for games that can say which plies lead to it (`Explaining`)."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import islice
from typing import Any

from companion.engine import AnyGame, Explaining
from companion.interpret.evidence import Evidence
from companion.interpret.matching import assign
from companion.interpret.outcome import Plies
from companion.table import Appearance, Placement, Spot

MAX_SUGGESTIONS = 30
"""Bound on the sequences of plies taken from a game's suggestions."""


def suggested(game: AnyGame, state: Any, evidence: Evidence, suspects: Set[Spot]) -> Iterator[Plies]:
    """The plies that the game suggests for what is seen; nothing from a game that has no such hints."""
    if isinstance(game, Explaining):
        seen = seen_placement(evidence, game.placement(state), suspects)
        yield from islice(game.explain(state, seen), MAX_SUGGESTIONS)


def seen_placement(evidence: Evidence, here: Placement, suspects: Set[Spot]) -> Placement:
    """`here` as it must be changed to agree with the look at the places that are suspect, each piece once.

    The pieces that stood at suspect places are given out anew among those that are not seen empty; a place for which
    none fits is left out, as one that was not seen.
    """
    places = [spot for spot in evidence.places if spot in suspects]
    filled = [spot for spot in places if evidence.likeliest(spot)]
    pool: list[Appearance] = [piece for spot in places for piece in here.get(spot, ())[-1:]]
    named = assign([evidence.places[spot] for spot in filled], pool).pieces
    found = {spot: pieces for spot, pieces in here.items() if spot not in places}
    return found | {spot: (piece,) for spot, piece in zip(filled, named, strict=True) if piece is not None}
