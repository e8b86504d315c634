from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.errors import Phrase, phrase
from companion.session.commands import StartGame
from tests.web import web_tables
from tests.web.phones import sit
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import NO_GAME, FakeDesk


class FakeHints:
    """Thinks once, then knows."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def ask(self, seat: int) -> tuple[Phrase, Phrase] | None:
        self.asked.append(seat)
        told = phrase("bots.consider", ply=phrase("kc.explode", drink="red/stub_can", at="c3")), phrase("web.no_game")
        return told if len(self.asked) > 1 else None


@pytest.fixture
def hints() -> FakeHints:
    return FakeHints()


@pytest.fixture
def client(desk: FakeDesk, hints: FakeHints) -> FlaskClient:
    games = {web_tables.GAME.id: web_tables.GAME}
    desk.show(replace(web_tables.table(), hints=True))
    return create_app(desk=desk, words=web_tables.words(), games=games, hints=hints).test_client()


def test_a_hint_is_thought_about_and_then_told_with_its_reason(client: FlaskClient, hints: FakeHints) -> None:
    first = client.get("/hint")
    assert first.headers["Refresh"] == "1"
    assert "thinking" in first.get_data(as_text=True)
    second = client.get("/hint")
    assert "Refresh" not in second.headers
    assert "onsider" in second.get_data(as_text=True)
    assert hints.asked == [1, 1]


def test_a_seat_that_is_not_on_turn_gets_no_hint(client: FlaskClient, hints: FakeHints) -> None:
    sit(client, 0)
    assert "player to move" in _told_at_the_table(client)
    sit(client, 1)
    assert client.get("/hint").status_code == 200
    assert hints.asked == [1]


def test_without_the_players_leave_there_is_no_hint(client: FlaskClient, desk: FakeDesk, hints: FakeHints) -> None:
    assert 'href="/hint"' in client.get("/").get_data(as_text=True)
    desk.show(web_tables.table())
    assert 'href="/hint"' not in client.get("/").get_data(as_text=True)
    assert "did not allow hints" in _told_at_the_table(client)
    assert hints.asked == []


def test_in_a_pause_no_hint_is_given_out(client: FlaskClient, desk: FakeDesk, hints: FakeHints) -> None:
    desk.show(replace(web_tables.table(), hints=True, paused=True))
    assert "The game is paused" in _told_at_the_table(client)
    answer = client.get("/hint.json")
    assert (answer.status_code, answer.get_json()["ok"]) == (404, False)
    assert "The game is paused" in answer.get_json()["error"]
    assert hints.asked == []


def test_before_a_game_a_hint_says_that_nobody_is_to_move(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(NO_GAME)
    assert client.get("/hint").status_code == 303
    with client.session_transaction() as kept:
        assert [text for _, text in kept["_flashes"]] == ["Nobody is to move now, so there is no hint."]


@pytest.mark.parametrize("allowed", [True, False])
def test_hints_are_allowed_at_the_start_alone(client: FlaskClient, desk: FakeDesk, allowed: bool) -> None:
    desk.show(NO_GAME)
    given = {"sent": "1", "game": web_tables.GAME.id, "go": "1", **({"hints": "on"} if allowed else {})}
    client.post("/start", data=given, headers=HOME)
    command = desk.sent[0]
    assert isinstance(command, StartGame)
    assert command.header.get("x-hints") is (True if allowed else None)


def _told_at_the_table(client: FlaskClient) -> str:
    assert client.get("/hint").status_code == 303
    return client.get("/").get_data(as_text=True)
