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
from pathlib import Path
from statistics import median

from companion.session.clock import SystemClock
from companion.session.journal import NAME, open_journal
from companion.session.journal.anchor import Anchor
from companion.session.journal.build import write_games
from companion.session.journal.chain import Line, Tip, chain_start, follow, line_id
from companion.session.journal.games import KeptGame
from companion.session.journal.verify import read_lines, read_players
from tests.bench.journal.play import play, rules
from tests.bench.page import ROOT, table, write_parts

PAGE = ROOT / "docs" / "reliability.md"
APPENDS = 1000
GAMES = 10_000
IDLE_TURN_S = 1.0


def appends_ms(folder: Path) -> list[float]:
    """Each append of a ply by itself: one commit, one anchor."""
    resumed = open_journal(folder, rules(), SystemClock())
    took: list[float] = []
    append = resumed.journal.append

    def timed(*args: object) -> None:
        began_s = time.perf_counter()
        append(*args)  # type: ignore[arg-type]
        took.append(1000 * (time.perf_counter() - began_s))

    resumed.journal.append = timed  # type: ignore[method-assign,assignment]
    for _, _ in zip(range(APPENDS), play(resumed.journal, resumed.state, random.Random(1), SystemClock())):
        pass
    resumed.journal.close()
    return took


def before_ms(folder: Path) -> list[float]:
    """The same number of lines as version 1 wrote them: no hash, an index, no anchor."""
    with closing(sqlite3.connect(folder / "before.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(
            "CREATE TABLE line (id INTEGER PRIMARY KEY, game INTEGER, seq INTEGER, at TEXT, event TEXT);"
            "CREATE INDEX line_of_game ON line (game, id);"
        )

        def append() -> None:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO line (game, seq, at, event) VALUES (1, 1, 'now', ?)", ("x" * 250,))

        return _times_ms(append)


def anchor_ms(folder: Path) -> list[float]:
    """The anchor alone."""
    from companion.session.journal.chain import Standing

    with closing(Anchor(folder)) as anchor:
        return _times_ms(lambda: anchor.write(Standing()))


def _times_ms(what: Callable[[], object]) -> list[float]:
    took = []
    for _ in range(APPENDS):
        began_s = time.perf_counter()
        what()
        took.append(1000 * (time.perf_counter() - began_s))
    return took


def many_games(folder: Path) -> tuple[float, float, int]:
    """MB of a journal with `GAMES` games, s to open it, and its lines. The games are copies of one."""
    with tempfile.TemporaryDirectory() as place:
        resumed = open_journal(Path(place), rules(), SystemClock())
        for state in play(resumed.journal, resumed.state, random.Random(2)):
            if state.matches == 2:
                break
        connection = resumed.journal._connection
        lines = [line for line, _ in read_lines(connection, 1)]
        players = read_players(connection, line_id(1, 1))
        resumed.journal.close()
    saved = write_games(folder / NAME, (_copy(game, lines, players) for game in range(GAMES + 1)))
    with closing(Anchor(folder)) as anchor:
        anchor.write(saved.standing)
    began_s = time.perf_counter()
    resumed = open_journal(folder, rules(), SystemClock())
    took_s = time.perf_counter() - began_s
    assert not resumed.notices
    began_s = time.perf_counter()
    while resumed.journal.verifies:
        resumed.journal.verify(100)
    print(f"verified in {time.perf_counter() - began_s:.1f} s", file=sys.stderr)
    resumed.journal.close()
    return (folder / NAME).stat().st_size / 2**20, took_s, saved.lines


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
        rows = [
            _row("a line as version 1 wrote it", before_ms(folder)),
            _row("a line with its hash, and the anchor", appends_ms(folder / "now")),
            _row("of which the anchor", anchor_ms(folder)),
        ]
        (folder / "many").mkdir()
        size_mb, opening_s, lines = many_games(folder / "many")
    yield "## What the journal costs"
    yield ""
    yield (f"`python -m tests.bench.journal.speed`: {APPENDS:,} appends one after the other, each on the disk when it "
           "returns.")
    yield ""
    yield from table(("append", "median ms", "p99 ms"), rows)
    yield ""
    yield (f"Opening a journal of {GAMES:,} games with {lines:,} lines ({size_mb:.0f} MB), all ends and the last game "
           f"verified: {opening_s:.2f} s (promised: 2 s).")


def _row(title: str, took_ms: list[float]) -> tuple[str, ...]:
    return title, f"{median(took_ms):.2f}", f"{sorted(took_ms)[len(took_ms) * 99 // 100]:.2f}"


def main() -> int:
    text = "\n".join(page())
    write_parts({"journal speed": text}, PAGE)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
