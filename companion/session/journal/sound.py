"""Is this file a sound journal? Looked at by a connection that only reads, before anything is written to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.session.journal.chain import Standing
from companion.session.journal.schema import PAGE_BYTES, VERSION, DamagedError, NewerError, reader
from companion.session.journal.verify import verify_ends

_NOT_ITS_FAULT: Final = (
    "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_BUSY", "SQLITE_PERM", "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT",
)  # fmt: skip
"""Errors that say something about disk and rights, nothing about what stands in the file."""


class OldError(Exception):
    """The file was written by version 1, which had no checksums."""


def is_new(path: Path) -> bool:
    """Whether nothing was ever written."""
    return not path.exists() and not Path(f"{path}-wal").exists()


def sound_standing(path: Path, anchored: Standing | None) -> Standing:
    """Where a sound journal stands. Raises `DamagedError`, `OldError` or `NewerError`, `sqlite3.Error` for what is no
    fault of the file; and has changed nothing."""
    try:
        _verify_file(path)
        with closing(reader(path)) as connection:
            connection.execute("BEGIN")  # all of it as it stands now: a journal in use goes on meanwhile
            _verify_pages(connection, path, anchored)
            return verify_ends(connection, anchored)
    except (sqlite3.Error, ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
        if getattr(error, "sqlite_errorname", "") in _NOT_ITS_FAULT:
            raise
        raise DamagedError(str(error)) from error


def _verify_file(path: Path) -> None:
    """The first bytes are those of a WAL journal. Raises `DamagedError`."""
    if not path.exists():
        raise DamagedError("the file is missing")
    with path.open("rb") as file:
        head = file.read(20)
    if head[:16] != b"SQLite format 3\0" or head[18:20] != b"\2\2":
        raise DamagedError("no database")


def _verify_pages(connection: sqlite3.Connection, path: Path, anchored: Standing | None) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION and anchored is None:
        if version > VERSION:
            raise NewerError
        if version == 1:
            if connection.execute("PRAGMA integrity_check").fetchone()[0] != b"ok":
                raise DamagedError("integrity_check")
            raise OldError
    if version != VERSION:
        raise DamagedError("another version than the anchor's")
    (page_bytes,), (pages,) = (connection.execute(f"PRAGMA {each}").fetchone() for each in ("page_size", "page_count"))
    if page_bytes != PAGE_BYTES or pages * page_bytes < path.stat().st_size:
        raise DamagedError("pages that the file does not know of")
