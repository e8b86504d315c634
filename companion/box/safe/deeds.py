"""What can be done from the page of the safe mode. Each raises `InvalidError` with the reason when it cannot be."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Final

from werkzeug.security import check_password_hash

from companion.box import good_config
from companion.box.wish import Wish, leave_wish
from companion.errors import InvalidError, Phrase, phrase
from companion.session.clock import SystemClock
from web.sitting.store import SEATS_NAME

BACKUPS: Final = "backups"
"""The folder of the state folder with backups that were made before updates."""
MAX_PIN: Final = 64


class Deeds:
    """`file` is the config file, `folder` the state folder; `again` lets the companion be started."""

    def __init__(self, file: Path | None, folder: Path, again: Callable[[], object]) -> None:
        self._file, self._folder, self.again = file, folder, again

    @property
    def has_good_config(self) -> bool:
        """Whether there is a config with which it started well, other than the one that is there now."""
        return good_config.good_one(self._file, self._folder) is not None

    def use_good_config(self) -> Phrase:
        """The last good config counts from now on."""
        if self._file is None or not self.has_good_config:
            raise InvalidError(phrase("safe.no_good_config"))
        try:
            good_config.use_good(self._file, self._folder)
        except OSError as error:
            raise self._unwritable(error) from error
        self.again()
        return phrase("safe.starting")

    def backups(self) -> list[str]:
        """The backups that lie here, the newest first."""
        with suppress(OSError):
            return sorted((each.name for each in (self._folder / BACKUPS).glob("*.zip")), reverse=True)
        return []

    def restore_kept(self, name: str) -> Phrase:
        """Restores one of the backups that lie here."""
        if name not in self.backups():
            raise InvalidError(phrase("safe.no_backup"))
        return self._restore(self._folder / BACKUPS / name)

    def restore_brought(self, brought: IO[bytes]) -> Phrase:
        """Restores a backup that a phone brings."""
        from companion.session.backup.reading import MAX_ZIP_BYTES
        from companion.session.backup.restoring import BROUGHT

        file, left = self._folder / BROUGHT, MAX_ZIP_BYTES
        try:
            with file.open("wb") as out:
                while piece := brought.read(1 << 16):
                    left -= len(piece)
                    if left < 0:
                        raise InvalidError(phrase("backup.too_large", given=f"{MAX_ZIP_BYTES >> 20} MB"))
                    out.write(piece)
            return self._restore(file)
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def wish(self, wish: Wish) -> Phrase:
        """Asks root for another version."""
        leave_wish(self._folder, wish)
        return phrase("box.wished")

    @property
    def pin(self) -> str:
        """The hash of the table's PIN; empty: none is set, or it cannot be read."""
        with suppress(sqlite3.Error, OSError):
            address = f"{(self._folder / SEATS_NAME).absolute().as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(address, uri=True)) as seats:
                row = seats.execute("SELECT hash FROM pin WHERE id = 1").fetchone()
                return str(row[0]) if row else ""
        return ""

    def knows_pin(self, given: str) -> bool:
        """Whether this is the PIN, or none is set."""
        return not self.pin or (len(given) <= MAX_PIN and check_password_hash(self.pin, given))

    def _unwritable(self, error: OSError) -> InvalidError:
        return InvalidError(phrase("safe.unwritable", where=str(self._folder), given=error.strerror or str(error)))

    def _restore(self, file: Path) -> Phrase:
        from companion.session.backup import restoring
        from companion.session.backup.told import restored_told

        if shutil.disk_usage(self._folder).free < file.stat().st_size:
            raise InvalidError(phrase("safe.disk_full", where=str(self._folder)))
        restoring.resume_restore(self._folder)
        restoring.stage_backup(file, self._folder)
        kept = restoring.put_in_place(self._folder, SystemClock())
        self.again()
        return restored_told(kept)
