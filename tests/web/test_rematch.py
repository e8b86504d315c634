"""Again, with the seats turned: who sits where then, what stays, and who may."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from flask.testing import FlaskClient

from companion.errors import InvalidError, Phrase, phrase
from companion.games import registry
from companion.session.commands import LayOut, StartGame
from companion.session.events import Event
from companion.session.past import PastGame
from companion.session.snapshot import EyesShown
from companion.session.state import State
from companion.table import COLOURS, EyesState
from tests.session.tables import played
from tests.web import web_tables
from tests.web.phones import phone_at
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk
from web.rematch import again_turned


class OnePast:
    """The game of the session's tests alone."""

    def listed(self, before: int | None, most: int) -> tuple[PastGame, ...]:
        return ()

    def opened(self, number: int) -> State:
        if number != 1:
            raise InvalidError(phrase("session.no_past_game", game=number))
        return played().state

    def left(self, number: int) -> tuple[Event, ...]:
        return ()

    def delete(self, number: int) -> tuple[Phrase, ...]:
        return ()


def table_of(*, ended: bool, eyes: EyesState = "none") -> tuple[FlaskClient, FakeDesk]:
    desk = FakeDesk(replace(web_tables.table(), can_reopen=ended, match=1, eyes=EyesShown(eyes)))
    games = {web_tables.GAME.id: web_tables.GAME}
    app = create_app(desk=desk, words=web_tables.words(), games=games, past=OnePast())
    return phone_at(app, "10.0.0.9"), desk


@pytest.mark.parametrize("eyes", ["none", "free"])
def test_one_touch_begins_again_with_seats_turned(eyes: EyesState) -> None:
    phone, desk = table_of(ended=True, eyes=eyes)
    page = phone.get("/").get_data(as_text=True)
    assert "Again, seats turned" in page
    assert phone.post("/rematch", headers=HOME).status_code == 303
    (command,) = desk.sent
    assert isinstance(command, LayOut if eyes == "free" else StartGame)
    last = played().state.match
    assert last is not None
    names = [each["name"] for each in last.opened.header["players"]]
    assert [each["name"] for each in command.header["players"]] == [names[-1], *names[:-1]]


def test_a_game_that_is_on_is_not_thrown_away() -> None:
    phone, desk = table_of(ended=False)
    assert "Again, seats turned" not in phone.get("/").get_data(as_text=True)
    answer = phone.post("/rematch", headers=HOME)
    assert answer.status_code == 400
    assert "The game is still on." in answer.get_data(as_text=True)
    assert desk.sent == []


def test_colours_go_with_the_players_and_rules_stay() -> None:
    game = registry.game("kamikaze-cans")
    last = {"game": game.id, "players": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cem"}],
            "options": {"stub_cans_chain": False}, "setup": {"colours": ["red", "green", "blue"], "first": 1},
            "x-hints": True}  # fmt: skip
    again = again_turned(game, last, COLOURS, Random(1))
    assert [each["name"] for each in again["players"]] == ["Cem", "Ann", "Ben"]
    assert again["setup"]["colours"] == ["blue", "red", "green"]
    assert (again["options"], again["x-hints"]) == ({"stub_cans_chain": False}, True)


def test_who_has_no_name_is_called_by_the_seat_that_is_sat_on() -> None:
    game = registry.game("kamikaze-cans")
    last = {"game": game.id, "players": [{"name": "Player A"}, {"name": "Ben"}, {"name": "Player C"}],
            "setup": {"colours": ["red", "green", "blue"], "first": 1}}  # fmt: skip
    again = again_turned(game, last, COLOURS, Random(1), nameless=["Player A", "Player B", "Player C"])
    assert [each["name"] for each in again["players"]] == ["Player A", "Player B", "Ben"]
    assert again["setup"]["colours"] == ["blue", "red", "green"]


def test_every_game_can_be_begun_again_by_any_number_of_players() -> None:
    for id in registry.ids():
        game = registry.game(id)
        for players in game.seats:
            options = game.read_options({}, players)
            last = {"game": id, "players": [{"name": f"P{n}"} for n in range(players)], "options": options,
                    "setup": game.deal(players, options, Random(players))}  # fmt: skip
            again = again_turned(game, last, COLOURS, Random(3))
            setup = game.read_setup(again["setup"], options, players)
            game.start(setup, options, players)
