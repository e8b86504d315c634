"""The games of a sound journal, as SQLite has them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from companion.session.journal.chain import Tip, chain_start, follow
from companion.session.journal.games import DELETED, KeptGame
from companion.session.journal.people import names_players
from companion.session.journal.verify import read_lines, read_players


def stored_games(connection: sqlite3.Connection) -> Iterator[KeptGame]:
    """All games of a sound journal, in order from number 0."""
    gone = dict(connection.execute("SELECT game, why FROM gone"))
    ends = connection.execute("SELECT game, lines, seq, hash FROM ending ORDER BY game").fetchall()
    for game, lines, seq, hash in (*ends, (len(ends), 0, 0, chain_start(len(ends)))):
        if game in gone:
            yield KeptGame(Tip(game, lines, seq, hash), deleted=gone[game] == DELETED)
        else:
            yield _game(connection, game)


def _game(connection: sqlite3.Connection, game: int) -> KeptGame:
    lines = tuple(line for line, _ in read_lines(connection, game))
    heads = [line.id for line in lines if b'"players"' in line.event and names_players(json.loads(line.event))]
    players = tuple((id, read_players(connection, id)) for id in heads)
    tip = Tip(game, 0, 0, chain_start(game))
    for line in lines:
        tip = follow(tip, line)
    return KeptGame(tip, lines, players)
