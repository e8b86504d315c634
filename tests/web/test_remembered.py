"""Who played last is offered first, with colours and rules; what the config says wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games import registry
from companion.session.past import PastGame
from companion.table import COLOURS
from tests.web.test_past_pages import FakePast
from web.remembered import known_names, last_games, proposed
from web.start import start_form

CANS, YUZU = registry.game("kamikaze-cans"), registry.game("yuzu-twist")


def played(number: int, id: str, names: tuple[str, ...], **header: Any) -> PastGame:
    """A game that has begun; its set-up is dealt, but for what is given."""
    game = registry.game(id)
    options = game.read_options(header.pop("options", {}), len(names))
    setup = {**game.deal(len(names), options, Random(number)), **header}
    return PastGame(number, id, names, "2026-11-24T12:00:00Z", 0, None, None, "",
                    {"game": id, "options": options, "setup": setup})


def test_who_played_the_game_last_is_offered_with_their_colours() -> None:
    last = (played(3, "yuzu-twist", ("Fay", "Gus")),
            played(2, "kamikaze-cans", ("Ann", "Ben", "Cem"), colours=["red", "blue", "green"]),
            played(1, "kamikaze-cans", ("Dora", "Eli")))
    form = start_form(CANS, {}, proposed(CANS, {}, last), COLOURS, str, Random(1))
    assert form.players == ("Ann", "Ben", "Cem")
    assert form.colours[0].chosen == ("red", "blue", "green")


def test_in_a_new_game_the_names_of_the_last_one_are_offered() -> None:
    last = (played(1, "kamikaze-cans", ("Ann", "Ben", "Cem")),)
    names = [{"name": each} for each in ("Ann", "Ben", "Cem")]
    assert proposed(YUZU, {}, last) == {"game": "yuzu-twist", "players": names}


def test_what_the_config_says_of_its_game_wins() -> None:
    last = (played(1, "kamikaze-cans", ("Ann", "Ben")),)
    configured = {"game": "kamikaze-cans", "players": [{"name": "Zoe"}, {"name": "Yan"}]}
    assert proposed(CANS, configured, last)["players"] == configured["players"]
    assert proposed(YUZU, configured, last)["players"] == [{"name": "Ann"}, {"name": "Ben"}]


def test_what_a_set_up_hides_is_never_offered() -> None:
    last = (played(1, "yuzu-twist", ("Ann", "Ben"), options={"blind": True}),)
    assert last[0].header["setup"]["colours"]
    assert proposed(YUZU, {}, last)["setup"] == {}


def test_everybody_is_known_once_the_last_ones_first_and_the_forgotten_are_not() -> None:
    last = last_games(FakePast((
        played(3, "kamikaze-cans", ("Ann", "Ben")), played(2, "kamikaze-cans", ("A", "B", "C")),
        played(1, "yuzu-twist", ("Cem", "Ann")))))
    assert known_names(last) == ("Ann", "Ben", "Cem")


def test_without_a_journal_nothing_is_remembered() -> None:
    assert last_games(None) == ()
    assert proposed(CANS, {}, ()) == {"game": "kamikaze-cans"}


@pytest.mark.parametrize("broken", [{}, {"options": {"no": 1}, "setup": {}}, {"options": {}, "setup": {"colours": 3}}])
def test_a_header_that_cannot_be_read_is_no_obstacle(broken: dict[str, Any]) -> None:
    odd = PastGame(1, "kamikaze-cans", ("Ann", "Ben"), "", 0, None, None, "", broken)
    assert start_form(CANS, {}, proposed(CANS, {}, (odd,)), COLOURS, str, Random(1)).players == ("Ann", "Ben")
