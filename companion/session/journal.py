"""The journal: every event of every game, one line each, in one SQLite file. Lines are added, never changed.

One connection writes and also makes all checkpoints (two that do so at once can damage a WAL journal), each append
is one transaction that is on the disk when it returns (`synchronous=FULL`). A journal that is damaged or was written
by a newer version is put aside under a name with the time, never deleted.

    >>> from tempfile import TemporaryDirectory
    >>> from companion.games import registry
    >>> from companion.interpret import Interpreter
    >>> from companion.session.clock import FakeClock
    >>> from companion.session.commands import StartGame
    >>> from companion.session.session import Session
    >>> library, clock, folder = GameLibrary(registry.game, Interpreter), FakeClock(), TemporaryDirectory()
    >>> header = {
    ...     "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    ...     "setup": {"colours": ["red", "green"], "first": 0},
    ... }
    >>> resumed = open_journal(Path(folder.name), library, clock)
    >>> then = Session(library=library, clock=clock).handle(resumed.state, StartGame(0, "arbiter", header))
    >>> resumed.journal.append(then.events, then.state)     # on the disk when it returns
    >>> resumed.journal.close()

    Later, or after a power cut:

    >>> again = open_journal(Path(folder.name), library, clock)
    >>> again.state.seq, again.state.match.opened.header["players"][0]["name"], again.notice
    (1, 'Ann', None)
    >>> again.journal.close()
    >>> folder.cleanup()
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.errors import CompanionError, JournalError, Phrase, phrase
from companion.session import events
from companion.session.clock import Clock
from companion.session.events import SILENT, Event, GameStarted
from companion.session.evolve import resume
from companion.session.library import GameLibrary
from companion.session.state import State

JOURNAL_VERSION = 1
NAME = "journal.sqlite"

_SCHEMA = """
CREATE TABLE game (id INTEGER PRIMARY KEY, started TEXT NOT NULL, header TEXT NOT NULL);
CREATE TABLE line (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, seq INTEGER NOT NULL, at TEXT NOT NULL,
    event TEXT NOT NULL
);
CREATE INDEX line_of_game ON line (game, id);
CREATE TRIGGER game_stays BEFORE UPDATE ON game BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER line_stays BEFORE UPDATE ON line BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER game_kept BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER line_kept BEFORE DELETE ON line BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""


class DamagedError(Exception):
    """The file is no journal that can be followed."""


class NewerError(Exception):
    """The file was written by a newer version."""


