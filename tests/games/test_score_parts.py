"""What scores are made of: the parts of every game add up, in every state of random games, and say themselves."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import Accounting, AnyGame, Ply
from companion.engine.play import random_game
from companion.games import registry
from companion.words import load

GAMES = {id: registry.game(id) for id in ("kamikaze-cans", "yuzu-twist", "crate-wars", "pick-and-pack", "war-chest")}
WORDS = load("en", [game.words for game in GAMES.values()])
TABLES = [pytest.param(game, players, id=f"{id}-{players}") for id, game in GAMES.items() for players in game.seats]


def state_of(game: AnyGame, players: int, seed: int) -> object:
    rng = Random(seed)
    options = game.read_options(game.simulation, players)
    return game.start(game.deal(players, options, rng), options, players)


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_the_parts_add_up_in_every_state(game: AnyGame, players: int, seed: int) -> None:
    assert isinstance(game, Accounting)
    rules = (game.words / "RULES.md").read_text(encoding="utf-8")
    start, rng = state_of(game, players, seed), Random(seed)
    played = list(random_game(game, start, rng, 400))
    states = [state for state, _ in played] + [game.apply(*played[-1])]
    for state in states:
        parts = game.score_parts(state)
        assert tuple(sum(part.points for part in own) for own in parts) == game.scores(state)
        for part in (part for own in parts for part in own):
            assert f"**{part.rule}**" in rules
            assert part.said.id in WORDS.of(game.id)


def said(id: str, players: int, plies: list[dict[str, object]], setup: dict[str, object]) -> list[list[str]]:
    """The parts of each seat in words, after these plies."""
    game = GAMES[id]
    assert isinstance(game, Accounting)
    options = game.read_options({}, players)
    state = game.start(game.read_setup(setup, options, players), options, players)
    for n, action in enumerate(plies):
        state = game.apply(state, Ply(n % players, game.read_action(action)))
    words = WORDS.of(id)
    return [[f"{words.say(part.said)}: {part.points} ({part.rule})" for part in own]
            for own in game.score_parts(state)]


def test_drinks_in_the_grid_and_in_the_stock_are_told_apart() -> None:
    first, second = said("kamikaze-cans", 2, [{"type": "place", "drink": "red/stub_can", "to": "c4"}],
                         {"colours": ["red", "green"], "first": 0})
    assert first == [
        "stub can in the grid: 4 (KC 7.1)", "short can left in the stock: 1 (KC 7.2)",
        "tall can left in the stock: 2 (KC 7.2)", "square sides left in the stock: -3 (KC 7.2)",
        "not tallest bottle left in the stock: -2 (KC 7.2)", "tallest bottle left in the stock: -1 (KC 7.2)",
    ]
    assert second[0] == "stub can left in the stock: -4 (KC 7.2)"


def test_coins_that_were_not_spent_count() -> None:
    game = GAMES["crate-wars"]
    setup = game.deal(2, game.read_options({}, 2), Random(4))
    assert said("crate-wars", 2, [], setup) == [["coins of 500 yen not spent: 4: 2000 (CW 4.8)"]] * 2
