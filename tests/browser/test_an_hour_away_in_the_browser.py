"""A phone that comes back after an hour in a pocket: its stream has long been ended, the question on it was answered by
somebody else. It still has its seat, its page is right again by itself, and what it answers late is told what became
of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from companion.engine import AnyGame
from companion.games import registry
from companion.interpret import Ambiguous, Moved
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.library import GameLibrary
from companion.session.writer import Writer
from companion.table import Layout
from companion.words import load
from tests.session.running_writer import running_writer
from tests.browser.test_an_evening_in_the_browser import button
from tests.session.tables import HEADER, ScriptedEyes, choice, place, seen
from tests.web.chromium import Phone
from tests.web.phones import host, sit
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.house import house_of
from web.server import Server
from web.sitting.seating import Seating

pytestmark = pytest.mark.browser

HOUR_S = 3600.0
HERE, THERE = place(0, "tall_can", "c4"), place(0, "tall_can", "d4")
GAMES: dict[str, AnyGame] = {id: registry.game(id) for id in registry.ids()}
HIDE = """
  Object.defineProperty(document, "hidden", {value: arguments[0], configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
"""


def answering_eyes(game: AnyGame, layout: Layout) -> ScriptedEyes:
    """Eyes that take either answer to the question where the can was put."""
    return ScriptedEyes(game, layout, answers={0: Moved((HERE,), 1.0), 1: Moved((THERE,), 1.0)})


class Evening:
    """A game of Ann and Ben, whose clocks a test moves on."""

    def __init__(self, folder: Path, writer: Writer, clock: FakeClock) -> None:
        self.writer, self.clock = writer, clock
        self.writer.send(StartGame(0, "host", HEADER))
        self.app = create_app(desk=writer, words=load("en", [game.words for game in GAMES.values()]), games=GAMES,
                              seating=Seating(folder, clock), beat_s=0.05)
        self.server = Server(self.app, "127.0.0.1", 0)
        self.server.start()
        self.address = f"http://127.0.0.1:{self.server.port}/"

    def an_hour_passes(self) -> None:
        self.clock.s += HOUR_S
        house_of(self.app).streams._clock = lambda: time.monotonic() + HOUR_S

    @property
    def streams(self) -> int:
        return len(house_of(self.app).streams)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    library, clock = GameLibrary(lookup=registry.game, interpreter=cast(Any, answering_eyes)), FakeClock()
    with running_writer(tmp_path, library, clock) as writer:
        made = Evening(tmp_path, writer, clock)
        yield made
        made.server.stop()


@pytest.fixture
def others(evening: Evening) -> tuple[FlaskClient, FlaskClient]:
    """The host's phone and Ben's."""
    first = host(evening.app.test_client())
    return first, sit(evening.app.test_client(), 1)


def say(phone: FlaskClient, evening: Evening, type: str, **more: Any) -> int:
    command = {"type": type, "seq": evening.writer.snapshot().seq, **more}
    return phone.post("/do", json=command, headers=HOME).status_code


def link(phone: Phone) -> str:
    return str(phone.ask("return document.querySelector('#link').dataset.state"))


def asked_on_her_phone(phone: Phone, evening: Evening) -> None:
    """Ann sits, is asked where she put her can, and puts her phone away."""
    phone.open(evening.address)
    phone.tap("#sit form:first-of-type button")
    phone.until(lambda: phone.ask("return document.body.dataset.you") == "0" and link(phone) == "live", "her seat")
    evening.writer.send(cast(Any, seen(Ambiguous((choice(HERE), choice(THERE))))))
    phone.until(lambda: "c4" in phone.text("#sheet"), "the question")
    phone.driver.execute_script(HIDE, True)
    phone.until(lambda: evening.streams == 0, "that a hidden page holds no stream")


def test_the_page_of_an_hour_ago_is_right_again_and_the_seat_still_its_own(
        phone: Phone, evening: Evening, others: tuple[FlaskClient, FlaskClient]) -> None:
    hosts, ben = others
    asked_on_her_phone(phone, evening)
    assert say(hosts, evening, "answer", question=1, choice=1) == 200
    evening.an_hour_passes()
    phone.driver.execute_script(HIDE, False)
    phone.until(lambda: not phone.text("#sheet") and "d4" in phone.text("#last"), "what was played meanwhile")
    assert (phone.ask("return document.body.dataset.you"), link(phone)) == ("0", "live")
    phone.driver.refresh()
    assert phone.ask("return document.body.dataset.you") == "0", "its seat is still its own"
    assert say(ben, evening, "undo") == 200
    phone.until(lambda: button(phone, "consent"), "what is asked of Ann, whose move it was")
    phone.tap(button(phone, "consent"))
    phone.until(lambda: evening.writer.snapshot().plies == 0, "her consent")


def test_an_answer_of_an_hour_ago_is_told_what_became_of_the_question(
        phone: Phone, evening: Evening, others: tuple[FlaskClient, FlaskClient]) -> None:
    asked_on_her_phone(phone, evening)
    assert say(others[0], evening, "answer", question=1, choice=1) == 200
    evening.an_hour_passes()
    phone.tap("#sheet .choices form:first-of-type button")  # before the page has found its way back
    phone.until(lambda: "The host answered first" in phone.text("#told"), "what became of the question")
    assert "d4" in phone.text("#told")
    assert evening.writer.snapshot().plies == 1


def test_a_stream_that_stayed_open_is_ended_within_the_hour_and_asked_for_again(phone: Phone, evening: Evening) -> None:
    phone.open(evening.address)
    phone.until(lambda: link(phone) == "live" and evening.streams == 1, "the link")
    before = house_of(evening.app).streams._watchers.copy()
    evening.an_hour_passes()
    phone.until(lambda: evening.streams == 1 and house_of(evening.app).streams._watchers.isdisjoint(before),
                "another stream")
    phone.until(lambda: link(phone) == "live", "the link")
