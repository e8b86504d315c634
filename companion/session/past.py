"""The games of a journal, also those that were played before: listed, and opened as they stood last.

Everything is read with connections of its own, beside the writer's. What a game hides while it can go on stays hidden
of one that people ended, however long ago.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Final

from companion.engine import Json, Seat, record
from companion.errors import CompanionError, InvalidError, JournalError, Phrase, phrase
from companion.session import events
from companion.session.evolve import resume
from companion.session.journal import JOURNAL_NAME
from companion.session.journal.people import join_players, names_players
from companion.session.journal.schema import DamagedError, reader
from companion.session.journal.sound import is_new
from companion.session.journal.verify import read_lines, read_players
from companion.session.library import GameLibrary
from companion.session.port import Accepted, Refused
from companion.session.state import State
from companion.session.taking_up import GOES_ON_FROM


MOST: Final = 1 << 30
"""No journal holds more games."""


Forget = Callable[[Path, int], Accepted | Refused]
"""Deletes a game of the journal in a folder."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game in a line of a list. `winners` and `scores` as in its result; None: it has not ended. `started` is as in a
    record's header, `key` names it among all games."""

    number: int
    game: str
    players: tuple[str, ...]
    started: str
    plies: int
    winners: tuple[Seat, ...] | None
    scores: tuple[int, ...] | None
    reason: str
    header: Mapping[str, Any] = field(default_factory=dict)
    """That of its record, with all that its set-up hides."""
    key: str = ""

    @property
    def is_left(self) -> bool:
        """Whether it was not played to its end."""
        return self.plies > 0 and (self.winners is None or self.reason == record.ABANDONED)


def unfinished(games: Sequence[PastGame], key: str) -> tuple[PastGame, ...]:
    """Those of the games that were not played to their end, and that nobody has gone on with. `key`: the game that is
    at the table."""
    taken = {game.header.get(GOES_ON_FROM) for game in games} | {key}
    return tuple(game for game in games if game.is_left and game.key and game.key not in taken)


class PastGames:
    """The games in the journal of `folder`, which may change; `forget` deletes one. Safe to call from any thread."""

    def __init__(self, folder: Callable[[], Path], library: GameLibrary, forget: Forget) -> None:
        self._folder, self._library, self._forget = folder, library, forget
        self._lock = Lock()
        self._known: dict[tuple[Path, int], PastGame] = {}
        """Games with others after them: nothing is added to these."""

    def listed(self, before: int | None, most: int) -> tuple[PastGame, ...]:
        """At most so many games, the newest first, those with a number below `before`. Games that cannot be read are
        left out. Raises `JournalError`."""
        path = self._folder() / JOURNAL_NAME
        if is_new(path):
            return ()
        found: list[PastGame] = []
        with self._lock, closing(reader(path)) as connection:
            last = _last(connection)
            for number in range(min(last, last if before is None else before - 1), 0, -1):
                if len(found) == most:
                    break
                line = self._known.get((path, number)) or _summary(connection, number)
                if line is not None:
                    found.append(line)
                    if number < last:
                        self._known[path, number] = line
        return tuple(found)

    def opened(self, number: int) -> State:
        """The game as it stood last. Raises `InvalidError` for one that is not there, or cannot be followed."""
        return self._read(number)[0]

    def left(self, number: int) -> tuple[events.Event, ...]:
        """What happened in a game that people left, to go on with it. Raises `InvalidError` when it cannot go on."""
        state, played = self._read(number)
        if state.match is None or (state.match.result is not None and not state.match.abandoned):
            raise InvalidError(phrase("session.not_left"))
        return played

    def _read(self, number: int) -> tuple[State, tuple[events.Event, ...]]:
        path = self._folder() / JOURNAL_NAME
        if not 1 <= number <= MOST or is_new(path):
            raise InvalidError(phrase("session.no_past_game", game=number))
        with self._lock, closing(reader(path)) as connection:  # one at a time: replaying takes a while
            try:
                played = tuple(each for each in map(events.read_event, _events(connection, number))
                               if not isinstance(each, events.SETTING_UP))
                state = resume(played, self._library, 0, number)
            except CompanionError:
                raise
            except (DamagedError, sqlite3.Error, ValueError, LookupError, TypeError) as error:
                raise InvalidError(phrase("session.no_past_game", game=number)) from error
        if state.match is None:
            raise InvalidError(phrase("session.no_past_game", game=number))
        return state, played

    def delete(self, number: int) -> tuple[Phrase, ...]:
        """Deletes a game for ever, and says what became of it. Raises `InvalidError` with the reason when it stays: the
        last one may be gone on with."""
        folder = self._folder()
        with self._lock:  # nobody reads meanwhile: the file is replaced
            answer = self._forget(folder, number)
            self._known.pop((folder / JOURNAL_NAME, number), None)
        if isinstance(answer, Refused):
            raise InvalidError(answer.phrase)
        copies = tuple(str(each) for each in sorted(folder.glob("journal-*.sqlite")))
        told = phrase("journal.deleted", game=number)
        return (told, phrase("journal.deleted.copies", where=copies)) if copies else (told,)

    def look_anew(self) -> None:
        """The journals are others now: what was known of their games counts no more."""
        with self._lock:
            self._known.clear()


def _last(connection: sqlite3.Connection) -> int:
    try:
        (game,) = connection.execute("SELECT coalesce(max(game), -1) + 1 FROM ending").fetchone()
    except sqlite3.Error as error:
        raise JournalError(phrase("session.no_past_games")) from error
    return int(game)


def _events(connection: sqlite3.Connection, number: int) -> Iterator[Mapping[str, Json]]:
    """The events of a game as JSON objects, with their players."""
    for line, _ in read_lines(connection, number):
        event = json.loads(line.event)
        yield join_players(event, json.loads(read_players(connection, line.id))) if names_players(event) else event


def _summary(connection: sqlite3.Connection, number: int) -> PastGame | None:
    """The line of a game; None for one that is gone or cannot be read."""
    try:
        return _line_of(number, list(_events(connection, number)))
    except (DamagedError, sqlite3.Error, ValueError, LookupError, TypeError):
        return None


def _line_of(number: int, found: Sequence[Mapping[str, Any]]) -> PastGame | None:
    header: Mapping[str, Any] | None = None
    plies, result, key = 0, None, ""
    for event in found:
        match event["type"]:
            case "game_started":
                header, key = event["header"], str(event.get("key", ""))
            case "ply_made":
                plies += 1
            case "plies_taken_back":
                plies, result = plies - event["number"], None
            case "setup_corrected":
                plies = len(event["plies"])
            case "game_ended":
                result = event["result"]
            case "game_reopened":
                result = None
    if header is None:
        return None
    ended = result or {}
    return PastGame(
        number, header["game"], tuple(each["name"] for each in header["players"]), header["started"], plies,
        None if result is None else tuple(ended["winners"]), None if result is None else tuple(ended["scores"]),
        ended.get("reason", ""), header, key)
