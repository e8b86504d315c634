"""All rows that can be found in a journal's files, sorted into a database of their own, on which nothing else is kept.

A row may be there several times, whole and damaged; `Carved` keeps every variant, and chains choose between them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from typing import Any, Final

from companion.session.journal.chain import Line, check_sum, line_id, line_of
from companion.session.journal.pages import JournalFiles, Value, rows

OnProgress = Callable[[int, int], object]
"""Is told how much of how much is done."""

HASH_BYTES: Final = 32
MAX_ID: Final = 1 << 62

_TABLES: Final = """
CREATE TABLE line (id, variant, seq, rest, at, event, hash, PRIMARY KEY (id, variant)) WITHOUT ROWID;
CREATE TABLE old (id, variant, game, seq, at, event, PRIMARY KEY (id, variant)) WITHOUT ROWID;
CREATE TABLE ending (game, variant, lines, seq, hash, PRIMARY KEY (game, variant)) WITHOUT ROWID;
CREATE TABLE people (id PRIMARY KEY, players) WITHOUT ROWID;
CREATE TABLE gone (game PRIMARY KEY, why) WITHOUT ROWID;
"""


class Carved:
    """What was found. Close it: it may lie on the disk."""

    def __init__(self) -> None:
        self._rows = sqlite3.connect("", isolation_level=None)
        self._rows.executescript(f"{_TABLES} BEGIN;")

    def keep(self, id: int, columns: tuple[Value, ...]) -> None:
        """Sorts a row in, by its form."""
        match columns:
            case (None, int(), int(), bytes(), bytes(), bytes(hash)) if len(hash) == HASH_BYTES:
                self._insert("line", id, sha256(repr(columns).encode()).digest(), *columns[1:])
            case (None, int(), int(), bytes(hash), bytes(chained)) if len(hash) == len(chained) == HASH_BYTES:
                self._insert("ending", id, chained + hash, *columns[1:4])
            case (None, int(), int(), bytes(), bytes(event)) if event.startswith(b'{"type"'):
                self._insert("old", id, sha256(repr(columns).encode()).digest(), *columns[1:])
            case (None, bytes(text), bytes(given)) if given == check_sum("people", id, text):
                self._insert("people", id, text)
            case (None, bytes(text), bytes(given)) if given == check_sum("gone", id, text):
                self._insert("gone", id, text)

    def games(self) -> Iterator[int]:
        """The games of which there are lines, in order."""
        game: int | None = -1
        while game is not None:
            (id,) = self._rows.execute("SELECT min(id) FROM line WHERE id >= ?", (line_id(game + 1, 0),)).fetchone()
            game = None if id is None else line_of(id)[0]
            if game is not None:
                yield game

    def variants(self, game: int, n: int) -> list[tuple[Line, bytes]]:
        """All variants of a line, with the hashes that stand beside them."""
        found = self._rows.execute("SELECT seq, rest, at, event, hash FROM line WHERE id = ?", (line_id(game, n),))
        return [(Line(game, n, seq, rest, at, event), hash) for seq, rest, at, event, hash in found]

    def endings(self, game: int) -> list[tuple[int, int, bytes]]:
        """All variants of how a game ended: lines, seq, hash."""
        return self._rows.execute("SELECT lines, seq, hash FROM ending WHERE game = ?", (game,)).fetchall()

    def players(self, id: int) -> bytes | None:
        """Who plays, of the line with this id."""
        found: bytes | None = self._one("SELECT players FROM people WHERE id = ?", id)
        return found

    def gone(self, game: int) -> bytes | None:
        """Why nothing is left of a game; None when nothing says that it is gone."""
        found: bytes | None = self._one("SELECT why FROM gone WHERE game = ?", game)
        return found

    @property
    def is_old(self) -> bool:
        """Whether the lines are those of version 1."""
        return next(self.games(), None) is None and bool(self._rows.execute("SELECT 1 FROM old LIMIT 1").fetchone())

    def old_rows(self) -> Iterator[tuple[int, int, int, bytes, bytes]]:
        """Lines of version 1: id, game, seq, at, event; a line may be there in several variants."""
        yield from self._rows.execute("SELECT id, game, seq, at, event FROM old ORDER BY id")

    def close(self) -> None:
        """Forgets everything."""
        self._rows.close()

    def _insert(self, table: str, id: int, *values: Value) -> None:
        if 0 <= id < MAX_ID:
            gaps = ", ".join("?" * (len(values) + 1))
            self._rows.execute(f"INSERT OR IGNORE INTO {table} VALUES ({gaps})", (id, *values))

    def _one(self, query: str, id: int) -> Any:
        row = self._rows.execute(query, (id,)).fetchone()
        return None if row is None else row[0]


def carve(files: JournalFiles, progress: OnProgress = lambda _done, _all: None) -> Carved:
    """Everything that can be found in these files. They are only read."""
    carved, size = Carved(), files.bytes
    try:
        with closing(rows(files)) as pages:
            for number, (done, found) in enumerate(pages):
                for id, columns in found:
                    carved.keep(id, columns)
                if number % 256 == 0:
                    progress(min(done, size), size)
        progress(size, size)
    except BaseException:
        carved.close()
        raise
    return carved
