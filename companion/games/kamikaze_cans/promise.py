"""A rough value of an unfinished game, for bots: the lead in points, which weighs more the nearer the end is."""

from __future__ import annotations

from math import exp
from typing import Final

from companion.engine import Over, Seat
from companion.games.kamikaze_cans import rules
from companion.games.kamikaze_cans.rules import State

EARLY, LATE = 0.12, 0.30
"""How much a point of lead is worth with full stocks, and when somebody is about to place the last drink."""
FULL: Final = 6


def promise(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; a win that all players share is 0.5."""
    match rules.turn(state):
        case Over(winners):
            return 0.5 if len(winners) == len(state.stocks) else float(seat in winners)
    points = rules.scores(state)
    lead = points[seat] - max(points[:seat] + points[seat + 1 :])
    left = min(map(len, state.stocks)) / FULL
    return 1 / (1 + exp(-lead * (EARLY * left + LATE * (1 - left))))
