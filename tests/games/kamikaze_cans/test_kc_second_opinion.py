from __future__ import annotations

from random import Random

import pytest

from companion.games.kamikaze_cans import GAME
from tests.games.kamikaze_cans.naive_cans import NaiveCans
from tests.games.second_opinion import agree, both_counts


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("chain", [True, False])
@pytest.mark.parametrize("limit", [None, 3])
def test_two_implementations_agree_at_every_ply_of_random_games(players: int, chain: bool, limit: int | None) -> None:
    for seed in range(3):
        options = {"stub_cans_chain": chain, "quiet_limit": limit}
        assert agree(GAME, NaiveCans, players, options, Random(seed)) > 1


@pytest.mark.long
def test_two_implementations_agree_in_a_thousand_random_games() -> None:
    for seed in range(1000):
        options = {"stub_cans_chain": seed % 3 > 0, "quiet_limit": (None, 2, 5)[seed % 3]}
        agree(GAME, NaiveCans, 2 + seed % 5, options, Random(seed))


@pytest.mark.parametrize(("played", "players", "depth"), [(0, 2, 1), (0, 2, 2), (7, 2, 2), (8, 3, 2), (12, 4, 2)])
def test_two_implementations_count_as_many_games_to_a_depth(played: int, players: int, depth: int) -> None:
    ours, theirs = both_counts(GAME, NaiveCans, players, seed=played, played=played, depth=depth)
    assert ours == theirs


def test_there_are_216_first_plies_and_45360_pairs() -> None:
    assert both_counts(GAME, NaiveCans, 2, seed=1, played=0, depth=1)[0] == 6 * 36
    assert both_counts(GAME, NaiveCans, 2, seed=1, played=0, depth=2)[0] == 6 * 36 * 6 * 35
