"""Each game has a key that no other has: what was given for one game is worth nothing in another."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Json
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import EndGame, LayOut, StartGame
from companion.session.events import GameStarted, read_event, write_event
from companion.session.evolve import resume
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.projection import snapshot_of
from companion.session.session import Session, random_key
from companion.session.state import State

LIBRARY = GameLibrary(registry.game, Interpreter)
HEADER: dict[str, Json] = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}


@pytest.fixture
def session() -> Session:
    keys = count(1)
    return Session(library=LIBRARY, clock=FakeClock(), new_key=lambda: f"key {next(keys)}")


def after(session: Session, state: State, command: Any, **fields: Any) -> State:
    return session.handle(state, command(seq=state.seq, by="host", **fields)).state


def key(state: State) -> str:
    return snapshot_of(state, "room", 1).key


def test_every_game_has_a_key_of_its_own_though_header_and_clock_are_the_same(session: Session) -> None:
    first = after(session, State(), StartGame, header=HEADER)
    second = after(session, first, StartGame, header=HEADER)
    assert (key(State()), key(first), key(second)) == ("", "key 1", "key 2")


def test_a_game_keeps_the_key_of_the_set_up_that_it_came_from(session: Session) -> None:
    laid = after(session, State(), LayOut, header=HEADER)
    assert key(laid) == "key 1"
    dropped = after(session, laid, EndGame)
    assert key(after(session, dropped, LayOut, header=HEADER)) == "key 2"


def test_a_key_is_kept_by_the_journal_and_in_no_record(session: Session, tmp_path: Path) -> None:
    opened = open_journal(tmp_path, LIBRARY, FakeClock())
    then = session.handle(opened.state, StartGame(0, "host", HEADER))
    opened.journal.append(then.events, then.state)
    opened.journal.close()
    again = open_journal(tmp_path, LIBRARY, FakeClock())
    again.journal.close()
    assert key(again.state) == "key 1"
    assert "key 1" not in str(again.state.match.opened.header)


def test_a_game_from_before_there_were_keys_has_one_too(session: Session) -> None:
    started = session.handle(State(), StartGame(0, "host", HEADER)).events[0]
    assert isinstance(started, GameStarted)
    old = read_event({name: value for name, value in write_event(started).items() if name != "key"})
    assert key(resume([old], LIBRARY, 0, 3)) == f"3 {started.header['started']}"


def test_keys_are_long_and_never_the_same() -> None:
    keys = {random_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert min(map(len, keys)) >= 16
