"""Is the journal what was written? What is verified when it is opened, and what in the background.

Opening verifies the ends of all games and every line of the last game, and compares both with the anchor. All other
lines are verified step by step while nothing else is to be done.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from companion.session.journal.chain import LINES_BITS, NO_ENDS, Line, Standing, Tip, chain_start, check_sum
from companion.session.journal.chain import follow, line_id, line_of
from companion.session.journal.people import names_players
from companion.session.journal.schema import TABLES, DamagedError

CHUNK: Final = 100
"""How many lines are read at once: between two chunks others may write, and checkpoints can be made."""

Fault = int
"""The number of a game that is not as it was written."""

_ENDINGS: Final = f"""
    SELECT e.game, e.lines, e.seq, e.hash, e.chained, l.hash, g.why, g.check_sum,
        EXISTS (SELECT 1 FROM line WHERE id > (e.game << {LINES_BITS}) + CASE WHEN g.why IS NULL THEN e.lines ELSE 0 END
                AND id < (e.game + 1) << {LINES_BITS})
    FROM ending e LEFT JOIN line l ON l.id = (e.game << {LINES_BITS}) + e.lines LEFT JOIN gone g ON g.game = e.game
    ORDER BY e.game
"""


def verify_ends(connection: sqlite3.Connection, anchored: Standing | None) -> Standing:
    """Where the journal stands. Raises `DamagedError` or `sqlite3.Error` when it is not what was written."""
    _verify_form(connection)
    tips, ends = _endings(connection)
    game = len(tips)
    (last,) = connection.execute("SELECT max(id) FROM line").fetchone()
    if last is not None and line_of(last)[0] > game:
        raise DamagedError("an ending is missing")
    anchored = anchored or Standing(Tip(game))
    if anchored.tip.game > game:
        raise DamagedError("games are missing")
    if anchored.tip.n and anchored.ends != (ends[anchored.tip.game - 1] if anchored.tip.game else NO_ENDS):
        raise DamagedError("the ends are not those that were anchored")
    tip = Tip(game, 0, tips[-1].seq if tips else 0, chain_start(game))
    for each in range(anchored.tip.game, game + 1):
        tip = _verify_game(connection, each, tips, anchored.tip)
    if game and not tip.n:
        raise DamagedError("the last game is missing")
    return Standing(tip, ends[-1] if ends else NO_ENDS)


def verify_games(connection: sqlite3.Connection, games: int) -> Iterator[Fault | None]:
    """Verifies the games with numbers below `games`, step by step: None after each step, or a game's number."""
    for game in range(games):
        try:
            row = connection.execute(
                "SELECT lines, seq, hash, (SELECT why FROM gone WHERE game = ?1) FROM ending WHERE game = ?1", (game,)
            ).fetchone()
            if row is None:
                raise DamagedError("an ending is missing")
            lines, seq, hash, why = row
            tip = Tip(game, 0, 0, chain_start(game))
            if why is None:
                for tip in verified(connection, game):
                    if tip.n % CHUNK == 0:
                        yield None
                if (tip.n, tip.hash) != (lines, hash) or (tip.n and tip.seq != seq):
                    raise DamagedError("the game does not end as it did")
            yield None
        except (DamagedError, sqlite3.Error, ValueError, LookupError, TypeError):
            yield game


def verified(connection: sqlite3.Connection, game: int) -> Iterator[Tip]:
    """Each line of a game, as the tip that the chain has with it. Raises `DamagedError` at the first that is wrong."""
    tip = Tip(game, 0, 0, chain_start(game))
    for line, hash in read_lines(connection, game):
        following = follow(tip, line)
        if line.n != tip.n + 1 or following.hash != hash:
            raise DamagedError(f"line {tip.n + 1} of game {game} is not as it was written")
        tip = following
        if b'"players"' in line.event and names_players(json.loads(line.event)):
            read_players(connection, line.id)
        yield tip


def read_lines(connection: sqlite3.Connection, game: int) -> Iterator[tuple[Line, bytes]]:
    """The lines of a game with the hashes that stand beside them, in order. Raises `DamagedError`."""
    last, end = line_id(game, 0), line_id(game + 1, 0)
    while True:
        rows = connection.execute(
            "SELECT id, seq, rest, at, event, hash FROM line WHERE id > ? AND id < ? ORDER BY id LIMIT ?",
            (last, end, CHUNK),
        ).fetchall()
        for row in rows:
            yield as_line(row)
        if len(rows) < CHUNK:
            return
        last = rows[-1][0]


def as_line(row: Any) -> tuple[Line, bytes]:
    """A line and its hash, from its row. Raises `DamagedError`."""
    id, seq, rest, at, event, hash = row
    if (type(seq), type(rest), type(at), type(event), type(hash)) != (int, int, bytes, bytes, bytes):
        raise DamagedError("no line")
    return Line(*line_of(id), seq, rest, at, event), hash


def read_players(connection: sqlite3.Connection, id: int) -> bytes:
    """Who plays, as JSON, of the line with this id. Raises `DamagedError`."""
    row = connection.execute("SELECT players, check_sum FROM people WHERE id = ?", (id,)).fetchone()
    if row is None or type(row[0]) is not bytes or check_sum("people", id, row[0]) != row[1]:
        raise DamagedError("the names of a game are not as they were written")
    return bytes(row[0])


def _verify_form(connection: sqlite3.Connection) -> None:
    """The tables are ours, and the file has no more pages than it knows of: they would be written over."""
    tables = {sql.decode() for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")}
    if tables != set(TABLES):
        raise DamagedError("other tables")
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    if free:
        raise DamagedError("free pages: none was ever given up")


def _endings(connection: sqlite3.Connection) -> tuple[list[Tip], list[bytes]]:
    """How every game but the last ended, and the hashes in the chain of these ends."""
    tips, ends, gone = list[Tip](), [NO_ENDS], 0
    for game, lines, seq, hash, chained, last, why, gone_sum, more in connection.execute(_ENDINGS):
        tip = Tip(len(tips), lines, seq, hash)
        if game != len(tips) or tip.ends(ends[-1]) != chained:
            raise DamagedError("the ends of games do not follow each other")
        if why is not None:
            gone += 1
            if check_sum("gone", game, why) != gone_sum:
                raise DamagedError("why a game is gone is not as it was written")
        elif last != hash and (lines, hash) != (0, chain_start(game)):
            raise DamagedError("the end of a game is missing")
        if more:
            raise DamagedError("a game goes on behind its end")
        tips.append(tip)
        ends.append(chained)
    if (gone,) != connection.execute("SELECT count(*) FROM gone").fetchone():
        raise DamagedError("a game is gone that never was")
    return tips, ends[1:]


def _verify_game(connection: sqlite3.Connection, game: int, tips: list[Tip], anchored: Tip) -> Tip:
    """All lines of one of the last games. Raises `DamagedError` when it is not the one that was anchored."""
    tip = Tip(game, 0, tips[game - 1].seq if game else 0, chain_start(game))
    met = game != anchored.game or anchored.n == 0
    for tip in verified(connection, game):
        met = met or (tip.n == anchored.n and tip.hash == anchored.hash)
    if not met:
        raise DamagedError("the last lines are missing")
    if game < len(tips) and (tip.n, tip.hash) != (tips[game].n, tips[game].hash):
        raise DamagedError("the game does not end as it did")
    return tip
