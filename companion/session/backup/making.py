"""Making a backup while games are played: journals are copied page by page as they stand at one moment, and all is
hashed before it is written, so that the manifest is the zip's first part."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from companion.errors import CompanionError, InvalidError, phrase
from companion.session.backup.contents import kept_files, tables
from companion.session.backup.manifest import MANIFEST_NAME, Manifest, PartKept, TableKept, write_manifest
from companion.session.clock import Clock
from companion.session.journal.anchor import read_anchor
from companion.session.journal.chain import Standing
from companion.session.whole_file import sync_folder
from companion.session.journal.schema import JOURNAL_NAME, PAGE_BYTES, DamagedError, NewerError, reader
from companion.session.journal.sound import OldError, sound_standing
from companion.session.journal.verify import verify_games

COPYING: Final = "backup.copying-"
"""How the name of the folder begins in which parts are gathered."""
PACKED: Final = (".zip", ".examples", ".pieces", ".jpg")
"""Endings of files that would not get smaller."""
_FIGURES: Final = """
    SELECT (SELECT count(*) FROM ending WHERE game > 0) - (SELECT count(*) FROM gone),
        (SELECT count(*) FROM line), (SELECT at FROM line ORDER BY id DESC LIMIT 1)
"""
_ZIP_EPOCH: Final = (2026, 1, 1, 0, 0, 0)


def make_backup(folder: Path, to: Path, clock: Clock) -> Manifest:
    """Writes a backup of the state folder; it is on the disk when this returns. Raises `InvalidError` when there is
    nothing to keep, a journal is not whole, `to` is there already or cannot be written: then nothing is there."""
    if to.exists():
        raise InvalidError(phrase("backup.there", where=str(to)))
    with told_unwritable(to.parent), TemporaryDirectory(prefix=COPYING, dir=to.parent) as gathered:
        copies = Path(gathered)
        kept = tuple(_copy_journal(folder, copies, table) for table in tables(folder))
        paths = (*(f"{each.table}{JOURNAL_NAME}" for each in kept), *_copy_files(folder, copies))
        if not paths:
            raise InvalidError(phrase("backup.nothing", where=str(folder)))
        manifest = Manifest(clock.now(), kept, tuple(_part(copies, path) for path in paths))
        _write_zip(manifest, copies, copies / "whole.zip")
        (copies / "whole.zip").rename(to)
        sync_folder(to.parent)
    return manifest


@contextmanager
def told_unwritable(folder: Path) -> Iterator[None]:
    """Says as an `InvalidError` that something could not be written below a folder."""
    try:
        yield
    except CompanionError:
        raise
    except (OSError, sqlite3.OperationalError) as error:
        given = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidError(phrase("backup.unwritable", where=str(folder), given=given)) from error


def journal_kept(path: Path, table: str, anchored: Standing | None = None) -> TableKept:
    """The figures of a journal that nobody writes to, of which every line was verified. Raises as `sound_standing`
    does."""
    stands = sound_standing(path, anchored)
    with closing(reader(path)) as connection:
        if any(fault is not None for fault in verify_games(connection, stands.tip.game)):
            raise DamagedError("a game is not as it was written")
        games, lines, last = connection.execute(_FIGURES).fetchone()
    return TableKept(table, games + (stands.tip.game > 0), lines, (last or b"").decode(), stands)


def journal_figures(path: Path) -> tuple[int, str]:
    """How many games a journal has, which may be in use, and when its last line was written; 0 and nothing for one that
    is not there or cannot be read."""
    try:
        standing = sound_standing(path, None)
        with closing(reader(path)) as connection:
            games, _, last = connection.execute(_FIGURES).fetchone()
    except (sqlite3.Error, OSError, DamagedError, OldError, NewerError):
        return 0, ""
    return games + (standing.tip.game > 0), (last or b"").decode()


def _copy_journal(folder: Path, copies: Path, table: str) -> TableKept:
    """A copy of a table's journal as it stands now; who writes to it is not kept waiting."""
    path, copy = folder / table / JOURNAL_NAME, copies / table / JOURNAL_NAME
    copy.parent.mkdir(parents=True, exist_ok=True)
    anchored = read_anchor(path.parent)  # before: the copy may be ahead of it, never behind
    try:
        with closing(reader(path)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as copied:
            copied.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            copied.execute("PRAGMA journal_mode = WAL")
            source.backup(copied)
        return journal_kept(copy, table, anchored)
    except (DamagedError, OldError, NewerError) as error:
        raise InvalidError(phrase("backup.not_whole", where=str(path))) from error


def _copy_files(folder: Path, copies: Path) -> Iterator[str]:
    """Copies the other files; gives the paths of those that are still there."""
    for path in kept_files(folder):
        with suppress(FileNotFoundError):
            (copies / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / path, copies / path)
            yield path


def _part(copies: Path, path: str) -> PartKept:
    file = copies / path
    with file.open("rb") as opened:
        return PartKept(path, file.stat().st_size, file_digest(opened, "sha256").hexdigest())


def _write_zip(manifest: Manifest, copies: Path, to: Path) -> None:
    with to.open("xb") as file:
        os.fchmod(file.fileno(), 0o600)  # players' names are in it
        with ZipFile(file, "w") as zipped:
            zipped.writestr(ZipInfo(MANIFEST_NAME, _ZIP_EPOCH), write_manifest(manifest), ZIP_DEFLATED)
            for part in manifest.parts:
                info = ZipInfo(part.path, _ZIP_EPOCH)
                info.compress_type = ZIP_STORED if part.path.endswith(PACKED) else ZIP_DEFLATED
                info.file_size = part.size
                with (copies / part.path).open("rb") as source, zipped.open(info, "w") as into:
                    shutil.copyfileobj(source, into, 1 << 20)
        file.flush()
        os.fsync(file.fileno())
