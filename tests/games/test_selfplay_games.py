"""Games played at random come to an end, and their records hold and come out byte for byte."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import play, record
from companion.games import registry


def play_games(id: str, games: int) -> None:
    game = registry.game(id)
    for number in range(games):
        players = game.seats[number % len(game.seats)]
        lines = play.random_record(game, players, Random(f"{id} {number}"), "2026-01-01T12:00:00Z", None, 600)
        text = "".join(lines)
        assert record.check(text, registry.game).text == text


@pytest.mark.parametrize("game", registry.ids())
def test_twenty_games_are_played_and_checked(game: str) -> None:
    play_games(game, 20)


@pytest.mark.long
@pytest.mark.parametrize("game", registry.ids())
def test_a_thousand_games_are_played_and_checked(game: str) -> None:
    play_games(game, 1000)
