"""The bot that plays any legal ply."""

from __future__ import annotations

from random import Random

from companion.bots.bot import Budget, Decision, seat_to_act
from companion.engine import AnyGame, Choose, Ply, Seen, play
from companion.errors import phrase


class RandomBot:
    """Each legal ply is as likely as the others."""

    def choose(self, game: AnyGame, seen: Seen, rng: Random, _budget: Budget) -> Decision:
        """A ply at random."""
        seat = seat_to_act(seen)
        ply = rng.choice([ply for ply in game.legal(game.possible(seen, rng)) if ply.player == seat])
        if isinstance(ply.action, Choose):
            ply = Ply(seat, play.random_choice(game, ply.action, rng))
        return Decision(ply, phrase("bots.why_random"))
