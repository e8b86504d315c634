"""Holds a game against a second, naive implementation of its rules, and counts how many games there are to a depth.

A second opinion is written from the rules alone, in another style: a bag of JSON that is changed in place.

    class Naive:
        def __init__(self, setup, options, players): ...
        def moves(self) -> list[tuple[player, action]]     # actions as in `record legal`, subsets in the choose form
        def play(self, player, action) -> None             # the action itself
        def end(self) -> tuple[winners, reason] | None
        scores: list[int]
"""

from __future__ import annotations

import copy
import itertools
import json
from math import comb
from random import Random
from typing import Any

from companion.engine import AnyGame, Chance, Choose, Over, Ply, play


def canonical(moves: Any) -> list[str]:
    return sorted(json.dumps([player, action], sort_keys=True) for player, action in moves)


def engine_moves(game: AnyGame, state: Any) -> list[tuple[Any, Any]]:
    return [(ply.player, game.write_action(ply.action)) for ply in game.legal(state)]


def agree(game: AnyGame, naive_class: Any, players: int, options: dict[str, Any], rng: Random, most: int = 400) -> int:
    """Plays a game at random; at every ply both must list the same and score the same. Gives the number of plies."""
    filled = game.read_options(options, players)
    setup = game.read_setup(game.deal(players, filled, rng), filled, players)
    state, naive = game.start(setup, filled, players), naive_class(copy.deepcopy(setup), filled, players)
    for n in range(most):
        turn = game.turn(state)
        assert naive.end() == ((list(turn.winners), turn.reason) if isinstance(turn, Over) else None), n
        assert list(naive.scores) == list(game.scores(state)), n
        if isinstance(turn, Over):
            return n
        assert canonical(naive.moves()) == canonical(engine_moves(game, state)), n
        ply = Ply("chance", game.sample(state, rng)) if isinstance(turn, Chance) else likely_ply(game, state, rng)
        naive.play(ply.player, game.write_action(ply.action))
        state = game.apply(state, ply)
    return most


def likely_ply(game: AnyGame, state: Any, rng: Random) -> Ply[Any]:
    """A random ply, each type of action as likely as the others, so that rare ones come often."""
    types: dict[str, list[Ply[Any]]] = {}
    for ply in game.legal(state):
        types.setdefault(ply.action.type, []).append(ply)
    if len(types) > 1 and rng.random() < 0.9:
        types.pop("pass", None)  # or games would be short
    ply = rng.choice(types[rng.choice(sorted(types))])
    return Ply(ply.player, play.random_choice(game, ply.action, rng)) if isinstance(ply.action, Choose) else ply


def chosen(action: Any, key: str) -> list[Any]:
    """The actions that a `choose` stands for."""
    sizes = range(len(action["from"]) + 1) if action["choose"] is None else [action["choose"]]
    rest = {name: value for name, value in action.items() if name not in ("choose", "from")}
    return [
        {**rest, key: sorted(subset)} for size in sizes for subset in itertools.combinations(action["from"], size)
    ]


KEYS = {"vended": "returned", "keep": "drinks"}


def count(game: AnyGame, state: Any, depth: int) -> int:
    """How many sequences of so many plies there are, by the engine."""
    if depth == 1:
        return sum(_width(ply.action) for ply in game.legal(state))
    total = 0
    for ply in game.legal(state):
        written = game.write_action(ply.action)
        each = chosen(written, KEYS[written["type"]]) if "choose" in written else [written]
        for action in each:
            total += count(game, game.apply(state, Ply(ply.player, game.read_action(action))), depth - 1)
    return total


def _width(action: Any) -> int:
    if not isinstance(action, Choose):
        return 1
    size = len(action.among)
    return 2**size if action.number is None else comb(size, action.number)


def naive_count(naive: Any, depth: int) -> int:
    """The same by the second opinion, one by one."""
    total = 0
    for player, action in naive.moves():
        for each in chosen(action, KEYS[action["type"]]) if "choose" in action else [action]:
            if depth == 1:
                total += 1
            else:
                after = copy.deepcopy(naive)
                after.play(player, each)
                total += naive_count(after, depth - 1)
    return total


def both_counts(game: AnyGame, naive_class: Any, players: int, seed: int, played: int, depth: int) -> tuple[int, int]:
    """Both counts from a position reached by `played` random plies."""
    rng = Random(seed)
    filled = game.read_options({}, players)
    setup = game.read_setup(game.deal(players, filled, rng), filled, players)
    state, naive = game.start(setup, filled, players), naive_class(copy.deepcopy(setup), filled, players)
    for _ in range(played):
        if isinstance(game.turn(state), Over):
            break
        chance = isinstance(game.turn(state), Chance)
        ply = Ply("chance", game.sample(state, rng)) if chance else likely_ply(game, state, rng)
        naive.play(ply.player, game.write_action(ply.action))
        state = game.apply(state, ply)
    return count(game, state, depth), naive_count(naive, depth)
