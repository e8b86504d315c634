"""A rough value of an unfinished game, for bots: the lead in points and the explosions that threaten.

The lead weighs more the nearer the end is. An explosion is worth what it would change in the lead: nearly all of it to
the seat that is to move, part of it to others, for there is time to flee. What the seat to move can place next counts
half, so that a value is much the same before and after a good ply.
"""

from __future__ import annotations

from math import exp
from typing import Final

from companion.engine import Over, Seat
from companion.engine.form import CELLS
from companion.games.kamikaze_cans import rules
from companion.games.kamikaze_cans.rules import IN_GRID
from companion.games.kamikaze_cans.state import FUSES
from companion.games.kamikaze_cans.state import State
from companion.table import colour_of, shape_of

EARLY, LATE = 0.12, 0.30
"""How much a point of lead is worth with full stocks, and when somebody is about to place the last drink."""
TO_MOVE, WAITING = 0.9, 0.4
"""Which part of its best explosion counts for the seat to move, and for one that waits."""
FULL: Final = 6


def evaluate(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; a win that all players share is 0.5."""
    match rules.turn(state):
        case Over(winners):
            return 0.5 if len(winners) == len(state.stocks) else float(seat in winners)
    points = rules.scores(state)
    gains = _gains(state, points)
    lead = _lead(points, seat) + gains[seat] - max(gain for other, gain in enumerate(gains) if other != seat)
    next_placed = max(0, *(IN_GRID[shape_of(drink)] for drink in state.stocks[state.seat]))
    lead += next_placed if seat == state.seat else -next_placed
    left = min(map(len, state.stocks)) / FULL
    return 1 / (1 + exp(-lead * (EARLY * left + LATE * (1 - left))))


def _lead(points: tuple[int, ...], seat: Seat) -> int:
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def _gains(state: State, points: tuple[int, ...]) -> list[float]:
    """For each seat, what its best explosion is worth now."""
    gains = [0.0] * len(points)
    for cell, drink in zip(CELLS, state.grid):
        if drink is None or shape_of(drink) not in FUSES:
            continue
        seat = state.rules.colours.index(colour_of(drink))
        after = list(points)
        for index in rules.blast(state, cell):
            gone = state.grid[index] or ""
            after[state.rules.colours.index(colour_of(gone))] -= IN_GRID[shape_of(gone)]
        part = TO_MOVE if seat == state.seat else WAITING
        gains[seat] = max(gains[seat], part * (_lead(tuple(after), seat) - _lead(points, seat)))
    return gains
