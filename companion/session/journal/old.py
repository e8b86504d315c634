"""Reading a journal of version 1: `game` and `line`, no checksums."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.session.journal.games import OldRow
from companion.session.journal.schema import reader


def old_rows(path: Path) -> Iterator[OldRow]:
    """Its lines, by id."""
    with closing(reader(path)) as connection:
        yield from connection.execute("SELECT id, game, seq, at, event FROM line ORDER BY id")
