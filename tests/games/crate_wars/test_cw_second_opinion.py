from __future__ import annotations

from random import Random

import pytest

from companion.games.crate_wars import GAME
from tests.games.crate_wars.cw_naive import NaiveCrateWars
from tests.games.second_opinion import agree, both_counts


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("points", ["local", "global"])
def test_two_implementations_agree_at_every_ply_of_a_random_game(seed: int, points: str) -> None:
    assert agree(GAME, NaiveCrateWars, 2, {"points": points}, Random(seed)) > 1


@pytest.mark.long
def test_two_implementations_agree_in_a_thousand_random_games() -> None:
    for seed in range(1000):
        agree(GAME, NaiveCrateWars, 2, {"points": ("local", "global")[seed % 2]}, Random(seed))


@pytest.mark.parametrize("played", [0, 4, 9, 14])
def test_two_implementations_count_as_many_pairs_of_plies(played: int) -> None:
    ours, theirs = both_counts(GAME, NaiveCrateWars, 2, seed=played, played=played, depth=2)
    assert ours == theirs
