"""Backups on the pages, while games are played: made and taken away; brought piece by piece, looked at, restored.

What a phone brings lies in the state folder until it is whole. It is unpacked and verified beside what is there; only
its taking the place is the writer's.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, Lock
from typing import IO, Final

from companion.errors import CompanionError, InvalidError, Phrase, phrase
from companion.main.eyes_supervisor import EyesSupervisor
from companion.session.backup.making import COPYING, journal_figures, make_backup, told_unwritable
from companion.session.backup.manifest import Manifest
from companion.session.backup.reading import MAX_ZIP_BYTES, ROOM_BYTES
from companion.session.backup.restoring import BROUGHT, drop_staged, put_in_place, stage_backup
from companion.session.backup.told import BackupPreview, preview_of, restored_told
from companion.session.clock import Clock
from companion.session.forgetting import OpenAgain, RestoreBackup
from companion.session.journal import JOURNAL_NAME
from companion.session.port import Refused
from companion.session.writer import Writer

RESTORE_S: Final = 30.0
"""A page waits this long for a restore."""


class Backups:
    """The backups of the state folder. Any thread may call; one at a time is at work."""

    def __init__(self, folder: Path, writer: Writer, eyes: EyesSupervisor, reopen: OpenAgain, clock: Clock,
                 read_again: Callable[[], object]) -> None:
        """`read_again` is called once other files have taken their place: what is known of the old ones is void."""
        self._folder, self._writer, self._eyes, self._clock = folder, writer, eyes, clock
        self._reopen, self._read_again = reopen, read_again
        self._busy = Lock()
        self._staged: Manifest | None = None

    def make(self) -> IO[bytes]:
        """A backup of now, to be read once; nothing of it stays on the disk when it is closed. Raises
        `InvalidError`."""
        with self._alone(), told_unwritable(self._folder):
            copies = Path(mkdtemp(prefix=COPYING, dir=self._folder))
            try:
                make_backup(self._folder, copies / "companion.zip", self._clock)
                return (copies / "companion.zip").open("rb")
            finally:
                shutil.rmtree(copies, ignore_errors=True)

    def bring(self, at: int, piece: bytes) -> int:
        """The next piece of a backup that a phone brings, its first byte being number `at`; 0 begins anew. How many
        bytes there are now: those before `at` when the piece does not fit. Raises `InvalidError`."""
        brought = self._folder / BROUGHT
        with self._alone(), told_unwritable(self._folder):
            self._staged = None
            there = brought.stat().st_size if at and brought.exists() else 0
            if there != at:
                return there
            if at + len(piece) > MAX_ZIP_BYTES:
                raise InvalidError(phrase("backup.too_large", given=f"{MAX_ZIP_BYTES >> 20} MB"))
            if shutil.disk_usage(self._folder).free < ROOM_BYTES + len(piece):
                raise InvalidError(phrase("backup.no_room", where=str(self._folder), given=f"{ROOM_BYTES >> 20} MB"))
            with brought.open("ab" if at else "wb") as file:
                file.write(piece)
            return at + len(piece)

    def look(self) -> None:
        """What was brought is whole: it is unpacked and verified. Raises `InvalidError` when it is no good backup, and
        it is gone then."""
        with self._alone():
            try:
                self._staged = stage_backup(self._folder / BROUGHT, self._folder)
            finally:
                (self._folder / BROUGHT).unlink(missing_ok=True)

    def preview(self) -> BackupPreview | None:
        """What would be restored and what would go; None when nothing lies ready."""
        staged = self._staged
        return None if staged is None else preview_of(staged, self._figures)

    def drop(self) -> None:
        """What was brought is not wanted."""
        with self._alone():
            self._staged = None
            (self._folder / BROUGHT).unlink(missing_ok=True)
            drop_staged(self._folder)

    def restore(self) -> Phrase:
        """What lies ready takes its place; says where that lies which was there. Raises `CompanionError`, and then
        nothing has changed."""
        with self._alone():
            if self._staged is None:
                raise InvalidError(phrase("backup.not_ready"))
            self._staged = None
            kept = self._restored()
            self._read_again()
            return restored_told(kept)

    def _restored(self) -> Path | None:
        """Done in the eyes' thread, while none look, by the writer, while the journal is closed."""
        done, refused, kept = Event(), list[CompanionError](), list[Path | None]()

        def put() -> None:
            kept.append(put_in_place(self._folder, self._clock))

        def turn() -> None:
            answer = self._writer.change_files(RestoreBackup(put, self._reopen))
            if isinstance(answer, Refused):
                refused.append(CompanionError(answer.phrase))
            done.set()

        self._eyes.rest(turn)
        if not done.wait(RESTORE_S):
            raise InvalidError(phrase("session.busy"))
        if refused:
            raise InvalidError(refused[0].phrase)
        return kept[0]

    def _figures(self, table: str) -> tuple[int, str]:
        """How many games a table has now, and when the last line was written."""
        return journal_figures(self._folder / table / JOURNAL_NAME)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One at a time: who comes second is told to try again."""
        if not self._busy.acquire(blocking=False):
            raise InvalidError(phrase("backup.busy"))
        try:
            yield
        finally:
            self._busy.release()
