"""The page of a seat's own hand, over HTTP with a real session: what is told there reaches no other page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.engine import Observer
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import Correct, StartGame
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.writer import Writer
from companion.words import load
from tests.web.phones import host, sit
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakePhone
from web.streams import BEAT, Streams

WAR_CHEST = {
    "game": "war-chest", "options": {"knowledge": "referee"}, "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {
        "units": [["swordsman", "pikeman", "crossbowman", "light_cavalry"], ["archer", "cavalry", "lancer", "scout"]],
        "initiative": 0,
    },
}
PLIES = [("chance", {"type": "draw"}), (0, {"type": "pass"}), (1, {"type": "pass"})]
PATHS = (
    "/", "/start", "/correct", "/setup-again", "/position", "/position.json", "/eyes", "/eyes.json",
    "/panel", "/panel.json", "/health", "/hand",
    "/score", "/host",
)
GAMES = {id: registry.game(id) for id in registry.ids()}


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    resumed = open_journal(tmp_path, library, FakeClock())
    made = Writer(session=Session(library=library, clock=FakeClock()), journal=resumed.journal, state=resumed.state,
                  clock=FakeClock())
    thread = Thread(target=made.run)
    thread.start()
    yield made
    made.stop()
    thread.join(10)
    made.close()


@pytest.fixture
def house(writer: Writer) -> Flask:
    writer.send(StartGame(0, "host", WAR_CHEST))
    for player, action in PLIES:
        writer.send(Correct(writer.snapshot().seq, "host", 0, ({"player": player, "action": action},)))
    return create_app(desk=writer, words=load("en", [game.words for game in GAMES.values()]), games=GAMES)


def phone_of(house: Flask, seat: int | None) -> FlaskClient:
    """The phone of this seat (None: one that only watches). Another one is the host's."""
    phones: dict[int | None, FlaskClient] = house.extensions.setdefault("phones of this test", {})
    if not phones:
        host(house.test_client())
        phones.update({each: sit(house.test_client(), each) for each in (0, 1)})
    return phones.setdefault(seat, house.test_client())


def all_pages(house: Flask, writer: Writer, seat: int | None) -> dict[str, str]:
    """Everything that a phone of this seat (None: of nobody) can read."""
    client = phone_of(house, seat)
    told = {path: client.get(path).get_data(as_text=True) for path in PATHS}
    _, phone = watching(writer, "room" if seat is None else seat)
    told["/stream"] = b"".join(phone.heard).decode()
    return told


def watching(writer: Writer, who: Observer) -> tuple[Streams, FakePhone]:
    """A phone with an open stream."""
    streams = Streams(writer, lambda shown, _: {"seen": repr(shown.seen), "last": repr(shown.last)}, 10.0, 9, 9)
    watcher, phone = streams.open("10.0.0.1", who, writer.snapshot().key), FakePhone()
    assert watcher is not None
    streams.attach(watcher, phone)
    return streams, phone


def test_nothing_of_a_hand_that_was_told_reaches_another_page(house: Flask, writer: Writer) -> None:
    before = {seat: all_pages(house, writer, seat) for seat in (1, None)}
    answer = phone_of(house, 0).post("/do", json={
        "type": "confide", "seq": writer.snapshot().seq, "told": {"hand": ["royal", "pikeman"]}}, headers=HOME)
    assert answer.get_json()["ok"]
    assert "pikeman" in all_pages(house, writer, 0)["/"]
    assert {seat: all_pages(house, writer, seat) for seat in (1, None)} == before


def test_a_face_down_coin_is_put_right_by_its_player_and_shown_to_nobody_else(house: Flask, writer: Writer) -> None:
    before = {seat: all_pages(house, writer, seat) for seat in (1, None)}
    page = phone_of(house, 0).get("/hand").get_data(as_text=True)
    assert '"action": {"coin": "swordsman", "type": "pass"}' in page
    command = {"type": "amend", "seq": writer.snapshot().seq, "n": 2, "action": {"type": "pass", "coin": "swordsman"}}
    assert phone_of(house, 1).post("/do", json=command, headers=HOME).status_code == 409
    assert phone_of(house, 0).post("/do", json=command, headers=HOME).get_json()["ok"]
    assert "swordsman" in all_pages(house, writer, 0)["/hand"]
    assert {seat: all_pages(house, writer, seat) for seat in (1, None)} == before


def test_other_phones_are_not_even_told_that_something_was_told(house: Flask, writer: Writer) -> None:
    streams, phone = watching(writer, "room")
    assert json.loads(phone.heard.pop().split(b"data: ")[1])["seq"] == writer.snapshot().seq
    phone_of(house, 0).post("/do", json={
        "type": "confide", "seq": writer.snapshot().seq, "told": {"hand": ["royal"]}}, headers=HOME)
    streams.tell()
    assert phone.heard == []
    streams.beat()
    assert phone.heard == [BEAT]


def test_a_hand_is_named_thing_by_thing_among_those_that_can_be(house: Flask) -> None:
    page = phone_of(house, 0).get("/hand").get_data(as_text=True)
    assert 'href="/hand?hand=royal"' in page
    assert "That is what I hold" not in page
    later = phone_of(house, 0).get("/hand?hand=royal&hand=pikeman").get_data(as_text=True)
    assert "Pikeman and royal" in later
    assert '{"hand": ["pikeman", "royal"]}' in later
    assert phone_of(house, 0).get("/hand?hand=royal&hand=royal&hand=x").get_data(as_text=True) == page


@pytest.mark.parametrize("seat", [None, 5])
def test_a_phone_without_a_seat_has_no_hand(house: Flask, seat: Any) -> None:
    assert phone_of(house, seat).get("/hand").status_code == 303


def test_the_way_to_the_own_hand_stands_on_a_seats_page_only(house: Flask) -> None:
    assert ['href="/hand"' in phone_of(house, seat).get("/").get_data(as_text=True) for seat in (0, 1, None)] == [
        True, True, False]
