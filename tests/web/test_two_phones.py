"""Two people at two phones over HTTP: a move given back with consent, and answers that cross."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import Correct, StartGame
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.writer import Writer
from companion.words import load
from tests.session.tables import HEADER, A, B, ply_json
from tests.web.phones import host, sit
from tests.web.web_fixtures import HOME
from web.app import create_app

GAMES = {id: registry.game(id) for id in registry.ids()}


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    resumed = open_journal(tmp_path, library, FakeClock())
    made = Writer(session=Session(library=library, clock=FakeClock()), journal=resumed.journal, state=resumed.state,
                  clock=FakeClock())
    thread = Thread(target=made.run)
    thread.start()
    made.send(StartGame(0, "host", HEADER))
    for ply in (A, B):
        made.send(Correct(made.snapshot().seq, "host", 0, (ply_json(ply),)))
    yield made
    made.stop()
    thread.join(10)
    made.close()


@pytest.fixture
def phones(writer: Writer) -> tuple[FlaskClient, FlaskClient]:
    """Ann's and Ben's; the host's is another one."""
    house = create_app(desk=writer, words=load("en", [game.words for game in GAMES.values()]), games=GAMES)
    host(house.test_client())
    return sit(house.test_client(), 0), sit(house.test_client(), 1)


def say(phone: FlaskClient, seq: int, type: str, **more: Any) -> tuple[int, dict[str, Any]]:
    answer = phone.post("/do", json={"type": type, "seq": seq, **more}, headers=HOME)
    return answer.status_code, answer.get_json()


def test_anothers_move_goes_back_once_that_player_agrees_on_the_own_phone(
    writer: Writer, phones: tuple[FlaskClient, FlaskClient]
) -> None:
    ann, ben = phones
    assert say(ann, writer.snapshot().seq, "undo")[0] == 200
    assert say(ann, writer.snapshot().seq, "consent", given=True)[0] == 409
    assert writer.snapshot().plies == 2
    asked = writer.snapshot().seq
    assert say(ben, asked, "consent", given=True)[0] == 200
    assert writer.snapshot().plies == 1
    status, told = say(ben, asked, "consent", given=False)
    assert status == 409
    assert "Ann took a move back" in told["error"]


def test_who_looks_on_consents_to_nothing(writer: Writer, phones: tuple[FlaskClient, FlaskClient]) -> None:
    ann, _ = phones
    say(ann, writer.snapshot().seq, "undo")
    stranger = ann.application.test_client()
    assert say(stranger, writer.snapshot().seq, "consent", given=True)[0] == 403
    assert writer.snapshot().plies == 2


def test_a_correction_sent_twice_counts_once(writer: Writer, phones: tuple[FlaskClient, FlaskClient]) -> None:
    _, ben = phones
    seq = writer.snapshot().seq
    right = {**ply_json(B), "action": {**ply_json(B)["action"], "to": "e5"}}
    assert say(ben, seq, "correct", take_back=1, plies=[right])[0] == 200
    status, told = say(ben, seq, "correct", take_back=1, plies=[right])
    assert (status, writer.snapshot().plies) == (409, 2)
    assert "Ben put a move right" in told["error"]
