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
STORED = {"two-games": ["journal.migrated"], "set-up": ["journal.migrated"], "reopened": [], "set-up-corrected": [],
          "bot-seated": []}
"""By what is told of each: the first two are of version 1."""
ASKED = (events.SetupTold, events.PliesTakenBack, events.Corrected, events.Amended, events.Settled, events.UndoAsked,
         events.UndoRefused)
"""Events that say who asked for them."""
LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)


def known(name: str) -> dict[str, Any]:
    return dict(json.loads((JOURNALS / name / "known.json").read_text(encoding="utf-8")))


def lines(name: str) -> list[str]:
    """The events as they stand on the disk."""
    with closing(sqlite3.connect(f"file:{JOURNALS / name / JOURNAL_NAME}?mode=ro&immutable=1", uri=True)) as stored:
        return [text for (text,) in stored.execute("SELECT event FROM line ORDER BY id")]


@pytest.mark.parametrize("name", STORED)
def test_a_journal_written_before_resumes_where_it_stood(name: str, tmp_path: Path) -> None:
    shutil.copytree(JOURNALS / name, tmp_path, dirs_exist_ok=True)
    wanted, resumed = known(name), open_journal(tmp_path, LIBRARY, FakeClock())
    journal, state = resumed.journal, resumed.state
    records = [record_lines(resume(journal.events(n), LIBRARY, 0, n)) for n in range(1, state.matches + 1)]
    journal.close()
    assert [each.id for each in resumed.notices] == STORED[name]
    assert (state.seq, state.matches) == (wanted["seq"], wanted["games"])
    assert json.loads(json.dumps(records)) == wanted["records"]
    draft = state.draft and [[list(part.path), list(part.choices)] for part in state.draft.open]
    assert draft == wanted["draft"]


@pytest.mark.parametrize("name", STORED)
def test_the_lines_of_a_journal_are_written_as_they_were(name: str) -> None:
    for line in lines(name):
        today = line.replace('"by": "arbiter"', '"by": "host"')
        assert json.dumps(events.write_event(events.read_event(json.loads(line))), ensure_ascii=False) == today


def test_the_host_of_old_lines_is_called_arbiter_and_stays_so_on_the_disk(tmp_path: Path) -> None:
    """Lines with checksums are never changed: opened again they are whole, and say the host."""
    shutil.copy(JOURNALS / "two-games" / JOURNAL_NAME, tmp_path)
    open_journal(tmp_path, LIBRARY, FakeClock()).journal.close()
    resumed = open_journal(tmp_path, LIBRARY, FakeClock())
    journal = resumed.journal
    said = [each["by"] for n in (1, 2) for each in journal.objects(n) if "by" in each]
    read = [event.by for n in (1, 2) for event in journal.events(n) if isinstance(event, ASKED)]
    damaged = journal.verify(1_000)
    journal.close()
    assert "arbiter" in said
    assert "host" not in said
    assert read == ["host" if each == "arbiter" else each for each in said]
    assert [each.id for each in resumed.notices] == ["journal.migrated"]
    assert damaged is None


def test_what_an_old_line_says_besides_is_left_alone() -> None:
    line = {"type": "corrected", "by": "arbiter", "take_back": 0, "plies": [{"by": "arbiter"}], "at": "12:00"}
    assert events.read_event(line) == events.Corrected("host", 0, ({"by": "arbiter"},), "12:00")


def test_the_stored_journals_hold_every_kind_of_event() -> None:
    kinds = {json.loads(line)["type"] for name in STORED for line in lines(name)}
    assert kinds == {each.type for each in events.Event.__args__}
