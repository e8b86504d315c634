"""What a played game was worth, ply by ply: the value over the game, turning points, and what was missed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.bots.bot import Budget, Decision
from companion.bots.search import Search
from companion.engine import AnyGame, Ply, Seat, Seen
from companion.errors import Phrase

NOTABLE, TURNING = 0.03, 0.15
"""A ply that gives away so much is worth a word, or is a turning point."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A ply that was played, beside the one that the search would play. Values are for its seat, 0 lost to 1 won.

    `best_value` is thus also what the position was worth before the ply.
    """

    seat: Seat
    ply: Ply[Any]
    value: float
    best: Ply[Any]
    best_value: float
    why: Phrase

    @property
    def missed(self) -> float:
        """What the ply gave away."""
        return max(0.0, self.best_value - self.value)

    @property
    def is_notable(self) -> bool:
        """Whether it gave away enough to speak of."""
        return self.missed >= NOTABLE

    @property
    def is_turning_point(self) -> bool:
        """Whether it gave away much."""
        return self.missed >= TURNING


def judge(game: AnyGame, state: Any, ply: Ply[Any], rng: Random, budget: Callable[[], Budget]) -> Judged:
    """Judges a ply by what its seat could know: once free to choose, once thinking about that ply alone.

    Each of the two thinks for one `budget`, and looks ahead once however short that is.
    """
    seat = int(ply.player)
    seen = game.view(state, seat)
    free, best_value = _thought(Search(), game, seen, rng, budget())
    if free.ply == ply:
        return Judged(seat, ply, best_value, ply, best_value, free.why)
    _, value = _thought(Search(only=ply), game, seen, rng, budget())
    if value >= best_value:
        return Judged(seat, ply, value, ply, value, free.why)
    return Judged(seat, ply, value, free.ply, best_value, free.why)


def _thought(search: Search, game: AnyGame, seen: Seen, rng: Random, budget: Budget) -> tuple[Decision, float]:
    decision = search.choose(game, seen, rng, budget)
    if decision.value is None:
        decision = search.choose(game, seen, rng, Budget(playouts=1))
    assert decision.value is not None
    return decision, decision.value
