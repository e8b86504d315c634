"""A rough value of an unfinished game, for bots: the lead in yen if it ended now, and what can still be placed."""

from __future__ import annotations

from math import exp

from companion.engine import Over, Seat
from companion.games.crate_wars import rules, scoring
from companion.games.crate_wars.state import State, other

DOUBT_YEN = (250, 180)
"""A lead of so many yen makes the odds of winning e to 1, and so many more for each drink in the fuller supply: as long
as somebody can place drinks, much of a lead may go. Fitted to how games of greedy bots came out."""
IN_SUPPLY_YEN = 150
"""Worth of a drink that can still be placed, fitted to the same games."""
TO_MOVE_YEN = (150, 35)
"""What the next play brings to a seat that can still place something, and more for each drink in its supply: about half
of what a good play changes in the lead."""


def evaluate(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; equal yen in the end is 0.5. Drinks in the machine count as if they came
    back."""
    match rules.turn(state):
        case Over(winners):
            return 0.5 if len(winners) == 2 else float(seat in winners)
    yen = scoring.yen(state)
    own, others = len(state.supplies[seat]), len(state.supplies[other(seat)])
    lead = yen[seat] - yen[other(seat)] + IN_SUPPLY_YEN * (own - others)
    lead += _to_move(state) if seat == state.on_turn else -_to_move(state)
    doubt = DOUBT_YEN[0] + DOUBT_YEN[1] * max(own, others)
    return 1 / (1 + exp(-lead / doubt))


def _to_move(state: State) -> int:
    supply = len(state.supplies[state.on_turn])
    return TO_MOVE_YEN[0] + TO_MOVE_YEN[1] * supply if supply else 0
