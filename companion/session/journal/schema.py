"""The tables of a journal in SQLite, version 2, and connections to them.

`line` holds the chains of all games, `ending` the chain of their ends. `people` holds who plays, apart from the lines,
by the id of the line whose header names them; `gone` says of which games nothing is left, and why.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

VERSION: Final = 2
JOURNAL_NAME: Final = "journal.sqlite"
PAGE_BYTES: Final = 4096

TABLES: Final = (
    "CREATE TABLE line (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, rest INTEGER NOT NULL, at TEXT NOT NULL, "
    "event TEXT NOT NULL, hash BLOB NOT NULL)",
    "CREATE TABLE ending (game INTEGER PRIMARY KEY, lines INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL, "
    "chained BLOB NOT NULL)",
    "CREATE TABLE people (id INTEGER PRIMARY KEY, players TEXT NOT NULL, check_sum BLOB NOT NULL)",
    "CREATE TABLE gone (game INTEGER PRIMARY KEY, why TEXT NOT NULL, check_sum BLOB NOT NULL)",
    *(
        f"CREATE TRIGGER {table}_{word} BEFORE {deed} ON {table} BEGIN SELECT RAISE(ABORT, 'append only'); END"
        for table in ("line", "ending", "people", "gone")
        for word, deed in (("stays", "UPDATE"), ("kept", "DELETE"))
    ),
)

INSERT_LINE: Final = "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)"
INSERT_ENDING: Final = "INSERT INTO ending VALUES (?, ?, ?, ?, ?)"
INSERT_PEOPLE: Final = "INSERT INTO people VALUES (?, ?, ?)"
INSERT_GONE: Final = "INSERT INTO gone VALUES (?, ?, ?)"


class DamagedError(Exception):
    """The file is no journal that can be followed."""


class NewerError(Exception):
    """The file was written by a newer version."""


def reader(path: Path) -> sqlite3.Connection:
    """A connection that only reads: it leaves the file and its WAL as they are, even when it is closed. Without a WAL
    nobody writes; then it leaves no other files either, and can read where nothing can be written."""
    how = "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, isolation_level=None,
                                 check_same_thread=False)
    connection.text_factory = bytes
    return connection


def writer(path: Path) -> sqlite3.Connection:
    """A connection that writes, each commit on the disk when it returns."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = bytes
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cell_size_check = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def create(connection: sqlite3.Connection) -> None:
    """Makes the tables."""
    connection.executescript(f"BEGIN; {'; '.join(TABLES)}; PRAGMA user_version = {VERSION}; COMMIT;")

