"""What a backup holds, in words for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.errors import Phrase, phrase
from companion.session.backup.contents import SETS
from companion.session.backup.manifest import Manifest, TableKept
from companion.session.journal.schema import JOURNAL_NAME


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


@dataclass(frozen=True, slots=True)
class BackupPreview:
    """A backup that lies ready: what it is; for each table what comes and what goes; its other files by name."""

    told: Phrase
    tables: tuple[tuple[Phrase, Phrase], ...]
    files: tuple[str, ...]


def preview_of(manifest: Manifest, figures: Callable[[str], tuple[int, str]]) -> BackupPreview:
    """What a backup would change; `figures` says how many games a table has now, and when the last line was written."""
    tables = tuple((table_told(each), _now_told(*figures(each.table))) for each in manifest.tables)
    others = tuple(each.path for each in manifest.parts if not each.path.endswith(JOURNAL_NAME))
    return BackupPreview(manifest_told(manifest), tables, others)


def _games_told(number: int) -> Phrase:
    return phrase("backup.one_game") if number == 1 else phrase("backup.games", number=number)


def _now_told(games: int, last: str) -> Phrase:
    return phrase("backup.now", games=_games_told(games), given=moment(last)) if last else phrase("backup.now_nothing")


def count_told(manifest: Manifest) -> Phrase:
    """How much it is."""
    lines = sum(each.lines for each in manifest.tables)
    return phrase("backup.count", games=_games_told(manifest.games), lines=lines, files=len(manifest.parts),
                  size=-(-manifest.size // 1000))


def table_told(kept: TableKept) -> Phrase:
    """Which table it is, with its games."""
    name = kept.table.removeprefix(f"{SETS}/").rstrip("/") or phrase("backup.own_table")
    if not kept.lines:
        return phrase("backup.empty_table", table=name)
    return phrase("backup.table", table=name, games=_games_told(kept.games), given=moment(kept.last))
