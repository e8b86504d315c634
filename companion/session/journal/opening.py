"""Opening a journal: verified, migrated or salvaged, whatever its files have become. It always opens.

Files that are not what was written are never changed and never deleted: they are put aside under a name with the time,
and what can be read of them is written into a new journal. All of it is told (`Notices`).
"""

from __future__ import annotations

import fcntl
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from companion.errors import JournalError, Phrase, phrase
from companion.session.clock import Clock
from companion.session.journal import reports
from companion.session.journal.anchor import Anchor, read_anchor
from companion.session.journal.build import Saved, write_games
from companion.session.journal.chain import Standing
from companion.session.journal.games import old_games
from companion.session.journal.journal import Journal
from companion.session.journal.notices import Notices, sync_folder
from companion.session.journal.old import old_rows
from companion.session.journal.salvage import salvage
from companion.session.journal.schema import NAME, DamagedError, NewerError, reader, writer
from companion.session.journal.sound import OldError, is_new, sound_standing
from companion.session.journal.verify import verify_ends
from companion.session.library import GameLibrary
from companion.session.state import State

_logger = logging.getLogger(__name__)

SALVAGED: Final = "journal.salvaged"
"""A whole journal that waits to take the place of the damaged one, which may have been put aside by then."""

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
        raise JournalError(phrase("journal.unwritable", where=str(folder / NAME), given=str(error))) from error
    except BaseException:
        lock.close()
        raise
    return ResumedJournal(journal, journal.resume(library))


def lock_folder(folder: Path) -> IO[str]:
    """An exclusive lock on the folder, held until the file is closed or the process dies. Raises `JournalError`."""
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


class _Opening:
    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._path, self._clock = folder, folder / NAME, clock
        self._notices = Notices(folder)

    def journal(self, lock: IO[str]) -> Journal:
        self._finish()
        standing = self._standing()
        if not self._path.exists():
            self._take(self._folder / SALVAGED, write_games(self._folder / SALVAGED, ()).standing)
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
            return self._replace(self._migrated, "journal.migrated")
        except NewerError:
            self._notices.add(phrase("journal.newer", where=str(self._put_aside())))
            return Standing()
        except DamagedError as error:
            _logger.error("%s is damaged: %s", self._path, error)
            return self._replace(lambda path: salvage(self._path, path, anchored), None)

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

    def _replace(self, build: Callable[[Path], Saved], notice: str | None) -> Standing:
        """Puts the journal aside and one that is built from it in its place. A kill at any moment loses nothing:
        whatever is done by then, `_finish` does the rest."""
        new = self._folder / SALVAGED
        saved = _built(build, new)
        kept = _aside(self._path, self._clock)
        self._notices.add(phrase(notice, where=str(kept)) if notice else reports.salvaged(kept, saved))
        _move(self._path, kept)
        self._take(new, saved.standing)
        return saved.standing

    def _finish(self) -> None:
        """Takes a salvaged journal whose damaged one is put aside already; one that is not whole is built anew."""
        new = self._folder / SALVAGED
        if not new.exists() or self._path.exists():
            return
        try:
            with closing(reader(new)) as connection:
                standing = verify_ends(connection, None)
        except (sqlite3.Error, DamagedError):
            return
        self._take(new, standing)

    def _take(self, new: Path, standing: Standing) -> None:
        anchor = Anchor(self._folder)
        try:
            anchor.write(standing)
        finally:
            anchor.close()
        new.rename(self._path)
        sync_folder(self._folder)
        self._notices.repaired()

    def _put_aside(self) -> Path:
        kept = _aside(self._path, self._clock)
        _move(self._path, kept)
        return kept


def _built(build: Callable[[Path], Saved], path: Path) -> Saved:
    """What could be saved; nothing, when the damage is such that even this fails: the companion starts all the same."""
    try:
        return build(path)
    except (sqlite3.OperationalError, OSError):  # no room, no rights: nothing is put aside before there is
        raise
    except Exception:  # whatever stands in the files
        _logger.exception("nothing could be saved")
        return write_games(path, ())


def _aside(path: Path, clock: Clock) -> Path:
    """A free name for a journal that is put aside."""
    stamp = clock.now().replace(":", "").replace("-", "")
    number, aside = 1, path.with_name(f"{path.stem}-{stamp}{path.suffix}")
    while any(Path(f"{aside}{ending}").exists() for ending in ("", "-wal")):
        number += 1
        aside = path.with_name(f"{path.stem}-{stamp}-{number}{path.suffix}")
    return aside


def _move(path: Path, aside: Path) -> None:
    """Renames the journal with all that belongs to it; the main file last: as long as it is there, nothing is done."""
    for ending in ("-shm", "-wal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    with suppress(FileNotFoundError):
        path.with_suffix(".anchor").rename(aside.with_suffix(".anchor"))
    with suppress(FileNotFoundError):
        path.rename(aside)
    sync_folder(path.parent)
