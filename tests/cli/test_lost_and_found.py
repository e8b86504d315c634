"""Whole games with eyes that misread something for good: through the chain, with a player who answers."""

from __future__ import annotations

import pytest

from tests.cli.lost_and_found import Hard, fared, hard_looks
from tests.interpret.fuzz_selfplay import made_up

EVERY_PLY = (1, 0, 0)


@pytest.mark.parametrize("game", ["kamikaze-cans", "pick-and-pack"])
def test_a_piece_that_is_not_found_and_a_ghost_cost_nothing_else(game: str) -> None:
    story = made_up(game, 0, 12)

    counts = fared(story, list(hard_looks(story, 0, Hard(unseen=1, ghosts=1, odds=EVERY_PLY)))).counts

    assert (counts.silently_wrong, counts.missed) == (0, 0)
    assert counts.right >= 10


@pytest.mark.parametrize("hard", [Hard(mistaken=1, odds=EVERY_PLY), Hard(stuck=1, odds=EVERY_PLY)])
def test_what_is_misread_for_good_is_never_silently_wrong(hard: Hard) -> None:
    story = made_up("kamikaze-cans", 1, 12)

    counts = fared(story, list(hard_looks(story, 1, hard))).counts

    assert counts.silently_wrong == 0
    assert counts.right >= counts.plies / 2


def test_a_drink_that_comes_where_one_like_it_seemed_to_stand_is_not_silently_wrong() -> None:
    story = made_up("kamikaze-cans", 201, 8)

    assert fared(story, list(hard_looks(story, 201, Hard(mistaken=1, stuck=1)))).counts.silently_wrong == 0
