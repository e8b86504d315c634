from __future__ import annotations

from random import Random

import pytest

from companion.engine import Over, play
from companion.games.yuzu_twist import GAME
from tests.games.second_opinion import agree, both_counts
from tests.games.yuzu_twist.yt_naive import NaiveYuzuTwist


@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("seed", range(4))
def test_two_implementations_agree_at_every_ply_of_a_random_game(players: int, seed: int) -> None:
    assert agree(GAME, NaiveYuzuTwist, players, {"quiet_limit": 30}, Random(seed), 90) > 30


@pytest.mark.long
def test_two_implementations_agree_in_a_thousand_random_games() -> None:
    for seed in range(1000):
        agree(GAME, NaiveYuzuTwist, 1 + seed % 6, {"quiet_limit": 40}, Random(seed))


@pytest.mark.parametrize(("players", "played", "depth"), [(2, 0, 2), (2, 1, 2), (3, 13, 2), (4, 40, 2), (6, 91, 2)])
def test_two_implementations_count_as_many_sequences(players: int, played: int, depth: int) -> None:
    ours, theirs = both_counts(GAME, NaiveYuzuTwist, players, seed=played, played=played, depth=depth)
    assert ours == theirs


@pytest.mark.long
def test_a_whole_turn_has_over_a_million_futures() -> None:
    ours, theirs = both_counts(GAME, NaiveYuzuTwist, 2, seed=0, played=0, depth=3)
    assert ours == theirs
    assert ours > 1_000_000


@pytest.mark.parametrize("players", GAME.seats)
def test_random_games_come_to_an_end(players: int) -> None:
    for seed in range(4):
        rng = Random(seed)
        options = GAME.read_options({"quiet_limit": 25}, players)
        state = GAME.start(GAME.read_setup(GAME.deal(players, options, rng), options, players), options, players)
        for before, ply in play.random_game(GAME, state, rng, 200):
            state = GAME.apply(before, ply)
        assert isinstance(GAME.turn(state), Over)
