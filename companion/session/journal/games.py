"""Whole games, and the good beginnings of damaged ones, out of what was found in a journal's files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from companion.engine import Json
from companion.session.journal.carve import Carved
from companion.session.journal.chain import Line, Standing, Tip, chain_start, follow
from companion.session.journal.people import REMOVED, join_players, names_players, part_players

DELETED: Final = b"deleted"
LOST: Final = b"lost"
NAMELESS: Final = REMOVED.encode()


@dataclass(frozen=True, slots=True)
class KeptGame:
    """What there is of a game. `lost`: so many of its lines are missing (None: nobody knows how many, 0: it is whole);
    `tip` is its end, also of one that was deleted. `nameless`: who played cannot be read."""

    tip: Tip
    lines: tuple[Line, ...] = ()
    players: tuple[tuple[int, bytes], ...] = ()
    lost: int | None = 0
    deleted: bool = False
    nameless: bool = False

    @property
    def number(self) -> int:
        """The game's number."""
        return self.tip.game

    def cut(self, lines: int) -> KeptGame:
        """Its beginning, so many lines; fewer, so that what was written together stays together."""
        kept = self.lines[:lines]
        while kept and kept[-1].rest:
            kept = kept[:-1]
        tip = Tip(self.number, 0, 0, chain_start(self.number))
        for line in kept:
            tip = follow(tip, line)
        lost = None if self.lost is None else self.lost + len(self.lines) - len(kept)
        return replace(self, tip=tip, lines=kept, lost=lost)


def events_of(game: KeptGame) -> Iterator[Json]:
    """The events of a game as JSON objects, with their players. Raises `ValueError` for one that is none."""
    players = dict(game.players)
    for line in game.lines:
        event = json.loads(line.event)
        yield join_players(event, json.loads(players[line.id])) if names_players(event) else event


def chained_games(carved: Carved, anchored: Standing | None) -> Iterator[KeptGame]:
    """All games from 0 to the last that anything is known of, in order; empty ones too."""
    anchored = anchored or Standing()
    number = 0
    for game in carved.games():
        kept = _chained_game(carved, game, anchored.tip)
        if kept.lines:  # else rubbish, or the beginning of a game is gone: told with the numbers in between
            yield from (_empty(carved, each, anchored.tip) for each in range(number, game))
            yield kept
            number = game + 1
    yield from (_empty(carved, each, anchored.tip) for each in range(number, anchored.tip.game + 1))


def _chained_game(carved: Carved, game: int, anchored: Tip) -> KeptGame:
    """The game as far as its chain holds."""
    vouched = {hash for _, _, hash in carved.endings(game)} | ({anchored.hash} if anchored.game == game else set())
    tip, lines, players, nameless = Tip(game, 0, 0, chain_start(game)), list[Line](), list[tuple[int, bytes]](), False
    while (line := _next_line(carved, tip, vouched)) is not None:
        lines.append(line)
        tip = follow(tip, line)
        if b'"players"' in line.event and names_players(json.loads(line.event)):
            found = carved.players(line.id)
            nameless = nameless or found is None
            players.append((line.id, found or NAMELESS))
    kept = KeptGame(tip, tuple(lines), tuple(players), nameless=nameless)
    ends = carved.endings(game)
    if any(hash == tip.hash for _, _, hash in ends):
        return kept
    if game < anchored.game or ends:
        known = [n for n, _, _ in ends if n > tip.n]
        return replace(kept, lost=min(known) - tip.n if known else None).cut(tip.n)
    if game == anchored.game and tip.n < anchored.n:
        return replace(kept, lost=anchored.n - tip.n).cut(tip.n)
    return replace(kept.cut(tip.n), lost=0)  # what is cut off here was never acknowledged


def _next_line(carved: Carved, tip: Tip, vouched: set[bytes]) -> Line | None:
    """The variant of the next line that the chain goes on with. A line whose own hash is the damaged part is told by
    what follows it, or by the end that is known."""
    for line, hash in carved.variants(tip.game, tip.n + 1):
        following = follow(tip, line)
        if following.hash == hash or following.hash in vouched or any(
            follow(following, after).hash == beside for after, beside in carved.variants(tip.game, tip.n + 2)
        ):
            return line
    return None


def _empty(carved: Carved, game: int, anchored: Tip) -> KeptGame:
    """A game without lines: deleted, lost, or (number 0) one that never had any."""
    endings = carved.endings(game)
    lines, seq, hash = endings[0] if len(endings) == 1 else (0, 0, chain_start(game))
    nothing = Tip(game, 0, 0, chain_start(game))
    if carved.gone(game) == DELETED:
        return KeptGame(Tip(game, lines, seq, hash), deleted=True)
    none_before = game == 0 and not lines and not (anchored.game == 0 and anchored.n)
    if carved.gone(game) == LOST or none_before:
        return KeptGame(nothing)
    return KeptGame(nothing, lost=anchored.n if game == anchored.game else lines or None)


# --- version 1, without checksums -------------------------------------------------------------------------------------

OldRow = tuple[int, int, int, bytes, bytes]
"""Id, game, seq, at, event."""


def old_games(rows: Iterable[OldRow]) -> Iterator[KeptGame]:
    """The games of a journal of version 1, whose rows were numbered without a gap, by id."""
    number, last = 0, 0
    for game, found in groupby(_whole(rows), key=lambda row: row[1]):
        if game < number:
            continue
        kept, last = _old_game(game, list(found), last)
        yield from (KeptGame(Tip(each, 0, 0, chain_start(each)), lost=None if each else 0)
                    for each in range(number, game))
        yield kept
        number = game + 1


def _whole(rows: Iterable[OldRow]) -> Iterator[OldRow]:
    """One row of each id, those that can be read."""
    last = 0
    for row in rows:
        if row[0] > last and _object(row[4]) is not None:
            last = row[0]
            yield row


def _old_game(game: int, rows: list[OldRow], last: int) -> tuple[KeptGame, int]:
    """The rows of a game up to the first gap, chained; and the id of its last row."""
    tip, lines, players = Tip(game, 0, 0, chain_start(game)), list[Line](), list[tuple[int, bytes]]()
    first = _object(rows[0][4]) or {}
    begun = rows[0][0] == last + 1 if game == 0 else first.get("type") == "game_started"
    for (id, _, seq, at, text), expected in zip(rows, range(rows[0][0], rows[-1][0] + 1)):
        if id != expected or not begun:
            break
        event, who = part_players(_object(text) or {})
        line = Line(game, tip.n + 1, seq, 0, at, json.dumps(event, ensure_ascii=False).encode())
        if who is not None:
            players.append((line.id, json.dumps(who, ensure_ascii=False).encode()))
        lines.append(line)
        tip = follow(tip, line)
    lost = rows[-1][0] - rows[0][0] + 1 - len(lines)
    return KeptGame(tip, tuple(lines), tuple(players), lost), rows[-1][0]


def _object(text: bytes) -> dict[str, Json] | None:
    """The JSON object of an event; None for what is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "type" in value else None
