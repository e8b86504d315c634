"""How long an append takes, and how long opening a journal with thousands of games.

    python -m tests.bench.journal.speed      # half a minute; docs/reliability.md
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import ParamSpec

from companion.session.clock import SystemClock
from companion.session.journal import JOURNAL_NAME, open_journal
from companion.session.journal.anchor import Anchor
from companion.session.journal.build import write_games
from companion.session.journal.chain import Line, Standing, Tip, chain_start, follow, line_id
from companion.session.journal.games import KeptGame
from companion.session.journal.verify import read_lines, read_players
from companion.session.past import PastGames
from companion.session.port import Accepted
from tests.bench.journal.play import play, rules
from tests.bench.page import ROOT, table, write_parts
from web.past_pages import LISTED
from web.remembered import LOOKED_BACK

PAGE = ROOT / "docs" / "reliability.md"
APPENDS = 1000
GAMES = 10_000
P = ParamSpec("P")


def appends_ms(folder: Path) -> list[list[float]]:
    """Three kinds of appends by turns, so that they share the machine's moods: a line as version 1 wrote it (no hash,
    an index, no anchor), a line as it is written now, and the anchor alone."""
    took: list[list[float]] = [[], [], []]
    resumed = open_journal(folder / "now", rules(), SystemClock())
    resumed.journal.append = _timed(resumed.journal.append, took[1])  # type: ignore[method-assign]
    plies = play(resumed.journal, resumed.state, random.Random(1), SystemClock())
    with closing(_before(folder)) as before, closing(Anchor(folder)) as anchor:
        for _ in range(APPENDS):
            _timed(_append_before, took[0])(before)
            next(plies)
            _timed(anchor.write, took[2])(Standing())
    resumed.journal.close()
    return took


def _before(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "before.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.executescript(
        "CREATE TABLE line (id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, at TEXT, event TEXT);"
        "CREATE INDEX line_of_game ON line (game, id);"
    )
    return connection


def _append_before(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO line (game, seq, at, event) VALUES (1, 1, 'now', ?)", ("x" * 250,))


def _timed(what: Callable[P, object], took_ms: list[float]) -> Callable[P, None]:
    def timed(*args: P.args, **also: P.kwargs) -> None:
        began_s = time.perf_counter()
        what(*args, **also)
        took_ms.append(1000 * (time.perf_counter() - began_s))

    return timed


@dataclass(frozen=True)
class ManyGames:
    """What a journal with `GAMES` games takes."""

    size_mb: float
    lines: int
    opening_s: float
    listing_ms: float
    """The slowest of the pages of past games: the newest, those in the middle, and what can be gone on with."""


def write_many(folder: Path) -> int:
    """Writes a journal with `GAMES` games, copies of one; gives how many lines it has."""
    with tempfile.TemporaryDirectory() as place:
        resumed = open_journal(Path(place), rules(), SystemClock())
        for state in play(resumed.journal, resumed.state, random.Random(2)):
            if state.matches == 2:
                break
        connection = resumed.journal._connection
        lines = [line for line, _ in read_lines(connection, 1)]
        players = read_players(connection, line_id(1, 1))
        resumed.journal.close()
    saved = write_games(folder / JOURNAL_NAME, (_copy(game, lines, players) for game in range(GAMES + 1)))
    with closing(Anchor(folder)) as anchor:
        anchor.write(saved.standing)
    return saved.lines


def many_games(folder: Path) -> ManyGames:
    """Measures the opening and the listing of such a journal."""
    lines = write_many(folder)
    began_s = time.perf_counter()
    resumed = open_journal(folder, rules(), SystemClock())
    opening_s = time.perf_counter() - began_s
    assert not resumed.notices
    listing_ms: list[float] = []
    for before, most in ((None, LISTED + 1), (GAMES // 2, LISTED + 1), (None, LOOKED_BACK)):
        past = past_of(folder)  # it knows none of them yet
        _timed(past.listed, listing_ms)(before, most)
    began_s = time.perf_counter()
    while resumed.journal.verifies:
        resumed.journal.verify(100)
    print(f"verified in {time.perf_counter() - began_s:.1f} s", file=sys.stderr)
    resumed.journal.close()
    return ManyGames((folder / JOURNAL_NAME).stat().st_size / 2**20, lines, opening_s, max(listing_ms))


def past_of(folder: Path) -> PastGames:
    """The games of a journal, as pages list them."""
    return PastGames(lambda: folder, rules(), lambda *_: Accepted(0))


def _copy(game: int, lines: list[Line], players: bytes) -> KeptGame:
    tip = Tip(game, 0, 0, chain_start(game))
    if game == 0:
        return KeptGame(tip)
    copied = tuple(Line(game, each.n, game * 100 + each.n, each.rest, each.at, each.event) for each in lines)
    for line in copied:
        tip = follow(tip, line)
    return KeptGame(tip, copied, ((line_id(game, 1), players),))


def page() -> Iterator[str]:
    with tempfile.TemporaryDirectory(dir=".") as place:
        folder = Path(place)
        titles = ("a line as version 1 wrote it", "a line with its hash, and the anchor", "the anchor alone")
        rows = [_row(title, took) for title, took in zip(titles, appends_ms(folder))]
        (folder / "many").mkdir()
        many = many_games(folder / "many")
    yield "## What the journal costs"
    yield ""
    yield (f"`python -m tests.bench.journal.speed`: {APPENDS:,} appends of each kind by turns, each on the disk when "
           "it returns.")
    yield ""
    yield from table(("append", "median ms", "p99 ms"), rows)
    yield ""
    yield (f"Opening a journal of {GAMES:,} games with {many.lines:,} lines ({many.size_mb:.0f} MB), all ends and the "
           f"last game verified: {many.opening_s:.2f} s (promised: 2 s). Listing a page of its games, the slowest: "
           f"{many.listing_ms:.0f} ms (promised: 300 ms).")


def _row(title: str, took_ms: list[float]) -> tuple[str, ...]:
    return title, f"{median(took_ms):.2f}", f"{sorted(took_ms)[len(took_ms) * 99 // 100]:.2f}"


def main() -> int:
    text = "\n".join(page())
    write_parts({"journal speed": text}, PAGE)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
