"""Who holds which seat, who is the host, and the table's PIN: in one small file, so that a restart changes nothing.

It stands beside the journal and outside its chained lines: who sits where is no part of a game. All of it is held in
memory and written through. A file that cannot be used is put aside and begun anew (people sit down again), and a disk
that takes nothing costs only what the next start would have known.
"""

from __future__ import annotations

import hmac
import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Final, Literal

_logger = logging.getLogger(__name__)

SEATS_NAME: Final = "seats.sqlite"
MAX_KEYS: Final = 4
"""Games whose seats are remembered: the one that is played, and those of tables that may be gone back to."""

Role = Literal["seat", "host", "heir"]

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS holder (
  hash BLOB NOT NULL, role TEXT NOT NULL, key TEXT NOT NULL, seat INTEGER NOT NULL, given TEXT NOT NULL,
  address TEXT NOT NULL, PRIMARY KEY (hash, role));
CREATE TABLE IF NOT EXISTS pin (id INTEGER PRIMARY KEY CHECK (id = 1), hash TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """A phone, by its token's hash, and what it holds: a seat of the game `key`; the host's role; or, as `heir`, the
    seat's token that the host's role was handed to and that has not come for it yet. `given` is the time of day."""

    hash: bytes
    role: Role
    key: str
    seat: int
    given: str
    address: str


class SeatStore:
    """Any thread may call. `lock` keeps what belongs together apart from others."""

    def __init__(self, folder: Path | None = None) -> None:
        """Kept in `folder`, or in memory alone."""
        self.lock = RLock()
        self._holders: list[Holder] = []
        self._pin: str | None = None
        self._file: sqlite3.Connection | None = None
        if folder is not None:
            self._open(folder / SEATS_NAME)

    def holders(self, role: Role, key: str = "") -> tuple[Holder, ...]:
        """Who holds this role in the game `key`, in the order in which it was given."""
        with self.lock:
            return tuple(each for each in self._holders if (each.role, each.key) == (role, key))

    def find(self, hash: bytes | None, role: Role, key: str = "") -> Holder | None:
        """What the phone with this token's hash holds; takes as long whatever is found."""
        same = [each for each in self.holders(role, key) if hmac.compare_digest(each.hash, hash or b"")]
        return same[0] if same else None

    def put(self, holder: Holder) -> None:
        """From now on this phone holds this, and no other thing in this role. Of games that were long ago nothing
        stays."""
        with self.lock:
            self._holders = [each for each in self._holders if (each.hash, each.role) != (holder.hash, holder.role)]
            self._holders.append(holder)
            keys = list(dict.fromkeys(each.key for each in reversed(self._holders) if each.key))[:MAX_KEYS]
            self._holders = [each for each in self._holders if not each.key or each.key in keys]
            self._write(lambda file: self._put(file, holder, keys))

    @staticmethod
    def _put(file: sqlite3.Connection, holder: Holder, keys: list[str]) -> None:
        values = (holder.hash, holder.role, holder.key, holder.seat, holder.given, holder.address)
        file.execute("INSERT OR REPLACE INTO holder VALUES (?, ?, ?, ?, ?, ?)", values)
        marks = ", ".join("?" * len(keys))
        file.execute(f"DELETE FROM holder WHERE key != '' AND key NOT IN ({marks})", keys)

    def remove(self, *holders: Holder) -> None:
        """They hold it no more."""
        with self.lock:
            self._holders = [each for each in self._holders if each not in holders]
            rows = [(each.hash, each.role) for each in holders]
            self._write(lambda file: file.executemany("DELETE FROM holder WHERE hash = ? AND role = ?", rows))

    @property
    def pin(self) -> str | None:
        """The hash of the table's PIN; empty: people want none; None: nobody has decided."""
        return self._pin

    def set_pin(self, hash: str) -> None:
        """From now on this."""
        with self.lock:
            self._pin = hash
            self._write(lambda file: file.execute("INSERT OR REPLACE INTO pin VALUES (1, ?)", (hash,)))

    def close(self) -> None:
        """Closes the file."""
        with self.lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    # --- the file -----------------------------------------------------------------------------------------------------

    def _open(self, path: Path) -> None:
        try:
            self._load(path)
        except sqlite3.DatabaseError as error:
            _logger.error("%s cannot be read, it is put aside: %s", path, error)
            for ending in ("", "-wal", "-shm"):
                with suppress(OSError):
                    Path(f"{path}{ending}").replace(f"{path}-damaged{ending}")
            try:
                self._load(path)
            except (sqlite3.Error, OSError) as again:
                _logger.error("who sits where is not kept: %s", again)
        except OSError as error:
            _logger.error("who sits where is not kept: %s", error)

    def _load(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # what SQLite makes beside it gets the same rights
        path.chmod(0o600)
        file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            file.execute("PRAGMA journal_mode = WAL")
            file.execute("PRAGMA synchronous = FULL")
            file.executescript(_TABLES)
            found = file.execute("SELECT hash, role, key, seat, given, address FROM holder ORDER BY rowid").fetchall()
            pin = file.execute("SELECT hash FROM pin").fetchone()
        except BaseException:
            file.close()
            raise
        self._holders, self._pin, self._file = [Holder(*row) for row in found], pin[0] if pin else None, file

    def _write(self, deed: Callable[[sqlite3.Connection], object]) -> None:
        if self._file is None:
            return
        try:
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                deed(self._file)
        except sqlite3.Error as error:
            _logger.error("who sits where cannot be written, the next start will not know: %s", error)
