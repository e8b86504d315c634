"""The bot that looks one ply ahead: it plays what is worth most at once."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any

from companion.bots.bot import Budget, Decision, Option, seat_to_act
from companion.bots.hints import percent
from companion.bots.plies import any_ply, plies_of, worlds
from companion.bots.value import value_after_chance
from companion.engine import AnyGame, Ply, Seen
from companion.errors import phrase


class Greedy:
    """One ply ahead by the game's `evaluate`, on average over some answers of chance and of what may be hidden."""

    def choose(self, game: AnyGame, seen: Seen, rng: Random, budget: Budget) -> Decision:
        """The ply worth most at once; among equal ones any."""
        seat, goes_on = seat_to_act(seen), budget.begin()
        made_up = worlds(game, seen, rng)
        if not goes_on(0):
            return Decision(any_ply(game, made_up[0], seat, rng), phrase("bots.why_at_once"))
        found: dict[Ply[Any], list[float]] = {}
        for world in made_up:
            for ply in plies_of(game, world, seat, rng):
                if found and not goes_on(0):
                    break
                value = value_after_chance(game, game.apply(world, ply), seat, rng)
                found.setdefault(ply, []).append(value)
        options = [Option(ply, fmean(values), len(values)) for ply, values in found.items()]
        rng.shuffle(options)
        options.sort(key=lambda option: -option.value)
        best = options[0]
        return Decision(best.ply, phrase("bots.why_greedy", value=percent(best.value)), tuple(options))
