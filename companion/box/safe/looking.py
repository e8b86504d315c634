"""What is wrong: what the last start said, and what the machine shows by itself."""

from __future__ import annotations

import errno
import os
import shutil
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.box.lives import Lives
from companion.errors import Phrase, phrase

LEAST_BYTES: Final = 5_000_000
"""With less room nothing can be written that a game needs."""
LOG_LINES: Final = 200


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the companion does not start: in the words of the last start, what the machine shows, and what the program
    said of a fault of its own."""

    said: str
    shown: tuple[Phrase, ...]
    trace: str


def look(lives: Lives, folder: Path) -> Trouble:
    """What is wrong, as far as it can be told."""
    told = lives.told()
    return Trouble(told.get("why", ""), tuple(_of_disk(folder)), told.get("trace", ""))


def log_lines(lives: Lives) -> list[str]:
    """The last lines that were said, the oldest first."""
    lines: deque[str] = deque(maxlen=LOG_LINES)
    if lives.log is not None:
        for file in (lives.log.with_name(f"{lives.log.name}.1"), lives.log):
            with suppress(OSError):
                lines.extend(file.read_text(encoding="utf-8", errors="replace").splitlines())
    return list(lines)


def _of_disk(folder: Path) -> Iterator[Phrase]:
    """What the disk below the state folder shows."""
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))
    try:
        free = shutil.disk_usage(there).free
        if free < LEAST_BYTES:
            yield phrase("safe.disk_full", where=str(folder))
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            yield phrase("safe.read_only", where=str(folder))
        elif not folder.is_dir():
            yield phrase("safe.no_folder", where=str(folder))
        elif free >= LEAST_BYTES:
            _try(folder)
    except OSError as error:
        if error.errno == errno.EROFS:
            yield phrase("safe.read_only", where=str(folder))
        else:
            yield phrase("safe.unwritable", where=str(folder), given=error.strerror or str(error))


def _try(folder: Path) -> None:
    """Writes and deletes a file. Raises `OSError`."""
    tried = folder / ".tried"
    tried.write_bytes(b"x")
    tried.unlink()


