"""Opening a journal: verified, migrated or salvaged, whatever its files have become. It always opens.

Files that are not what was written are never changed and never deleted: they are put aside under a name with the time,
and what can be read of them is written into a new journal. All of it is told (`Notices`).
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.errors import JournalError, Phrase, phrase
from companion.session.clock import Clock
from companion.session.journal import reports
from companion.session.journal.anchor import read_anchor
from companion.session.journal.build import Saved, write_games
from companion.session.journal.chain import Standing
from companion.session.journal.games import old_games
from companion.session.journal.journal import Journal
from companion.session.journal.notices import Notices
from companion.session.journal.old import old_rows
from companion.session.journal.replace import aside, begin_journal, build_beside, finish, put_aside, replace_journal
from companion.session.journal.salvage import salvage
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, NewerError, writer
from companion.session.journal.sound import OldError, is_new, sound_standing
from companion.session.library import GameLibrary
from companion.session.state import State

_logger = logging.getLogger(__name__)

@dataclass(frozen=True, slots=True)
class ResumedJournal:
    """An open journal, and the state it resumes. What people must know about it are its notices."""

    journal: Journal
    state: State

    @property
    def notices(self) -> tuple[Phrase, ...]:
        """What nobody has read yet."""
        return self.journal.notices.unread


def open_journal(folder: Path, library: GameLibrary, clock: Clock) -> ResumedJournal:
    """The journal in `folder`, made if there is none. Raises `JournalError` when it cannot be opened or is in use."""
    lock = lock_folder(folder)
    try:
        journal = _Opening(folder, clock).journal(lock)
    except (sqlite3.Error, OSError) as error:
        lock.close()
        if isinstance(error, JournalError):
            raise
        raise JournalError(phrase("journal.unwritable", where=str(folder / JOURNAL_NAME), given=str(error))) from error
    except BaseException:
        lock.close()
        raise
    return ResumedJournal(journal, journal.resume(library))


def must_be_usable(folder: Path) -> None:
    """Makes the folder if it is missing. Raises `JournalError` where nobody may look into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.stat(folder / ".")
    except OSError as error:
        raise JournalError(phrase("journal.no_folder", where=str(folder), given=error.strerror or "")) from error


def lock_folder(folder: Path) -> IO[str]:
    """An exclusive lock on the folder, held until the file is closed or the process dies. Raises `JournalError`."""
    must_be_usable(folder)
    try:
        lock = (folder / "journal.lock").open("w", encoding="utf-8")
    except OSError as error:
        raise JournalError(phrase("journal.no_folder", where=str(folder), given=error.strerror or "")) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalError(phrase("journal.in_use", where=str(folder))) from error
    return lock


class _Opening:
    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._path, self._clock = folder, folder / JOURNAL_NAME, clock
        self._notices = Notices(folder)

    def journal(self, lock: IO[str]) -> Journal:
        finish(self._folder, self._clock)
        standing = self._standing()
        if not self._path.exists():
            begin_journal(self._folder)
        connection = writer(self._path)
        try:
            return Journal(self._path, lock, connection, self._clock, standing, self._notices)
        except BaseException:
            connection.close()
            raise

    def _standing(self) -> Standing:
        """Where the journal stands, once it is sound."""
        anchored = read_anchor(self._folder)
        try:
            if self._notices.repair:
                raise DamagedError("a game was found damaged")
            return self._sound(anchored)
        except OldError:
            return self._replace(self._migrated, lambda where, _: phrase("journal.migrated", where=str(where)))
        except NewerError:
            kept = aside(self._path, self._clock)
            self._notices.add(phrase("journal.newer", where=str(kept)))
            put_aside(self._path, kept)
            return Standing()
        except DamagedError as error:
            _logger.error("%s is damaged: %s", self._path, error)
            return self._replace(lambda path: salvage(self._path, path, anchored), reports.salvaged)

    def _sound(self, anchored: Standing | None) -> Standing:
        """Where a sound journal stands. Raises `DamagedError`, `OldError` or `NewerError`, and has changed nothing."""
        if is_new(self._path) and (anchored is None or anchored == Standing()):
            return Standing()
        standing = sound_standing(self._path, anchored)
        if anchored is None and standing != Standing():
            self._notices.add(phrase("journal.no_anchor"))
        return standing

    def _migrated(self, path: Path) -> Saved:
        return write_games(path, old_games(old_rows(self._path)))

    def _replace(self, build: Callable[[Path], Saved], notice: Callable[[Path, Saved], Phrase]) -> Standing:
        saved = build_beside(self._folder, build)
        kept = aside(self._path, self._clock)
        self._notices.add(notice(kept, saved))
        replace_journal(self._folder, kept, saved.standing)
        self._notices.repaired()
        return saved.standing
