"""The trial of interpretation that ships for games made elsewhere."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine.trial import ConformanceError
from companion.games import registry
from companion.games.kamikaze_cans.game import KamikazeCans
from companion.interpret.conformance import follows, tally_of
from companion.interpret.trial_eyes import TrialNoise
from companion.interpret.trial_games import made_up
from companion.table import Placement


@pytest.mark.wide
def test_a_game_is_followed_with_perfect_eyes_and_with_noisy_ones() -> None:
    game = registry.game("kamikaze-cans")

    assert follows(game, 2, Random(1), max_plies=12).looks["right"] >= 8
    assert follows(game, 3, Random(1), max_plies=12, noise=TrialNoise(seed=1)).looks["silently wrong"] == 0


class Blurred(KamikazeCans):
    """A game whose placement shows the grid alone, and that only as far as column c."""

    def placement(self, state: Any) -> Placement:
        return {spot: pieces for spot, pieces in super().placement(state).items() if "grid:a" <= spot < "grid:d"}


@pytest.mark.wide
def test_a_game_whose_plies_do_not_show_is_told_so() -> None:
    with pytest.raises(ConformanceError, match=r"kamikaze-cans: of \d+ looks \d+ are doubtful|read wrong"):
        follows(Blurred(), 2, Random(1), max_plies=20)


def test_a_wrong_look_is_told_with_what_was_played() -> None:
    story = made_up(registry.game("kamikaze-cans"), Random(3), 2, max_plies=6)
    # the last ply is another than the table shows
    other = next(ply for ply in story.game.legal(story.states[-2]) if ply != story.plies[-1])
    wrong = replace(story, plies=(*story.plies[:-1], other))

    tally = tally_of(wrong, seed=1)

    assert sum(tally.looks.values()) >= 4
    assert all("played" in each for each in tally.wrong)
