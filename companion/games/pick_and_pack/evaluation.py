"""A rough value of an unfinished game, for bots: the lead in apples, and the tiles and rush orders that are left."""

from __future__ import annotations

from math import exp

from companion.engine import Seat
from companion.games.pick_and_pack import rules
from companion.games.pick_and_pack.state import State, is_unplayed, other, way

APPLES = 1 / 8
"""A lead of so many apples makes the odds of winning e to 1."""
TILE_APPLES, RUSH_APPLES = 0.5, 1.5
"""What an unplayed tile and a stored rush order are worth."""
IN_REACH = 0.6
"""Which part of the best tray that it can grab next counts for the seat to move."""


def evaluate(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; equal points in the end are 0.5."""
    points = rules.scores(state)
    lead = float(points[seat] - points[other(seat)])
    if state.over:
        return 0.5 if lead == 0 else float(lead > 0)
    lead += _means(state, seat) - _means(state, other(seat))
    next_grab = IN_REACH * max(0, *(state.trays[cell] for cell in way(state.on_turn, state.grabber)))
    lead += next_grab if seat == state.on_turn else -next_grab
    return 1 / (1 + exp(-APPLES * lead))


def _means(state: State, seat: Seat) -> float:
    """What the seat can still do, in apples."""
    tiles = sum(is_unplayed(tile) for row in state.tiles[seat] for tile in row)
    return TILE_APPLES * tiles + RUSH_APPLES * state.stored[seat]
