"""A rough value of an unfinished game, for bots: the lead in yen if it ended now, and what can still be placed."""

from __future__ import annotations

from math import exp

from companion.engine import Over, Seat
from companion.games.crate_wars import rules, scoring
from companion.games.crate_wars.state import State, other

YEN = 1 / 700
"""A lead of so many yen makes the odds of winning e to 1."""
IN_SUPPLY_YEN = 20
"""Worth of a drink that can still be placed. Small: it only keeps a player from passing while others go on."""
TO_MOVE_YEN = (150, 35)
"""What the next play brings to a seat that can still place something, and more for each drink in its supply: about half
of what a good play changes in the lead."""


def promise(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; equal yen in the end is 0.5. Drinks in the machine count as if they came
    back."""
    match rules.turn(state):
        case Over(winners):
            return 0.5 if len(winners) == 2 else float(seat in winners)
    yen = scoring.yen(state)
    supplies = len(state.supplies[seat]) - len(state.supplies[other(seat)])
    lead = yen[seat] - yen[other(seat)] + IN_SUPPLY_YEN * supplies
    lead += _to_move(state) if seat == state.on_turn else -_to_move(state)
    return 1 / (1 + exp(-YEN * lead))


def _to_move(state: State) -> int:
    supply = len(state.supplies[state.on_turn])
    return TO_MOVE_YEN[0] + TO_MOVE_YEN[1] * supply if supply else 0
