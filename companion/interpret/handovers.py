"""How often a turn is handed over at this table before anybody looked.

Who swaps twice does so in one go; who waits for the turn waits until the other hands are gone, and then there is a
look. So where it cannot be seen whose ply it was, before the end of a turn or after it, the player who went on is
likelier. How much likelier, the table tells: players who do not wait are believed to do so again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from companion.engine import CHANCE, AnyGame, Player, Ply
from companion.interpret.explanation import PLY_NATS, differing
from companion.interpret.outcome import Plies

USUAL_SEEN, USUAL_UNSEEN = 30.0, 0.05
"""Turns handed over with a look in between and without, before this table has shown its own: the share is that of the
picture sets (`python -m tests.interpret.score_handovers`), the numbers are small, for tables differ."""


@dataclass(frozen=True, slots=True)
class Handovers:
    """How many turns were handed over with a look in between and without, and who made the last ply that showed."""

    seen: int = 0
    unseen: int = 0
    last: Player | None = None

    @property
    def unseen_nats(self) -> float:
        """How unlikely it is that a turn was handed over without a look in between."""
        return math.log((self.seen + self.unseen + USUAL_SEEN + USUAL_UNSEEN) / (self.unseen + USUAL_UNSEEN))

    def nats(self, players: Sequence[Player], silent: int, looks: int) -> float:
        """How unlikely it is that these players made plies that show with so many looks in between, and `silent` ones
        that do not, in nats, beside the price of each: the end of a turn, which nobody sees, is one choice of two."""
        return self.unseen_nats * max(0, handed_over(players) - looks) - (PLY_NATS - math.log(2)) * silent

    def after(self, players: Sequence[Player], looks: int = 0) -> Handovers:
        """The same with what these plies, the first of them after a look, add to it."""
        if not players:
            return self
        seen = self.last is not None and CHANCE not in (self.last, players[0]) and self.last != players[0]
        unseen = max(0, handed_over(players) - looks)
        return Handovers(self.seen + seen, self.unseen + unseen, players[-1])


def handed_over(players: Sequence[Player]) -> int:
    """How often one player comes straight after another: not where chance has its part in between."""
    return sum(CHANCE not in pair and pair[0] != pair[1] for pair in pairwise(players))


def shown_by(game: AnyGame, state: Any, plies: Plies) -> Iterator[Ply[Any]]:
    """The plies that change what stands on the table, and those of chance, whatever they change."""
    for ply in plies:
        here, state = game.placement(state), game.apply(state, ply)
        if ply.player == CHANCE or differing(here, game.placement(state)):
            yield ply
