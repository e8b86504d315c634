"""The bot that looks one ply ahead: it plays what is worth most at once."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.bots.bot import Budget, Decision, Option, seat_to_act
from companion.bots.hints import percent
from companion.bots.plies import any_ply, plies_of
from companion.bots.value import value_after_chance
from companion.engine import AnyGame, Seen
from companion.errors import phrase

WORLDS: Final = 4
"""What is hidden is made up so often; a ply counts what it is worth on average."""


class Greedy:
    """One ply ahead by the game's `promise`, chance and hidden things drawn some times."""

    def choose(self, game: AnyGame, seen: Seen, rng: Random, budget: Budget) -> Decision:
        """The ply worth most at once; among equal ones any."""
        seat, goes_on = seat_to_act(seen), budget.begin()
        worlds = [game.possible(seen, rng) for _ in range(WORLDS)]
        if all(world == worlds[0] for world in worlds):
            worlds = worlds[:1]
        if not goes_on(0):
            return Decision(any_ply(game, worlds[0], seat, rng), phrase("bots.why_at_once"))
        plies = plies_of(game, worlds[0], seat, rng)
        rng.shuffle(plies)
        values = []
        for number, ply in enumerate(plies):
            if number and not goes_on(0):
                break
            after = (value_after_chance(game, game.apply(world, ply), seat, rng) for world in worlds)
            values.append(Option(ply, sum(after) / len(worlds), len(worlds)))
        values.sort(key=lambda option: -option.value)
        return Decision(values[0].ply, phrase("bots.why_greedy", value=percent(values[0].value)), tuple(values))
