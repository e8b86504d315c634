"""What is written into a journal, what is not, and what is deleted again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError, InvalidError, JournalError
from companion.session.clock import FakeClock
from companion.session.events import Corrected, SetupBegun
from companion.session.journal import JOURNAL_NAME
from companion.session.journal.delete import delete_game, forget_names
from tests.session.journals import opened, written
from tests.session.tables import HEADER

DEEP: list[Any] = []
for _ in range(2000):
    DEEP = [DEEP]


@pytest.mark.parametrize("value", [
    float("nan"), float("inf"), "\ud800", DEEP, 10**5000, "x" * (1 << 20), object(), {1, 2},
], ids=["nan", "infinite", "surrogate", "deep", "huge", "long", "object", "set"])  # fmt: skip
def test_what_could_not_be_read_again_is_refused_and_nothing_is_written(tmp_path: Path, value: object) -> None:
    with opened(tmp_path) as journal:
        journal.play(3)
        before, state = journal.contents(), replace(journal.resumed.state, matches=1, seq=3)
        fine = SetupBegun(HEADER)
        for event in (SetupBegun({**HEADER, "x-note": value}), Corrected(0, 1, ({"player": value},), "now")):
            with pytest.raises(CompanionError):
                journal.journal.append([fine, event], replace(state, seq=state.seq + 2))
        assert journal.contents() == before
        journal.journal.append([fine], replace(state, seq=state.seq + 1))
    with opened(tmp_path) as again:
        assert (again.notices, again.contents()[1][:-1]) == ([], before[1])


def test_names_stand_apart_from_the_lines(tmp_path: Path) -> None:
    before = written(tmp_path, 3)
    players = before[1][0]["header"]["players"]
    with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as connection:
        events = [event for (event,) in connection.execute("SELECT event FROM line")]
    assert all(each["name"] not in event for each in players for event in events)
    assert '"players": 2' in events[0]


def test_the_log_is_folded_in_once_nothing_is_written(tmp_path: Path) -> None:
    clock, wal = FakeClock(), tmp_path / f"{JOURNAL_NAME}-wal"
    with opened(tmp_path, clock) as journal:
        journal.play(30)
        journal.journal.tend()
        assert wal.stat().st_size > 0
        clock.s += 3
        journal.journal.tend()
        assert wal.stat().st_size == 0


def test_the_rest_is_verified_while_nothing_is_written(tmp_path: Path) -> None:
    written(tmp_path)
    clock = FakeClock()
    with opened(tmp_path, clock) as journal:
        clock.s += 3
        turns = 0
        while journal.journal.verifies:
            assert journal.journal.tend() is None
            turns += 1
        assert 0 < turns < 100


# --- deleting ---------------------------------------------------------------------------------------------------------


def test_a_deleted_game_is_gone_and_all_others_verify(tmp_path: Path) -> None:
    before = written(tmp_path)
    names = [each["name"] for each in before[2][0]["header"]["players"]]
    assert delete_game(tmp_path, 2) == ()
    with opened(tmp_path) as again:
        again.verify()
        assert (again.notices, again.contents()) == ([], {**before, 2: []})
        again.play(2)
    bytes_ = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert all(f'"{name}"'.encode() not in bytes_ for name in names)


def test_a_deleted_game_stays_deleted_when_the_journal_is_salvaged(tmp_path: Path) -> None:
    before = written(tmp_path)
    delete_game(tmp_path, 2)
    bytes_ = bytearray((tmp_path / JOURNAL_NAME).read_bytes())
    bytes_[50] ^= 1
    bytes_[18] = 7
    (tmp_path / JOURNAL_NAME).write_bytes(bytes_)
    with opened(tmp_path) as again:
        assert again.resumed.notices[0].id == "journal.damaged"
        assert "journal.no_loss" in str(again.resumed.notices[0])
        assert again.contents() == {**before, 2: []}
        again.verify()
        assert again.notices == ["journal.damaged"]


def test_names_alone_can_be_deleted(tmp_path: Path) -> None:
    before = written(tmp_path)
    delete_game(tmp_path, 1, names_only=True)
    with opened(tmp_path) as again:
        again.verify()
        now = again.contents()
        assert again.notices == []
    assert now[1][0]["header"]["players"] == [{"name": "A"}, {"name": "B"}]
    assert (now[1][1:], now[2]) == (before[1][1:], before[2])


def test_names_of_long_ago_are_forgotten_and_those_of_late_stay(tmp_path: Path) -> None:
    clock = FakeClock()
    with opened(tmp_path, clock) as journal:
        journal.play(60)
        before, played = journal.contents(), journal.journal.tip.game
        clock.s += 100 * 24 * 3600.0
        journal.play(40, seed=2)
        after = journal.contents()
    last = max(after)
    assert 1 < played < last
    assert forget_names(tmp_path, "2026-01-01T00:00:00Z") == ()
    forgotten = forget_names(tmp_path, "2026-02-01T00:00:00Z")
    assert 1 in forgotten
    assert last not in forgotten
    assert forget_names(tmp_path, "2026-02-01T00:00:00Z") == ()
    with opened(tmp_path, clock) as again:
        again.verify()
        now = again.contents()
        assert again.notices == []
    assert now[1][0]["header"]["players"] == [{"name": "A"}, {"name": "B"}]
    assert (now[1][1:], now[last]) == (before[1][1:], after[last])


def test_nothing_is_forgotten_of_a_journal_that_is_in_use_not_whole_or_not_there(tmp_path: Path) -> None:
    assert forget_names(tmp_path, "2100-01-01T00:00:00Z") == ()
    with opened(tmp_path), pytest.raises(JournalError):
        forget_names(tmp_path, "2100-01-01T00:00:00Z")
    (tmp_path / JOURNAL_NAME).write_bytes(b"rubbish")
    with pytest.raises(JournalError):
        forget_names(tmp_path, "2100-01-01T00:00:00Z")


def test_what_cannot_be_deleted_is_told(tmp_path: Path) -> None:
    last = max(written(tmp_path))
    for game in (0, last, last + 1):
        with pytest.raises(InvalidError):
            delete_game(tmp_path, game)
    with opened(tmp_path), pytest.raises(JournalError):
        delete_game(tmp_path, 1)
    (tmp_path / JOURNAL_NAME).write_bytes(b"rubbish")
    with pytest.raises(JournalError):
        delete_game(tmp_path, 1)
