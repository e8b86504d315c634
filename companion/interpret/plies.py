"""The plies that may follow a state: those of the players, and chance where its outcomes can be listed or are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from companion.engine import CHANCE, AnyGame, Chance, Choose, Over, Ply

MAX_LISTED_OUTCOMES = 12
"""Where chance has more outcomes, they are not tried one by one."""
MAX_ROUNDS = 4
"""Passes over a choice of a subset in search of something better."""

Price = Callable[[Ply[Any]], float]
"""What a ply would cost, in nats."""


def possible_plies(game: AnyGame, state: Any, price: Price) -> Iterator[Ply[Any]]:
    """The plies that may come next. Of those that pick a subset only the one that fits the look best, and its
    neighbours; of chance nothing, if its outcomes are too many."""
    turn = game.turn(state)
    if isinstance(turn, Over):
        return
    for ply in game.legal(state):
        if isinstance(ply.action, Choose):
            yield from picked(game, ply, price)
        elif ply.player != CHANCE:
            yield ply
    if isinstance(turn, Chance) and next(iter(game.legal(state)), None) is None:
        outcomes = list(islice(game.outcomes(state), MAX_LISTED_OUTCOMES + 1))
        if len(outcomes) <= MAX_LISTED_OUTCOMES:
            yield from (Ply(CHANCE, action) for action, _ in outcomes)


def picked(game: AnyGame, ply: Ply[Choose], price: Price) -> list[Ply[Any]]:
    """The cheapest subset, found by changing one piece (of a fixed number: swapping two) at a time, and all that are
    one such change, or one swap, away from it."""
    choose = ply.action
    tried: dict[frozenset[str], tuple[float, Ply[Any]]] = {}

    def cost(names: frozenset[str]) -> float:
        if names not in tried:
            keys = {"type": choose.type, **dict(choose.rest), choose.key: sorted(names)}
            made = Ply(ply.player, game.read_action(keys))
            tried[names] = price(made), made
        return tried[names][0]

    best = frozenset(choose.among[: choose.number])
    for _ in range(MAX_ROUNDS):
        start = best
        for other in _changes(choose, start):
            names = best ^ other
            if (choose.number is None or len(names) == choose.number) and cost(names) < cost(best):
                best = names
        if best == start:
            break
    cost(best)
    near = dict.fromkeys([best, *(best ^ other for other in (*_changes(choose, best), *_swaps(choose, best)))])
    return [tried[names][1] for names in near if names in tried or cost(names) < float("inf")]


def _changes(choose: Choose, names: frozenset[str]) -> Sequence[frozenset[str]]:
    """What may be put in or taken out at a time."""
    if choose.number is None:
        return [frozenset({name}) for name in choose.among]
    return _swaps(choose, names)


def _swaps(choose: Choose, names: frozenset[str]) -> Sequence[frozenset[str]]:
    others = [name for name in choose.among if name not in names]
    return [frozenset({gone, come}) for gone in sorted(names) for come in others]


def plain_plies(game: AnyGame, state: Any) -> Iterator[Ply[Any]]:
    """The players' plies that may follow a state, but for those that pick some of many; none once the game is over."""
    if not isinstance(game.turn(state), Over):
        yield from (ply for ply in game.legal(state) if ply.player != CHANCE and not isinstance(ply.action, Choose))
