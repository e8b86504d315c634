"""A kept table that begins in mid-game: what was played before is played again, so that it goes on there."""

from __future__ import annotations

from pathlib import Path

from companion.errors import Phrase, phrase
from companion.session.commands import Correct, Resync
from companion.session.eyes_side import EyesSide
from companion.session.keeping import kept_beginning
from companion.session.port import Desk, Refused


def play_before(desk: Desk, side: EyesSide, folder: Path) -> Phrase | None:
    """Plays what was played before this table was kept, in its game, which has just begun; gives why that cannot be."""
    before = kept_beginning(folder)
    if before is not None and before.plies:
        if not isinstance(desk.send(Correct(side.task().seq, "table", 0, before.plies)), Refused):
            desk.send(Resync(side.task().seq, "table"))
            return None
    elif before is not None and before.placement == side.standing()[0]:
        return None
    return phrase("hw.kept_midway", where=folder.name)
