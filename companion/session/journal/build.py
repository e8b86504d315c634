"""Writes games that were found into a new journal, and tells what is missing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.session.journal.chain import NO_ENDS, Standing, Tip, chain_start, check_sum, follow
from companion.session.journal.games import DELETED, LOST, KeptGame
from companion.session.whole_file import sync_folder
from companion.session.journal.schema import INSERT_ENDING, INSERT_GONE, INSERT_LINE, INSERT_PEOPLE, PAGE_BYTES, create


@dataclass(frozen=True, slots=True)
class Loss:
    """What is missing of a game: so many lines at its end (None: nobody knows how many). `whole`: all of it."""

    game: int
    lines: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Saved:
    """What came into the new journal."""

    standing: Standing
    games: int
    lines: int
    losses: tuple[Loss, ...]
    nameless: tuple[int, ...]
    """Games whose players' names are lost."""


def write_games(path: Path, games: Iterable[KeptGame]) -> Saved:
    """Makes a journal of these games, which come in order from number 0 without a gap. It is on the disk when this
    returns. Raises `sqlite3.Error` or `OSError`."""
    for ending in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        create(connection)
        connection.execute("BEGIN")
        saved = _Builder(connection).write(games)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    with path.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(path.parent)
    return saved


class _Builder:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ends, self._last = NO_ENDS, Tip()
        self._games = self._lines = 0
        self._losses, self._nameless = list[Loss](), list[int]()

    def write(self, games: Iterable[KeptGame]) -> Saved:
        """All games; those without lines at the end are only told of: the numbers go on from the last that is there."""
        waiting: list[KeptGame] = []
        for game in games:
            self._tell(game)
            waiting.append(game)
            if game.lines:
                self._write_all(waiting)
                waiting = []
        return Saved(Standing(self._last, self._ends), self._games, self._lines, tuple(self._losses),
                     tuple(self._nameless))

    def _tell(self, game: KeptGame) -> None:
        if game.lost != 0:
            self._losses.append(Loss(game.number, game.lost, not game.lines))
        if game.nameless:
            self._nameless.append(game.number)

    def _write_all(self, games: list[KeptGame]) -> None:
        for game in games:
            if game.number > 0:
                self._end(self._last)
            self._last = game.tip
            if game.lines:
                self._write(game)
            elif game.number > 0:
                why = DELETED if game.deleted else LOST
                row = game.number, why.decode(), check_sum("gone", game.number, why)
                self._connection.execute(INSERT_GONE, row)

    def _end(self, tip: Tip) -> None:
        self._ends = tip.ends(self._ends)
        self._connection.execute(INSERT_ENDING, (tip.game, tip.n, tip.seq, tip.hash, self._ends))

    def _write(self, game: KeptGame) -> None:
        self._games += game.number > 0
        self._lines += len(game.lines)
        self._connection.executemany(INSERT_LINE, _rows(game))
        self._connection.executemany(
            INSERT_PEOPLE, ((id, who.decode(), check_sum("people", id, who)) for id, who in game.players))


def _rows(game: KeptGame) -> Iterator[tuple[int, int, int, str, str, bytes]]:
    tip = Tip(game.number, 0, 0, chain_start(game.number))
    for line in game.lines:
        tip = follow(tip, line)
        yield line.id, line.seq, line.rest, line.at.decode(), line.event.decode(), tip.hash