class Journal:
    """Use from one thread at a time; `open_journal` gives one."""

    def __init__(self, path: Path, lock: IO[str], connection: sqlite3.Connection, clock: Clock) -> None:
        self.path = path
        self._lock, self._connection, self._clock = lock, connection, clock

    def append(self, new: Sequence[Event], state: State) -> None:
        """Writes the events that led to `state`, all or none; raises `JournalError` and has written nothing."""
        if not new:
            return
        seq = state.seq - sum(not isinstance(event, SILENT) for event in new)
        game = state.matches - sum(isinstance(event, GameStarted) for event in new)
        at = self._clock.now()
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                for event in new:
                    seq += not isinstance(event, SILENT)
                    if isinstance(event, GameStarted):
                        game += 1
                        self._connection.execute("INSERT INTO game VALUES (?, ?, ?)", (game, at, _json(event.header)))
                    self._connection.execute(
                        "INSERT INTO line (game, seq, at, event) VALUES (?, ?, ?, ?)",
                        (game, seq, at, _json(events.write_event(event))),
                    )
        except sqlite3.Error as error:
            raise JournalError(phrase("journal.unwritable", where=str(self.path), given=str(error))) from error

    def events(self, game: int) -> list[Event]:
        """All events of a game, in order; raises `InvalidError` for one that cannot be read."""
        rows = self._connection.execute("SELECT event FROM line WHERE game = ? ORDER BY id", (game,))
        return [events.read_event(json.loads(text)) for (text,) in rows]

    def resume(self, library: GameLibrary) -> State:
        """The state in which the last game stands; raises `DamagedError` when it cannot be followed."""
        try:
            matches, seq = self._connection.execute(
                "SELECT (SELECT ifnull(max(id), 0) FROM game), (SELECT ifnull(max(seq), 0) FROM line)"
            ).fetchone()
            lines = self.events(matches)
            first = seq - sum(not isinstance(event, SILENT) for event in lines)
            return resume(lines, library, first, matches)
        except (CompanionError, ValueError, KeyError, TypeError, sqlite3.DatabaseError) as error:
            raise DamagedError(str(error)) from error

    def close(self) -> None:
        """Folds the WAL into the file and lets others have it."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()
        self._lock.close()


@dataclass(frozen=True, slots=True)
class ResumedJournal:
    """An open journal, the state it resumes, and what people must know about it (a journal put aside)."""

    journal: Journal
    state: State
    notice: Phrase | None


def open_journal(folder: Path, library: GameLibrary, clock: Clock) -> ResumedJournal:
    """The journal in `folder`, made if there is none. Raises `JournalError` when it cannot be opened or is in use."""
    path = folder / NAME
    lock = _locked(folder)
    notice = None
    try:
        for _ in range(2):
            try:
                return _resumed(path, lock, library, clock, notice)
            except (DamagedError, NewerError) as error:
                id = "journal.newer" if isinstance(error, NewerError) else "journal.damaged"
                notice = phrase(id, where=str(_put_aside(path, clock)))
        raise JournalError(phrase("journal.unwritable", where=str(path), given="SQLite"))
    except BaseException:
        lock.close()
        raise


def _resumed(path: Path, lock: IO[str], library: GameLibrary, clock: Clock, notice: Phrase | None) -> ResumedJournal:
    connection = _connect(path)
    journal = Journal(path, lock, connection, clock)
    try:
        return ResumedJournal(journal, journal.resume(library), notice)
    except DamagedError:
        connection.close()
        raise


def _locked(folder: Path) -> IO[str]:
    """An exclusive lock on the folder, held until the file is closed or the process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "journal.lock").open("w", encoding="utf-8")
    except OSError as error:
        raise JournalError(phrase("journal.no_folder", where=str(folder), given=error.strerror or "")) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalError(phrase("journal.in_use", where=str(folder))) from error
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    """A connection to a sound journal of this version, made if it is new. Raises `DamagedError` or `NewerError`."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise JournalError(phrase("journal.unwritable", where=str(path), given=str(error))) from error
    try:
        _prepare(connection)
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorname", "") in _NOT_ITS_FAULT:
            raise JournalError(phrase("journal.unwritable", where=str(path), given=str(error))) from error
        raise DamagedError(str(error)) from error
    except (DamagedError, NewerError):
        connection.close()
        raise
    return connection


_NOT_ITS_FAULT = (
    "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_BUSY", "SQLITE_PERM", "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT",
)  # fmt: skip
"""Errors that say something about disk and rights, nothing about what stands in the file."""


def _prepare(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > JOURNAL_VERSION:
        raise NewerError
    if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
        raise DamagedError
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {JOURNAL_VERSION}; COMMIT;")
    elif version != JOURNAL_VERSION:
        raise DamagedError
    connection.execute("SELECT id, started, header FROM game LIMIT 1")
    connection.execute("SELECT id, game, seq, at, event FROM line LIMIT 1")


def _put_aside(path: Path, clock: Clock) -> Path:
    """Renames the journal, with the files that belong to it; gives its new name."""
    stamp = clock.now().replace(":", "").replace("-", "")
    number, aside = 1, path.with_name(f"{path.stem}-{stamp}{path.suffix}")
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}-{stamp}-{number}{path.suffix}")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    return aside


def read_games(path: Path) -> Iterable[tuple[int, str, dict[str, object]]]:
    """Number, time and header of every game, by a connection that only reads. Raises `sqlite3.Error`."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT id, started, header FROM game ORDER BY id").fetchall()
    return [(id, started, json.loads(header)) for id, started, header in rows]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
