"""Journals that were written before: they resume as they stood, and their lines are still written so."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.games import registry
from companion.interpret import Interpreter
from companion.session import events
from companion.session.clock import FakeClock
from companion.session.evolve import resume
from companion.session.exports import record_lines
from companion.session.journal import JOURNAL_NAME, open_journal
from companion.session.library import GameLibrary

JOURNALS = Path(__file__).parents[1] / "data" / "journals"
STORED = ("two-games", "set-up")
LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)


def known(name: str) -> dict[str, Any]:
    return dict(json.loads((JOURNALS / name / "known.json").read_text(encoding="utf-8")))


def lines(name: str) -> list[str]:
    """The events as they stand on the disk."""
    with closing(sqlite3.connect(f"file:{JOURNALS / name / JOURNAL_NAME}?mode=ro&immutable=1", uri=True)) as stored:
        return [text for (text,) in stored.execute("SELECT event FROM line ORDER BY id")]


@pytest.mark.parametrize("name", STORED)
def test_a_journal_written_before_resumes_where_it_stood(name: str, tmp_path: Path) -> None:
    shutil.copy(JOURNALS / name / JOURNAL_NAME, tmp_path)
    wanted, resumed = known(name), open_journal(tmp_path, LIBRARY, FakeClock())
    journal, state = resumed.journal, resumed.state
    records = [record_lines(resume(journal.events(n), LIBRARY, 0, n)) for n in range(1, state.matches + 1)]
    journal.close()
    assert [each.id for each in resumed.notices] == ["journal.migrated"]
    assert (state.seq, state.matches) == (wanted["seq"], wanted["games"])
    assert json.loads(json.dumps(records)) == wanted["records"]
    draft = state.draft and [[list(part.path), list(part.choices)] for part in state.draft.open]
    assert draft == wanted["draft"]


@pytest.mark.parametrize("name", STORED)
def test_the_lines_of_a_journal_are_written_as_they_were(name: str) -> None:
    for line in lines(name):
        assert json.dumps(events.write_event(events.read_event(json.loads(line))), ensure_ascii=False) == line


def test_the_stored_journals_hold_every_kind_of_event() -> None:
    kinds = {json.loads(line)["type"] for name in STORED for line in lines(name)}
    assert kinds == {each.type for each in events.Event.__args__}
