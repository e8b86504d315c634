import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.engine import record
from companion.errors import JournalError, phrase
from companion.games import registry
from companion.interpret import Moved
from companion.session.clock import FakeClock
from companion.session.commands import Undo
from companion.session.events import TableDiffers
from companion.session.exports import record_lines
from companion.session.journal import JOURNAL_NAME, Journal, ResumedJournal, open_journal
from companion.session.journal.anchor import ANCHOR_NAME
from companion.session.state import State
from tests.session.tables import Table, a_game, library, place, seen


@pytest.fixture
def opened() -> Iterator[Callable[[Path], ResumedJournal]]:
    journals = []

    def open_one(folder: Path) -> ResumedJournal:
        resumed = open_journal(folder, library(), FakeClock())
        journals.append(resumed.journal)
        return resumed

    yield open_one
    for journal in journals:
        journal.close()


def keep(journal: Journal, table: Table, command: Any) -> None:
    change = table.session.handle(table.state, command)
    journal.append(change.events, change.state)
    table.state = change.state


def play(journal: Journal, plies: int) -> Table:
    """So many plies of a game, each in the journal before the next."""
    table = Table()
    for command in (*a_game(),)[: plies + 1]:
        keep(journal, table, command if not callable(command) else command(table.state.seq))
    return table


def shown(state: State) -> tuple[object, ...]:
    return state.seq, state.matches, state.match and state.match.states, record_lines(state)


def test_a_game_is_resumed_where_it_stood(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 4)
    journal.close()
    again = opened(tmp_path)
    assert again.notices == ()
    assert shown(again.state) == shown(table.state)
    assert again.state.belief == "begun"


def test_what_was_taken_back_stays_taken_back(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 3)
    keep(journal, table, Undo(table.state.seq, "host"))
    journal.close()
    assert shown(opened(tmp_path).state) == shown(table.state)


def test_the_second_game_is_resumed_and_the_first_is_kept(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 2)
    keep(journal, table, next(iter(a_game()))(table.state.seq))
    keep(journal, table, seen(Moved((place(0, "stub_can", "a1"),), 1.0)))
    assert len(journal.events(1)) == 4
    journal.close()
    assert shown(opened(tmp_path).state) == shown(table.state)


def test_the_record_is_one_that_the_reader_takes_byte_for_byte(opened: Any, tmp_path: Path) -> None:
    table = play(opened(tmp_path).journal, 4)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in record_lines(table.state))
    checked = record.check(text, registry.game)
    assert (len(checked.plies), checked.text) == (4, text)


