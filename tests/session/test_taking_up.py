"""A game that was left, perhaps evenings ago, goes on as it stood: as a game of its own, and only once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InvalidError
from companion.session.clock import FakeClock
from companion.session.commands import Correct, EndGame, StartGame, TakeUp, Undo
from companion.session.events import Event
from companion.session.exports import record_lines
from companion.session.journal import open_journal
from companion.session.past import PastGames, unfinished
from companion.session.taking_up import GOES_ON_FROM
from tests.session.tables import Table, library, refusal
from tests.session.test_reopen import GAMES, a_match


@dataclass
class Remembering(Table):
    """A table that remembers all that happened."""

    happened: list[Event] = field(default_factory=list)

    def do(self, command: Any) -> tuple[Event, ...]:
        events = super().do(command)
        self.happened.extend(events)
        return events


def left(id: str) -> Remembering:
    """A game that people played, took a move back in, and ended in the middle."""
    header, plies = a_match(id, 1)
    table = Remembering()
    table.ask(StartGame, "host", header)
    for ply in plies:
        table.ask(Correct, "host", 0, (ply,))
    table.ask(Undo, "host")
    table.ask(EndGame, "host")
    return table


@pytest.mark.parametrize("id", GAMES)
def test_a_game_that_was_left_stands_again_as_it_stood(id: str) -> None:
    table = left(id)
    was, happened = table.state.match, tuple(table.happened)
    table.ask(StartGame, "host", a_match(id, 2)[0])  # another was begun since
    table.ask(TakeUp, "host", happened)
    now = table.state.match
    assert was is not None
    assert now is not None
    assert (now.states, now.told, now.made, now.result) == (was.states, was.told, was.made, None)
    assert now.opened.header[GOES_ON_FROM] == was.key != now.key
    assert now.number == 3
    before = len(now.made)
    table.ask(Undo, "host")  # it can be played on, and back
    assert len(table.state.match.made) < before


def test_no_seat_takes_a_game_up_and_nothing_is_no_game() -> None:
    table = left("kamikaze-cans")
    assert refusal(table.ask, TakeUp, 0, tuple(table.happened)) == "session.host_only"
    assert refusal(table.ask, TakeUp, "host", ()) == "session.no_game"


def test_a_game_of_the_journal_goes_on_and_is_offered_no_more(tmp_path: Path) -> None:
    header, plies = a_match("yuzu-twist", 1)
    table, journal = Table(), open_journal(tmp_path, library(), FakeClock()).journal

    def ask(kind: type[Any], *given: Any) -> None:
        journal.append(table.ask(kind, "host", *given), table.state)

    ask(StartGame, header)
    for ply in plies:
        ask(Correct, 0, (ply,))
    ask(StartGame, header)  # ends the one before in the middle; nothing is played in this one
    first = record_lines(PastGames(lambda: tmp_path, library(), lambda *_: pytest.fail("deletes")).opened(1))

    past = PastGames(lambda: tmp_path, library(), lambda *_: pytest.fail("deletes"))
    assert [game.number for game in unfinished(past.listed(None, 9), table.state.match.key)] == [1]
    ask(TakeUp, past.left(1))
    assert [game.number for game in past.listed(None, 9)] == [3, 2, 1]
    assert unfinished(past.listed(None, 9), table.state.match.key) == ()
    journal.close()

    resumed = open_journal(tmp_path, library(), FakeClock())  # as after a power cut
    again = record_lines(resumed.state)
    assert [line for line in again if "action" in line] == [line for line in first if "action" in line]
    assert record_lines(past.opened(1)) == first, "the game that was left stays as it was"
    resumed.journal.close()


def test_a_game_that_ended_by_its_rules_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.session.test_reopen.PLIES", 500)
    header, plies = a_match("kamikaze-cans", 1)
    table, journal = Table(), open_journal(tmp_path, library(), FakeClock()).journal
    journal.append(table.ask(StartGame, "host", header), table.state)
    for ply in plies:
        journal.append(table.ask(Correct, "host", 0, (ply,)), table.state)
    assert table.state.match.result is not None
    past = PastGames(lambda: tmp_path, library(), lambda *_: pytest.fail("deletes"))
    with pytest.raises(InvalidError, match=r"session\.not_left"):
        past.left(1)
    with pytest.raises(InvalidError, match="no_past_game"):
        past.left(2)
    assert unfinished(past.listed(None, 9), "another") == ()
    journal.close()
