"""How long each player thinks: off by default, from the journal's times, not in a pause, the same after a restart."""

from __future__ import annotations

from typing import Any

import pytest

from companion.interpret import Moved
from companion.session.clock import FakeClock
from companion.session.commands import EndGame, Pause, Reopen, StartGame, Undo
from companion.session.events import Paused, read_event, write_event
from companion.session.evolve import resume
from companion.session.pace import MAX_THOUGHT_S
from companion.session.projection import snapshot_of
from companion.session.session import Session
from tests.session.tables import HEADER, A, B, Table, library, place, seen


class Timed(Table):
    """A table whose clock a test moves."""

    def __init__(self, clocks: bool = True) -> None:
        self.clock = FakeClock()
        super().__init__(session=Session(library=library(), clock=self.clock))
        self.log: list[Any] = list(self.do(StartGame(0, "host", {**HEADER, "x-clocks": clocks})))

    def after(self, seconds: float, *commands: Any) -> Timed:
        self.clock.s += seconds
        for command in commands:
            self.log += self.do(command)
        return self

    def pause(self, seconds: float, on: bool) -> Timed:
        return self.after(seconds, Pause(self.state.seq, 0, on))

    @property
    def used_s(self) -> list[int]:
        return [each.used_s for each in snapshot_of(self.state, "room", 0).clocks]

    @property
    def running(self) -> list[int]:
        return [each.seat for each in snapshot_of(self.state, "room", 0).clocks if each.since]


def test_nobody_counts_unless_it_is_wanted() -> None:
    assert Timed(clocks=False).after(30, seen(Moved((A,), 1.0))).used_s == []


def test_time_counts_for_whoever_is_to_act() -> None:
    table = Timed().after(30, seen(Moved((A,), 1.0)))
    assert (table.used_s, table.running) == ([30, 0], [1])
    table.after(12, seen(Moved((B,), 1.0)))
    assert (table.used_s, table.running) == ([30, 12], [0])


def test_a_pause_does_not_count() -> None:
    table = Timed().pause(10, on=True)
    assert (table.used_s, table.running) == ([10, 0], [])
    table.pause(600, on=False).after(5, seen(Moved((A,), 1.0)))
    assert table.used_s == [15, 0]


def test_what_was_taken_back_was_thought_all_the_same() -> None:
    table = Timed().after(30, seen(Moved((A,), 1.0)))
    table.after(10, Undo(table.state.seq, 0)).after(20, seen(Moved((place(0, "tall_can", "a1"),), 1.0)))
    assert table.used_s == [60, 0]


@pytest.mark.parametrize(("thought_s", "counted_s"), [(MAX_THOUGHT_S, MAX_THOUGHT_S), (MAX_THOUGHT_S + 1, 0), (-60, 0)])
def test_a_table_that_was_left_counts_for_nobody(thought_s: int, counted_s: int) -> None:
    """Also a clock that was set back counts nothing."""
    assert Timed().after(thought_s, seen(Moved((A,), 1.0))).used_s == [counted_s, 0]


def test_the_end_stops_all_clocks_and_going_on_lets_them_run() -> None:
    table = Timed().after(30, seen(Moved((A,), 1.0)))
    table.after(5, EndGame(table.state.seq, "host"))
    assert table.running == []
    table.after(5, Reopen(table.state.seq, "host"))
    assert table.running == [1]


def test_a_restart_changes_nothing() -> None:
    table = Timed().after(30, seen(Moved((A,), 1.0))).pause(10, on=True).pause(100, on=False)
    table.after(7, seen(Moved((B,), 1.0)))
    again = resume((read_event(write_event(each)) for each in table.log), library(), 0, 1)
    assert [each.used_s for each in snapshot_of(again, "room", 0).clocks] == table.used_s == [30, 17]


def test_a_pause_of_an_older_journal_is_still_read() -> None:
    assert read_event({"type": "paused", "on": True}) == Paused(True)
