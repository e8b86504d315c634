"""Saves what can be read of a damaged journal into a new one."""

from __future__ import annotations

from pathlib import Path

from companion.session.journal.build import Saved, write_games
from companion.session.journal.carve import OnProgress, carve
from companion.session.journal.chain import Standing
from companion.session.journal.games import chained_games, old_games
from companion.session.journal.pages import files_of


def salvage(path: Path, new: Path, anchored: Standing | None, progress: OnProgress = lambda _done, _all: None) -> Saved:
    """Writes every whole game and the good beginning of every damaged one into a new journal. The files at `path` are
    only read. Raises `OSError` or `sqlite3.OperationalError` when the new one cannot be written."""
    carved = carve(files_of(path), progress)
    try:
        return write_games(new, old_games(carved.old_rows()) if carved.is_old else chained_games(carved, anchored))
    finally:
        carved.close()
