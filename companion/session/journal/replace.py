"""Putting one journal in the place of another. A kill at any moment loses nothing: `finish` does the rest.

What is new is built under one name and, once it is whole and on the disk, renamed to another, `journal.salvaged`. Then
the old one goes aside, its main file first: from then on `journal.salvaged` is the journal, whatever is done by then.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.session.clock import Clock
from companion.session.journal.anchor import Anchor
from companion.session.journal.build import Saved, write_games
from companion.session.journal.chain import Standing
from companion.session.whole_file import sync_folder
from companion.session.journal.schema import JOURNAL_NAME, DamagedError, reader
from companion.session.journal.verify import verify_ends

_logger = logging.getLogger(__name__)

BUILDING: Final = "journal.building"
SALVAGED: Final = "journal.salvaged"


def begin_journal(folder: Path) -> None:
    """Makes an empty journal; there is none. Raises `OSError` or `sqlite3.Error`."""
    _take(folder, folder / BUILDING, write_games(folder / BUILDING, ()).standing)


def build_beside(folder: Path, build: Callable[[Path], Saved]) -> Saved:
    """Builds a journal beside the one that is there. Nothing is in it when the damage is such that even this fails: the
    companion starts all the same. Raises `OSError` or `sqlite3.OperationalError` when there is no room or no right."""
    try:
        return build(folder / BUILDING)
    except (sqlite3.OperationalError, OSError):
        raise
    except Exception:  # whatever stands in the files
        _logger.exception("nothing could be saved")
        return write_games(folder / BUILDING, ())


def replace_journal(folder: Path, kept: Path, standing: Standing) -> None:
    """Puts the journal aside as `kept`, and what `build_beside` has built, which stands so, in its place."""
    (folder / BUILDING).rename(folder / SALVAGED)
    sync_folder(folder)
    put_aside(folder / JOURNAL_NAME, kept)
    _take(folder, folder / SALVAGED, standing)


def finish(folder: Path, clock: Clock) -> None:
    """Does the rest of a replacement that was cut off."""
    path, new = folder / JOURNAL_NAME, folder / SALVAGED
    if path.exists() or not new.exists():
        new.unlink(missing_ok=True)
        return
    try:
        with closing(reader(new)) as connection:
            standing = verify_ends(connection, None)
    except (sqlite3.Error, DamagedError):
        return
    put_aside(path, aside(path, clock))  # a log or an anchor of the old one
    _take(folder, new, standing)


def aside(path: Path, clock: Clock) -> Path:
    """A free name for a journal that is put aside."""
    stamp = clock.now().replace(":", "").replace("-", "")
    number, kept = 1, path.with_name(f"{path.stem}-{stamp}{path.suffix}")
    while any(Path(f"{kept}{ending}").exists() for ending in ("", "-wal")):
        number += 1
        kept = path.with_name(f"{path.stem}-{stamp}-{number}{path.suffix}")
    return kept


def put_aside(path: Path, kept: Path) -> None:
    """Renames the journal, the main file first, with all that belongs to it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{kept}{ending}")
    with suppress(FileNotFoundError):
        path.with_suffix(".anchor").rename(kept.with_suffix(".anchor"))
    sync_folder(path.parent)


def _take(folder: Path, new: Path, standing: Standing) -> None:
    with closing(Anchor(folder)) as anchor:
        anchor.write(standing)
    new.rename(folder / JOURNAL_NAME)
    sync_folder(folder)
