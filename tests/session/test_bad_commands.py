"""Each command stale, ahead, doubled, in a pause, after the end, before a game, or from a seat that may not: refused in
words, and nothing changes."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from companion.errors import CompanionError
from companion.games import registry
from companion.session.commands import (
    Amend,
    Answer,
    Begin,
    Carried,
    Confide,
    Consent,
    Correct,
    CorrectSetup,
    Done,
    EndGame,
    GoOnFrom,
    LayOut,
    Pause,
    PersonCommand,
    Reopen,
    Resync,
    SeatBot,
    StartGame,
    TakeUp,
    TellSetup,
    Undo,
)
from companion.session.events import GameStarted
from companion.session.rights import OF_HOST
from companion.session.session import IN_A_PAUSE
from companion.words import load
from tests.session.tables import HEADER, B, Table, place, played, ply_json

WORDS = load("en", [registry.game("kamikaze-cans").words])
RIGHT = ply_json(place(1, "short_can", "e5"))
GIVEN: dict[type[Any], tuple[Any, ...]] = {
    StartGame: (HEADER,), LayOut: (HEADER,), TellSetup: (("first",), 1), Begin: (), Done: (), Answer: (1, 0), Undo: (),
    Consent: (True,), Correct: (1, (RIGHT,)), Amend: (2, ply_json(B)["action"]), CorrectSetup: (("colours", 0), "blue"),
    GoOnFrom: ({"stock:0": ["red/stub_can"], "stock:1": ["green/stub_can"]}, 0),
    Confide: ({"hand": []},), Resync: (), Pause: (True,), EndGame: (), Reopen: (), Carried: (),
    SeatBot: (1, "quick"), TakeUp: ((GameStarted(dict(Table().start().state.match.opened.header), "left"),),),
}
"""What each command says beside its number and who asks."""
KINDS = sorted(GIVEN, key=lambda kind: kind.__name__)
AFTER_THE_END = (StartGame, LayOut, Reopen, TakeUp)
"""What may be asked of a game that people ended."""


def refused(table: Table, command: Any) -> str:
    """The words with which it is refused. Nothing changes."""
    before = table.state
    with pytest.raises(CompanionError) as caught:
        table.do(command)
    assert table.state is before
    said = WORDS.say(caught.value.phrase)
    assert not said.startswith("session.")
    return said


def test_all_commands_are_tried() -> None:
    assert set(GIVEN) == set(get_args(PersonCommand))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("off", [-1, 1, -99, 10**12])
def test_a_command_of_another_number_is_refused(kind: Any, off: int) -> None:
    table = played()
    refused(table, kind(table.state.seq + off, "host", *GIVEN[kind]))


@pytest.mark.parametrize("kind", [StartGame, LayOut, Correct, CorrectSetup, GoOnFrom, Undo, Pause, EndGame, TakeUp])
def test_a_command_that_comes_twice_counts_once(kind: Any) -> None:
    table = played()
    command = kind(table.state.seq, "host", *GIVEN[kind])
    table.do(command)
    assert refused(table, command)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in IN_A_PAUSE])
def test_in_a_pause_nothing_is_taken_but_what_ends_it(kind: Any) -> None:
    table = played()
    table.ask(Pause, "host", True)
    assert refused(table, kind(table.state.seq, 1, *GIVEN[kind])) == (
        "The game is paused. Go on first, then say it again.")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (*AFTER_THE_END, Resync)])
def test_what_comes_after_the_end_is_refused(kind: Any) -> None:
    table = played()
    table.ask(EndGame, "host")
    refused(table, kind(table.state.seq, "host", *GIVEN[kind]))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (StartGame, LayOut, TakeUp)])
def test_without_a_game_nothing_is_taken_but_a_new_one(kind: Any) -> None:
    table = Table()
    refused(table, kind(0, "host", *GIVEN[kind]))


@pytest.mark.parametrize("kind", OF_HOST)
def test_what_is_the_hosts_no_seat_asks(kind: Any) -> None:
    table = played()
    assert refused(table, kind(table.state.seq, 0, *GIVEN[kind])) == (
        "Only the host can do that: ask on the host's phone.")
