"""Games as far as tests of the bots need them."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.bots import Bot, Budget
from companion.bots.plies import settle
from companion.bots.value import outcome
from companion.engine import AnyGame, Over, ToMove, play
from companion.games import registry

FEW = Budget(playouts=12)
OPTIONS: dict[str, dict[str, Any]] = {"yuzu-twist": {"quiet_limit": 80}, "kamikaze-cans": {"quiet_limit": 20}}


def start(game: AnyGame, players: int, rng: Random, **also: Any) -> Any:
    """A game that was dealt at random."""
    options = game.read_options({**OPTIONS.get(game.id, {}), **also}, players)
    return game.start(game.read_setup(game.deal(players, options, rng), options, players), options, players)


def states(game: AnyGame, players: int, rng: Random, wanted: int, apart: int, **also: Any) -> list[Any]:
    """States of random games in which somebody is to act, some plies apart."""
    found: list[Any] = []
    while len(found) < wanted:
        for n, (state, _) in enumerate(play.random_game(game, start(game, players, rng, **also), rng, 400)):
            if n % apart == 0 and isinstance(game.turn(state), ToMove):
                found.append(state)
    return found[:wanted]


def legal(game: AnyGame, state: Any, ply: Any) -> bool:
    """Whether a ply can be made."""
    try:
        game.apply(state, ply)
    except ValueError:
        return False
    return True


def match(game: AnyGame, bots: tuple[Bot, Bot], rng: Random, budget: Budget = FEW) -> float:
    """What the first of the bots made of a game against the second."""
    state = settle(game, start(game, 2, rng), rng)
    while not isinstance(turn := game.turn(state), Over):
        seat = turn.seats[0]
        decision = bots[seat].choose(game, game.view(state, seat), rng, budget)
        state = settle(game, game.apply(state, decision.ply), rng)
    return outcome(turn, 2)[0]


GAMES = [registry.game(id) for id in registry.ids()]
"""All games."""
