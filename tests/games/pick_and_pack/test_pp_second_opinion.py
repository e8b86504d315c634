from __future__ import annotations

from random import Random

import pytest

from companion.games.pick_and_pack import GAME
from tests.games.pick_and_pack.pp_naive import NaivePickAndPack
from tests.games.second_opinion import agree, both_counts


@pytest.mark.parametrize("seed", range(40))
def test_two_implementations_agree_at_every_ply_of_a_random_game(seed: int) -> None:
    assert agree(GAME, NaivePickAndPack, 2, {}, Random(seed)) > 10


@pytest.mark.long
def test_two_implementations_agree_in_a_thousand_random_games() -> None:
    for seed in range(1000):
        agree(GAME, NaivePickAndPack, 2, {}, Random(seed))


@pytest.mark.parametrize(("played", "depth"), [(0, 3), (6, 2), (15, 2), (30, 2), (40, 2)])
def test_two_implementations_count_as_many_sequences(played: int, depth: int) -> None:
    ours, theirs = both_counts(GAME, NaivePickAndPack, 2, seed=played, played=played, depth=depth)
    assert ours == theirs
