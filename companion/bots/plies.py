"""The plies a bot thinks about, and what chance makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any, Final

from companion.engine import CHANCE, AnyGame, Chance, Choose, Ply, Seat, Seen, play

MAX_WORLDS: Final = 6
"""How often what is hidden is made up."""
MAX_SUBSETS: Final = 32
"""How many subsets stand for a `Choose` that has more of them; all of them if it has not."""


def plies_of(game: AnyGame, state: Any, seat: Seat, rng: Random) -> list[Ply[Any]]:
    """The legal plies of a seat; where a subset is to be chosen, some of the subsets, drawn at random."""
    found: list[Ply[Any]] = []
    for ply in game.legal(state):
        if ply.player != seat:
            continue
        if isinstance(ply.action, Choose):
            found += (Ply(seat, action) for action in _subsets(game, ply.action, rng))
        else:
            found.append(ply)
    return found


def any_ply(game: AnyGame, state: Any, seat: Seat, rng: Random) -> Ply[Any]:
    """The first legal ply of a seat, without listing the others."""
    ply = next(ply for ply in game.legal(state) if ply.player == seat)
    return Ply(seat, play.random_choice(game, ply.action, rng)) if isinstance(ply.action, Choose) else ply


def worlds(game: AnyGame, seen: Seen, rng: Random) -> list[Any]:
    """Some states that agree with all that the observer knows; just one where nothing is hidden.

    Whether anything is hidden shows in the states themselves: they differ. Nobody is asked for the truth.
    """
    made_up = [game.possible(seen, rng) for _ in range(MAX_WORLDS)]
    return made_up[:1] if all(world == made_up[0] for world in made_up) else made_up


def settle(game: AnyGame, state: Any, rng: Random) -> Any:
    """The state once chance has answered, as often as it is due, by its odds."""
    while isinstance(game.turn(state), Chance):
        state = game.apply(state, Ply(CHANCE, game.sample(state, rng)))
    return state


def _subsets(game: AnyGame, choose: Choose, rng: Random) -> Iterator[Any]:
    many = 2 ** len(choose.among) if choose.number is None else comb(len(choose.among), choose.number)
    if many > MAX_SUBSETS:
        yield from dict.fromkeys(play.random_choice(game, choose, rng) for _ in range(MAX_SUBSETS))
        return
    numbers = range(len(choose.among) + 1) if choose.number is None else (choose.number,)
    for chosen in chain.from_iterable(combinations(choose.among, number) for number in numbers):
        yield game.read_action({"type": choose.type, **dict(choose.rest), choose.key: sorted(chosen)})
