"""What the eyes saw is shown to those who sit at the game, and to the host."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web import web_tables
from tests.web.phones import host, phone_at, sit
from tests.web.test_past_pages import FakePast, game
from web.app import create_app
from web.fakes import FakeDesk

PAST_KEY = "AbcdEfgh-_123456"


class FakeEvidence:
    """Two plies of the open game have a picture, and one of a game of before."""

    def plies(self, key: str) -> tuple[int, ...]:
        return {web_tables.KEY: (1, 3), PAST_KEY: (2,)}.get(key, ())

    def picture(self, key: str, n: int) -> bytes | None:
        return b"\xff\xd8" + key.encode() if n in self.plies(key) else None


@pytest.fixture
def app(desk: FakeDesk) -> Flask:
    number = desk.snapshot().match
    games = [game(each, "2026-11-24T12:10:00Z", (1,)) for each in range(number + 3, 0, -1)]
    past = FakePast(tuple(replace(each, key=PAST_KEY if each.number == number + 2 else "") for each in games))
    return create_app(desk=desk, words=web_tables.words(), games={}, past=past, evidence=FakeEvidence())


def number(desk: FakeDesk) -> int:
    return desk.snapshot().match


def test_who_sits_sees_the_pictures_of_the_open_game(app: Flask, desk: FakeDesk, client: FlaskClient) -> None:
    host(client)
    for phone in (client, sit(phone_at(app, "10.0.0.2"), 0)):
        page = phone.get(f"/saw/{number(desk)}").get_data(as_text=True)
        assert page.index("Move 3") < page.index("Move 1")
        picture = phone.get(f"/saw/{number(desk)}/3.jpg")
        assert (picture.status_code, picture.mimetype) == (200, "image/jpeg")
        assert picture.data == b"\xff\xd8" + web_tables.KEY.encode()
        assert picture.headers["Cache-Control"] == "no-store"
        assert phone.get(f"/saw/{number(desk)}/2.jpg").status_code == 404


def test_who_only_watches_sees_none(app: Flask, desk: FakeDesk, client: FlaskClient) -> None:
    host(client)
    watcher = phone_at(app, "10.0.0.3")
    for path in ("", "/1.jpg", "/2.jpg"):
        assert watcher.get(f"/saw/{number(desk)}{path}").status_code == 403


def test_another_game_is_the_hosts_alone(app: Flask, desk: FakeDesk, client: FlaskClient) -> None:
    host(client)
    seat = sit(phone_at(app, "10.0.0.2"), 0)
    there = number(desk) + 1
    assert seat.get(f"/saw/{there}").status_code == 403
    assert "There is no picture" in client.get(f"/saw/{there}").get_data(as_text=True)
    assert client.get(f"/saw/{there}/2.jpg").status_code == 404


def test_the_host_sees_the_pictures_of_a_game_of_before(app: Flask, desk: FakeDesk, client: FlaskClient) -> None:
    host(client)
    page = client.get(f"/saw/{number(desk) + 2}").get_data(as_text=True)
    assert "Move 2" in page
    assert client.get(f"/saw/{number(desk) + 2}/2.jpg").data == b"\xff\xd8" + PAST_KEY.encode()
    assert sit(phone_at(app, "10.0.0.2"), 0).get(f"/saw/{number(desk) + 2}/2.jpg").status_code == 403


@pytest.mark.parametrize("path", ["/saw/x", "/saw/999999", "/saw/-1", "/saw/x/1.jpg", "/saw/999999/1.jpg"])
def test_what_is_no_game_is_not_there(client: FlaskClient, path: str) -> None:
    host(client)
    assert client.get(path).status_code == 404
