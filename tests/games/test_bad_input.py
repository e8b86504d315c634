"""Whatever stands in a set-up, in options or in an action: it is read, or refused in words; nothing else happens."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest

from companion.engine import AnyGame, Choose, Ply, play
from companion.errors import IllegalError, InvalidError, Phrase
from companion.games import registry
from companion.words import load

JUNK: list[Any] = [
    None, True, False, 0, 1, 7, -1, 1.0, 10**30, "", "a1", "red", "red/stub_can", "A", "ä", "1", [], {}, [[]], [1, 2],
    {"type": "pass"}, ["red/stub_can"] * 7, [[0, 1], [2, 3]], {"0": []}, "x" * 1000, ["left", 1],
]  # fmt: skip


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in a JSON value."""
    found = [path]
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in children:
        found += nodes(each, (*path, key))
    return found


def spoiled(value: Any, rng: Random) -> Any:
    """The value with one thing in it replaced, removed, doubled or added."""
    path = rng.choice(nodes(value))
    if not path:
        return rng.choice(JUNK)
    value = copy.deepcopy(value)
    parent = value
    for key in path[:-1]:
        parent = parent[key]
    match rng.randrange(4):
        case 0 if isinstance(parent, dict):
            del parent[path[-1]]
        case 1 if isinstance(parent, dict):
            parent[f"y{rng.randrange(9)}"] = rng.choice(JUNK)
        case 2 if isinstance(parent, list):
            parent.append(parent[path[-1]])
        case _:
            parent[path[-1]] = rng.choice(JUNK)
    return value


def assert_said(game: AnyGame, told: list[Phrase]) -> None:
    """Every phrase has words, and its gaps are filled."""
    words = load("en", [game.words])
    assert [phrase for phrase in told if phrase.id not in words or not words.say(phrase)] == []


@pytest.mark.parametrize("id", registry.ids())
def test_spoiled_set_ups_and_options_are_refused_in_words_or_read(id: str) -> None:
    game, rng = registry.game(id), Random(id)
    told = []
    for _ in range(300):
        players = rng.choice(game.seats)
        options = game.read_options({}, players)
        setup = game.read_setup(game.deal(players, options, rng), options, players)
        try:
            read = game.read_setup(spoiled(setup, rng), options, players)
            game.start(read, options, players)
            game.read_options({**options, rng.choice([*options, "more"]): rng.choice(JUNK)}, players)
        except (InvalidError, IllegalError) as error:
            told.append(error.phrase)
    assert len(told) > 200
    assert_said(game, told)


@pytest.mark.parametrize("id", registry.ids())
def test_spoiled_actions_are_refused_in_words_or_played_and_the_state_stays(id: str) -> None:
    game, rng = registry.game(id), Random(id)
    told = []
    for players in game.seats:
        options = game.read_options({}, players)
        state = game.start(game.read_setup(game.deal(players, options, rng), options, players), options, players)
        for before, _ in play.random_game(game, state, rng, 40):
            shown = repr(before)
            plies = [ply for ply in game.legal(before) if not isinstance(ply.action, Choose)]
            for ply in rng.sample(plies, min(3, len(plies))):
                try:
                    action = game.read_action(json.loads(json.dumps(spoiled(game.write_action(ply.action), rng))))
                    game.apply(before, Ply(rng.choice([*range(players), players, "chance"]), action))
                except (InvalidError, IllegalError) as error:
                    told.append(error.phrase)
            assert repr(before) == shown
    assert_said(game, told)
