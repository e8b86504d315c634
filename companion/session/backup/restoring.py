"""Putting a backup in the place of what is there. Nothing of the state folder changes before all of the backup was
unpacked and found whole, and what goes is put aside, never deleted.

Unpacked parts lie in `restore.staged`. Renamed to `restore.ready` they are decided on: from then on a kill loses
nothing, and `finish_restore` does the rest. While the folder has that name the old files go aside; while it is called
`restore.moving` the new ones take their places.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from companion.errors import InvalidError, phrase
from companion.session.backup.contents import replaced_by, tables
from companion.session.backup.making import COPYING, journal_kept, told_unwritable
from companion.session.backup.manifest import Manifest, TableKept
from companion.session.backup.reading import unpack
from companion.session.clock import Clock
from companion.session.journal import lock_folder
from companion.session.journal.anchor import Anchor
from companion.session.whole_file import sync_folder
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, NewerError
from companion.session.journal.sound import OldError

STAGED: Final = "restore.staged"
READY: Final = "restore.ready"
BROUGHT: Final = "restore.brought"
"""A backup that a phone brings, as far as it has come."""
MOVING: Final = "restore.moving"
_PARTS: Final = "parts"
_ASIDE: Final = "aside"


def stage_backup(file: Path, folder: Path) -> Manifest:
    """Unpacks a backup beside what is there, and makes sure that all of it is whole. Raises `InvalidError`, and nothing
    is left of it then."""
    staged = folder / STAGED
    try:
        with told_unwritable(folder):
            shutil.rmtree(staged, ignore_errors=True)
            (staged / _PARTS).mkdir(parents=True)
            manifest = unpack(file, staged / _PARTS)
            for kept in manifest.tables:
                _check_journal(kept, staged / _PARTS / kept.table)
            if {f"{each.table}{JOURNAL_NAME}" for each in manifest.tables} != {
                    each.path for each in manifest.parts if each.path.endswith(JOURNAL_NAME)}:
                raise InvalidError(phrase("backup.altered", where=JOURNAL_NAME))
    except BaseException:
        drop_staged(folder)
        raise
    return manifest


def drop_staged(folder: Path) -> None:
    """A backup that was unpacked is not wanted."""
    shutil.rmtree(folder / STAGED, ignore_errors=True)


def put_in_place(folder: Path, clock: Clock) -> Path | None:
    """What was staged takes its place. Gives the folder in which lies what was there before, if anything was. Raises
    `InvalidError`, or `JournalError` when a journal is in use, and then nothing has changed."""
    with told_unwritable(folder), locked_tables(folder):
        kept = _aside(folder, clock)
        (folder / STAGED / _ASIDE).write_text(kept.name, encoding="utf-8")
        _sync_all(folder / STAGED)
        (folder / STAGED).rename(folder / READY)
        sync_folder(folder)
        finish_restore(folder)
    return kept if kept.exists() else None


def finish_restore(folder: Path) -> None:
    """Does the rest of a restore that was decided on; without one it does nothing. Raises `OSError`."""
    ready, moving = folder / READY, folder / MOVING
    if ready.is_dir():
        _put_aside(folder, ready, (path for part in _files(ready / _PARTS) for path in replaced_by(part)))
        ready.rename(moving)
        sync_folder(folder)
    if moving.is_dir():
        for part in _files(moving / _PARTS):
            _put_aside(folder, moving, (part,))  # should somebody have written there since
            _move(moving / _PARTS / part, folder / part)
        shutil.rmtree(moving)


def resume_restore(folder: Path) -> None:
    """To be called before the journals of a state folder are opened: does the rest of a restore that was cut off, and
    clears away what cut off backups have left. Raises `InvalidError` or `JournalError` when it cannot be done."""
    if (folder / READY).is_dir() or (folder / MOVING).is_dir():
        with told_unwritable(folder), locked_tables(folder):
            finish_restore(folder)
    for left in (folder / STAGED, *folder.glob(f"{COPYING}*")):
        shutil.rmtree(left, ignore_errors=True)
    with suppress(OSError):
        (folder / BROUGHT).unlink(missing_ok=True)


@contextmanager
def locked_tables(folder: Path) -> Iterator[None]:
    """Nobody has a journal of the state folder open meanwhile, also not of a table that only now gets one. Raises
    `JournalError` when somebody has."""
    staged = folder / STAGED / _PARTS
    with ExitStack() as locks:
        for table in sorted({"", *tables(folder), *tables(staged)}):
            locks.enter_context(closing(lock_folder(folder / table)))
        yield


def _check_journal(kept: TableKept, table: Path) -> None:
    """The journal is whole, line by line, and ends as the manifest says; it gets its anchor. Raises `InvalidError`."""
    path = table / JOURNAL_NAME
    try:
        if journal_kept(path, kept.table) != kept:
            raise DamagedError("it is not the journal that was kept")
    except (NewerError, OldError) as error:
        raise InvalidError(phrase("backup.newer" if isinstance(error, NewerError) else "backup.older")) from error
    except (DamagedError, sqlite3.DatabaseError) as error:
        raise InvalidError(phrase("backup.altered", where=f"{kept.table}{JOURNAL_NAME}")) from error
    with closing(Anchor(table)) as anchor:
        anchor.write(kept.standing)


def _aside(folder: Path, clock: Clock) -> Path:
    """A free name for the folder of what goes."""
    stamp = clock.now().replace(":", "").replace("-", "")
    return _free(folder / f"before-restore-{stamp}")


def _files(folder: Path) -> list[str]:
    """The paths of all files below a folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def _put_aside(folder: Path, restore: Path, paths: Iterable[str]) -> None:
    """Moves those of these files that are there to where this restore puts aside."""
    kept = folder / (restore / _ASIDE).read_text(encoding="utf-8")
    for path in paths:
        if (folder / path).exists():
            _move(folder / path, _free(kept / path))


def _free(path: Path) -> Path:
    """The path, or one like it, that nothing has."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _move(here: Path, there: Path) -> None:
    there.parent.mkdir(parents=True, exist_ok=True)
    here.rename(there)
    sync_folder(there.parent)
    sync_folder(here.parent)


def _sync_all(folder: Path) -> None:
    """All names and files below a folder are on the disk."""
    for where, _, files in os.walk(folder):
        for name in files:
            with (Path(where) / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_folder(Path(where))
