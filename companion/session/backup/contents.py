"""Which files of a state folder belong in a backup. A path in a backup is one that this module would give, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from companion.session.journal.anchor import ANCHOR_NAME
from companion.session.journal.notices import NOTICES_NAME
from companion.session.journal.schema import JOURNAL_NAME
from companion.session.journal.sound import is_new
from companion.session.kept_boards import BOARDS_NAME
from companion.session.kept_zones import ZONES_NAME

KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "": (NOTICES_NAME, "settings.toml", "names.json", "pieces*.zip", "pieces*.zip.examples", "lens*.json", ZONES_NAME,
         BOARDS_NAME),
    "pieces/": ("*.pieces", "*.pieces.examples", "*.json", "*.jpg"),
}
"""Files of a table beside its journal, and of the folder with the pieces that people enrolled, as patterns."""
REPLACED: Final = (
    JOURNAL_NAME, f"{JOURNAL_NAME}-wal", f"{JOURNAL_NAME}-shm", ANCHOR_NAME, NOTICES_NAME, "journal.building",
    "journal.salvaged")
"""What goes when another journal comes."""
SETS: Final = "sets"
"""The folder with a folder for each picture set that was played."""
_TABLE: Final = re.compile(r"(?:sets/(?!\.)[^/\\\x00-\x1f\x7f]{1,120}/)?", re.A)


def tables(folder: Path) -> Iterator[str]:
    """The tables of a state folder that have a journal, as the beginnings of the paths of their files: `""` for the
    one's own, `"sets/NAME/"` for a picture set."""
    found = sorted(each.name for each in (folder / SETS).iterdir() if each.is_dir()) if (folder / SETS).is_dir() else ()
    for table in ("", *(f"{SETS}/{name}/" for name in found)):
        if _TABLE.fullmatch(table) and not is_new(folder / table / JOURNAL_NAME):
            yield table


def kept_files(folder: Path) -> Iterator[str]:
    """The paths of the files beside the journals that belong in a backup, also of a folder that has no journal yet."""
    for table in dict.fromkeys(("", *tables(folder))):
        for inside in KEPT:
            where = folder / table / inside
            found = [each for each in where.iterdir() if _is_file(each)] if where.is_dir() else []
            for file in sorted(found, key=lambda each: (each.stat().st_mtime_ns, each.name)):  # the newest counts most
                if _is_kept(inside + file.name):
                    yield f"{table}{inside}{file.name}"


def belongs(path: str) -> bool:
    """Whether a backup may have a part of this path."""
    _, name = split_path(path)
    return name == JOURNAL_NAME or _is_kept(name)


def split_path(path: str) -> tuple[str, str]:
    """A path's table, and its path there."""
    found = _TABLE.match(path)
    table = found[0] if found else ""
    return table, path[len(table):]


def replaced_by(path: str) -> Iterator[str]:
    """The paths of the files that go when this part comes."""
    table, name = split_path(path)
    if name == JOURNAL_NAME:
        yield from (f"{table}{each}" for each in REPLACED)
    else:
        yield from (path, f"{path}.examples")  # examples are of the piece set that goes


def _is_kept(path: str) -> bool:
    """Whether a file of a table is kept, by its path there."""
    head, slash, name = path.rpartition("/")
    is_plain = name.isprintable() and "\\" not in name and len(name) <= 120 and not name.startswith(".")
    return is_plain and any(fnmatchcase(name, pattern) for pattern in KEPT.get(head + slash, ()))


def _is_file(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()
