"""A backup is made while games are played, and what is restored is what was kept."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.errors import InvalidError, JournalError
from companion.session.backup import making, restoring
from companion.session.backup.making import make_backup
from companion.session.backup.restoring import finish_restore, put_in_place, resume_restore, stage_backup
from companion.session.clock import FakeClock
from companion.session.kept_pieces import kept_piece_files
from companion.session.journal import lock_folder
from tests.session.backups import TABLES, backup_of, contents, files, lived_in
from tests.session.journals import opened, written


def test_what_is_restored_after_a_wipe_is_what_was_kept(tmp_path: Path) -> None:
    """Promise: restore is identical."""
    state, before = lived_in(tmp_path / "state"), contents(tmp_path / "state")
    kept = backup_of(state, tmp_path / "kept.zip")
    shutil.rmtree(state)
    stage_backup(kept, state)
    assert put_in_place(state, FakeClock()) is None
    assert contents(state) == before
    assert (state / "settings.toml").read_text() == "[lamps]\nquiet = true\n"
    assert (state / "settings.toml").stat().st_mode & 0o777 == 0o600, "it may hold the password of a Wi-Fi"
    assert (state / "sets/yuzu-1/pieces-0123.zip").read_bytes() == bytes(range(256)) * 40
    assert list(kept_piece_files(state)) == ["kamikaze-cans", "yuzu-twist"], "the newest first, as before"
    assert {"seats.sqlite", "tls-key.pem"}.isdisjoint(files(state)), "who may what is no part of a backup"


def test_what_was_there_is_put_aside_and_the_rest_stays(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    kept, before = backup_of(state, tmp_path / "kept.zip"), contents(state)
    written(state, 80)
    (state / "settings.toml").write_text("[lamps]\nquiet = false\n")
    now = files(state)
    stage_backup(kept, state)
    aside = put_in_place(state, FakeClock())
    assert aside == state / "before-restore-20260101T000000Z"
    assert contents(state) == before
    gone = files(aside)
    assert gone["journal.sqlite"] == now["journal.sqlite"]
    assert gone["settings.toml"] == b"[lamps]\nquiet = false\n"
    assert (state / "seats.sqlite").read_bytes() == b"tokens"
    stage_backup(kept, state)
    assert put_in_place(state, FakeClock()) == state / "before-restore-20260101T000000Z-2"


def test_a_backup_is_made_while_games_are_played(tmp_path: Path) -> None:
    with opened(tmp_path / "state") as journal:
        for number in range(5):
            journal.play(7, seed=number)
            tip = journal.journal.tip
            manifest = make_backup(tmp_path / "state", tmp_path / f"{number}.zip", FakeClock())
            assert manifest.tables[0].standing.tip == tip
        hashes = dict(journal.journal.hashes())
    stage_backup(tmp_path / "3.zip", tmp_path / "other")
    put_in_place(tmp_path / "other", FakeClock())
    with opened(tmp_path / "other") as journal:
        assert dict(journal.journal.hashes()).items() <= hashes.items()
        assert journal.notices == []
        journal.play(5, seed=9)


def test_the_zip_is_for_its_owner_alone(tmp_path: Path) -> None:
    kept = backup_of(lived_in(tmp_path / "state"), tmp_path / "kept.zip")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert ZipFile(kept).namelist() == [
        "manifest.json", "journal.sqlite", "sets/yuzu-1/journal.sqlite", "settings.toml", "pieces/yuzu-twist.pieces",
        "pieces/kamikaze-cans.pieces", "pieces/yuzu-twist.json", "sets/yuzu-1/pieces-0123.zip"]


@pytest.mark.parametrize("spoil", ["there", "nothing", "damaged", "no folder", "full"])
def test_a_backup_that_cannot_be_made_leaves_nothing(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: str) -> None:
    state, to = lived_in(tmp_path / "state"), tmp_path / "kept.zip"
    match spoil:
        case "there":
            to.write_bytes(b"mine")
        case "nothing":
            state = tmp_path / "empty"
            state.mkdir()
        case "damaged":
            whole = (state / "journal.sqlite").read_bytes()
            (state / "journal.sqlite").write_bytes(whole.replace(b"ply_made", b"ply_mode", 1))
        case "no folder":
            to = tmp_path / "none" / "kept.zip"
        case "full":
            def full(*_: object) -> None:
                raise OSError(28, "No space left on device")

            monkeypatch.setattr("companion.session.backup.making.shutil.copyfileobj", full)
    before = files(tmp_path)
    with pytest.raises(InvalidError) as refused:
        make_backup(state, to, FakeClock())
    assert refused.value.phrase.id == f"backup.{TOLD[spoil]}"
    assert files(tmp_path) == before


TOLD = {"there": "there", "nothing": "nothing", "damaged": "not_whole", "no folder": "unwritable", "full": "unwritable"}


@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_is_played_is_left_alone(tmp_path: Path, table: str) -> None:
    state = lived_in(tmp_path / "state")
    kept = backup_of(state, tmp_path / "kept.zip")
    stage_backup(kept, state)
    before = files(state)
    with lock_folder(state / table), pytest.raises(JournalError) as refused:
        put_in_place(state, FakeClock())
    assert refused.value.phrase.id == "journal.in_use"
    assert files(state) == before


class KilledError(BaseException):
    """As `kill -9` would end it."""


@pytest.mark.parametrize("at", range(1, 18))
def test_a_restore_that_is_killed_anywhere_is_whole_after_the_next_start(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Each rename is the last one, once."""
    state = lived_in(tmp_path / "state")
    kept, before = backup_of(state, tmp_path / "kept.zip"), contents(state)
    written(state, 30)
    now, tip = contents(state), files(state)
    stage_backup(kept, state)
    left, rename = [at], Path.rename

    def until_killed(here: Path, there: Path) -> Path:
        left[0] -= 1
        if not left[0]:
            raise KilledError
        return rename(here, there)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", until_killed)
        try:
            put_in_place(state, FakeClock())
        except KilledError:
            pass
        else:
            assert at > 10, "it was not killed"
    resume_restore(state)
    assert not list(state.glob("restore.*"))
    assert contents(state) == (now if at == 1 else before)
    if at > 1:
        everything = set(files(state).values())
        assert {tip["journal.sqlite"], tip["sets/yuzu-1/journal.sqlite"]} <= everything, "nothing is lost"


def test_what_stands_where_a_part_comes_after_a_kill_is_put_aside_too(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    stage_backup(backup_of(state, tmp_path / "kept.zip"), state)
    (state / restoring.STAGED / "aside").write_text("before")
    (state / restoring.STAGED).rename(state / restoring.MOVING)
    finish_restore(state)
    assert (state / "before" / "settings.toml").is_file()
    assert (state / "before" / "journal.sqlite").is_file()


def test_leftovers_of_a_kill_are_cleared_away(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    before = files(state)
    stage_backup(backup_of(state, tmp_path / "kept.zip"), state)
    (state / f"{making.COPYING}x").mkdir()
    resume_restore(state)
    assert files(state) == before


def test_a_journal_goes_on_after_a_restore(tmp_path: Path) -> None:
    state = lived_in(tmp_path / "state")
    stage_backup(backup_of(state, tmp_path / "kept.zip"), state)
    put_in_place(state, FakeClock())
    with opened(state) as journal:
        journal.play(20, seed=random.Random(3).randrange(99))
        journal.verify()
        assert journal.notices == []
    with sqlite3.connect(state / "journal.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
