"""A set-up is dealt when its game begins, by what the service passes in; nobody can work out what was dealt."""

from __future__ import annotations

from random import Random, SystemRandom
from typing import Any

from flask.testing import FlaskClient

from companion.games import registry
from companion.session.commands import StartGame
from companion.words import load
from tests.web import web_tables
from tests.web.web_fixtures import HOME
from web.app import UNFORESEEN, create_app
from web.fakes import FakeDesk

GAMES = {id: registry.game(id) for id in registry.ids()}
WORDS = load("en", [game.words for game in GAMES.values()])
BLIND = {"game": "yuzu-twist", "players": "3", "sent": "1", "option.blind": "on", "go": "dealt"}


def phone_of(desk: FakeDesk, rng: Random = UNFORESEEN) -> FlaskClient:
    return create_app(desk=desk, words=WORDS, games=GAMES, rng=rng).test_client()


def dealt(rng: Random = UNFORESEEN) -> dict[str, Any]:
    desk = FakeDesk(web_tables.table(), ())
    phone_of(desk, rng).post("/start", data=BLIND, headers=HOME)
    (begun,) = desk.sent
    assert isinstance(begun, StartGame)
    assert begun.header["options"]["blind"]
    setup: dict[str, Any] = begun.header["setup"]
    return setup


def test_the_same_seed_deals_the_same_and_another_one_another() -> None:
    assert dealt(Random(5)) == dealt(Random(5))
    assert dealt(Random(5))["colours"] != dealt(Random(6))["colours"]


def test_without_a_seed_the_system_deals_and_never_the_same() -> None:
    assert isinstance(UNFORESEEN, SystemRandom)
    assert len({str(dealt()) for _ in range(4)}) == 4


def test_the_form_of_a_new_game_looks_the_same_each_time() -> None:
    for id in GAMES:
        client = phone_of(FakeDesk(web_tables.table(), ()))
        assert client.get(f"/start?game={id}").data == client.get(f"/start?game={id}").data
