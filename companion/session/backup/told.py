"""What a backup holds, in words for people."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from companion.errors import Phrase, phrase
from companion.session.backup.contents import SETS
from companion.session.backup.manifest import Manifest, TableKept


def manifest_told(manifest: Manifest) -> Phrase:
    """Of when a backup is, and how much it holds."""
    return phrase("backup.of", given=moment(manifest.made), count=count_told(manifest))


def restored_told(kept: Path | None) -> Phrase:
    """A backup was restored; what was there before lies in `kept`."""
    return phrase("backup.restored_new") if kept is None else phrase("backup.restored", where=str(kept))


def moment(at: str) -> str:
    """A moment by the clock of the house; one that cannot be read stays as it is."""
    try:
        return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return at


def count_told(manifest: Manifest) -> Phrase:
    """How much it is."""
    lines = sum(each.lines for each in manifest.tables)
    return phrase("backup.count", games=manifest.games, lines=lines, files=len(manifest.parts),
                  size=-(-manifest.size // 1000))


def table_told(kept: TableKept) -> Phrase:
    """Which table it is, with its games."""
    name = kept.table.removeprefix(f"{SETS}/").rstrip("/") or phrase("backup.own_table")
    if not kept.lines:
        return phrase("backup.empty_table", table=name)
    return phrase("backup.table", table=name, games=kept.games, given=moment(kept.last))