@pytest.mark.wide
@pytest.mark.parametrize("plies", range(6))
def test_a_service_killed_after_any_ply_stands_where_it_stood(opened: Any, tmp_path: Path, plies: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.session.killed", str(tmp_path), str(plies)], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with child:
        assert child.stdout is not None
        said = child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    again = opened(tmp_path)
    assert json.loads(said) == [again.state.seq, json.loads(json.dumps(record_lines(again.state)))]
    assert len(again.state.match.made) == plies


def test_a_transaction_that_a_kill_cut_off_leaves_nothing(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 2)
    copy = tmp_path / "copy"
    copy.mkdir()
    for ending in ("", "-wal"):  # what a power cut leaves: the file, and a log whose last page was not finished
        (copy / (JOURNAL_NAME + ending)).write_bytes((tmp_path / (JOURNAL_NAME + ending)).read_bytes())
    keep(journal, table, seen(Moved((place(0, "stub_can", "f6"),), 1.0)))
    whole = (tmp_path / (JOURNAL_NAME + "-wal")).read_bytes()
    (copy / (JOURNAL_NAME + "-wal")).write_bytes(whole[:-100])
    assert len(opened(copy).state.match.made) == 2


def kept_aside(folder: Path) -> list[Path]:
    return sorted(folder.glob("journal-*.sqlite"))


@pytest.mark.parametrize("damage", [b"this is no journal", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_journal_is_put_aside_and_told(opened: Any, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / JOURNAL_NAME).write_bytes(damage)
    again = opened(tmp_path)
    assert again.notices[-1].id == "journal.damaged"
    assert [file.read_bytes() for file in kept_aside(tmp_path)] == [damage]
    assert again.state == State()


def test_a_page_of_rubbish_within_is_damage_too(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    play(journal, 5)
    journal.close()
    bytes_ = bytearray((tmp_path / JOURNAL_NAME).read_bytes())
    bytes_[4096:8192] = b"\x07" * 4096
    (tmp_path / JOURNAL_NAME).write_bytes(bytes_)
    assert opened(tmp_path).notices[-1].id == "journal.damaged"


def test_a_line_that_was_not_written_here_is_damage_too(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    play(journal, 2)
    journal._connection.execute(
        "INSERT INTO line SELECT id + 1, seq + 1, rest, at, event, hash FROM line ORDER BY id DESC LIMIT 1"
    )
    journal.close()
    again = opened(tmp_path)
    assert again.notices[-1].id == "journal.damaged"
    assert len(again.state.match.made) == 2


def test_a_game_that_no_rule_allows_is_told_and_another_can_begin(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 2)
    [line] = journal.events(1)[-1:]
    journal.append([line], replace(table.state, seq=table.state.seq + 1))
    journal.close()
    again = opened(tmp_path)
    assert [each.id for each in again.notices] == ["journal.unfollowable"]
    table = Table(replace(again.state, seq=again.state.seq))
    keep(again.journal, table, next(iter(a_game()))(table.state.seq))
    again.journal.notices.read()
    again.journal.close()
    resumed = opened(tmp_path)
    assert (resumed.notices, resumed.state.match.number) == ((), 2)


def test_a_journal_of_a_newer_version_is_put_aside_whole(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    play(journal, 2)
    journal._connection.execute("PRAGMA user_version = 99")
    journal.close()
    (tmp_path / ANCHOR_NAME).unlink()  # a newer version writes another one
    assert opened(tmp_path).notices[-1].id == "journal.newer"
    with closing(sqlite3.connect(kept_aside(tmp_path)[0])) as old:
        assert old.execute("SELECT count(*) FROM line").fetchone() == (3,)


def test_two_journals_put_aside_in_one_second_keep_apart(opened: Any, tmp_path: Path) -> None:
    for text in (b"one", b"two"):
        (tmp_path / JOURNAL_NAME).write_bytes(text)
        opened(tmp_path).journal.close()
    assert sorted(file.read_bytes() for file in kept_aside(tmp_path)) == [b"one", b"two"]


def test_two_services_cannot_keep_one_journal(opened: Any, tmp_path: Path) -> None:
    first = opened(tmp_path)
    with pytest.raises(JournalError) as told:
        opened(tmp_path)
    assert told.value.phrase.id == "journal.in_use"
    first.journal.close()
    opened(tmp_path).journal.close()


def test_a_folder_that_cannot_be_is_told(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError) as told:
        opened(tmp_path / "file" / "folder")
    assert told.value.phrase.id == "journal.no_folder"


def test_a_full_disk_refuses_the_event_and_keeps_all_before_it(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    table = play(journal, 2)
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")
    differing = [TableDiffers((phrase("x" * 500),))] * 5000
    with pytest.raises(JournalError) as told:
        journal.append(differing, table.state)
    assert told.value.phrase.id == "journal.unwritable"
    journal._connection.execute("PRAGMA max_page_count = 100000")
    keep(journal, table, seen(Moved((place(0, "stub_can", "f6"),), 1.0)))
    assert len(journal.events(1)) == 4


def test_lines_can_be_neither_changed_nor_deleted(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    play(journal, 1)
    for statement in ("DELETE FROM {}", "UPDATE {} SET id = 7"):
        for name in ("line", "people"):
            with pytest.raises(sqlite3.IntegrityError):
                journal._connection.execute(statement.format(name))


def test_what_is_appended_is_on_the_disk_when_it_returns(opened: Any, tmp_path: Path) -> None:
    journal = opened(tmp_path).journal
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
