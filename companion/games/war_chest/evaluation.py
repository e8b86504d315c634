"""A rough value of an unfinished game, for bots: markers first, then units and how near they are to what they want."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from companion.engine import Over, Seat
from companion.games.war_chest.board import Hex, distance
from companion.games.war_chest.state import Side, State

MARKER, UNIT, COIN_ON_TOP, NEAR, READY = 1.0, 0.35, 0.15, 0.12, 0.03
"""Worth of a marker on the board, of a unit, of each further coin of its stack, of each step nearer than four hexes to
a location not of its side, and of each coin off the board. By judgement, not tuned."""
STEEPNESS = 0.9


def evaluate(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; a draw is 0.5."""
    if isinstance(state.over, Over):
        return 0.5 if not state.over.winners else float(seat in state.over.winners)
    lead = _strength(state, seat % 2) - _strength(state, 1 - seat % 2)
    return 1 / (1 + exp(-STEEPNESS * lead))


def _strength(state: State, side: Side) -> float:
    wanted = tuple(at for at in state.table.board.locations if state.control.get(at) != side)
    worth = MARKER * state.markers(side)
    for at, stack in state.stacks.items():
        if state.table.side_of_unit(stack.kind) == side:
            worth += UNIT + COIN_ON_TOP * (stack.height - 1) + NEAR * max(0, 4 - _steps(at, wanted))
    coins = sum(
        sum(purse.supply) + purse.size("bag") + purse.size("hand") + len(purse.pile)
        for seat, purse in enumerate(state.purses)
        if seat % 2 == side
    )
    return worth + READY * coins


@lru_cache(4096)
def _steps(at: Hex, wanted: tuple[Hex, ...]) -> int:
    """The steps to the nearest of the locations that are wanted."""
    return min((distance(at, location) for location in wanted), default=4)
