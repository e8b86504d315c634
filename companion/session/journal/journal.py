"""The journal that is open: appends lines, resumes the last game, and looks after the file while nothing happens.

One connection writes and also makes all checkpoints (two that do so at once can damage a WAL journal). Each append is
one transaction that is on the disk when it returns (`synchronous=FULL`); then the anchor is written.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from companion.engine import Json, lines
from companion.errors import InvalidError, JournalError, Phrase, phrase
from companion.session import events
from companion.session.clock import Clock
from companion.session.events import SILENT, Event, GameStarted
from companion.session.evolve import resume
from companion.session.journal.anchor import Anchor
from companion.session.journal.chain import Line, Standing, Tip, chain_start, check_sum, follow
from companion.session.journal.notices import Notices
from companion.session.journal.people import join_players, names_players, part_players
from companion.session.journal.schema import INSERT_ENDING, INSERT_LINE, INSERT_PEOPLE
from companion.session.journal.verify import Fault, read_lines, read_players, verify_games
from companion.session.library import GameLibrary
from companion.session.projection import snapshot_of
from companion.session.state import State

_logger = logging.getLogger(__name__)

MAX_LINE_BYTES: Final = 1 << 20
"""How long a line may be."""
TEND_AFTER_S: Final = 2.0
"""Nothing was written for so long: the file is looked after."""
STEPS_A_TURN: Final = 5
"""How many steps of the verification are made at a time, some milliseconds."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An event as it will be written, checked: its own text, and who plays in a header."""

    begins_game: bool
    is_silent: bool
    text: str
    players: str | None


class Journal:
    """Use from one thread at a time; `open_journal` gives one."""

    def __init__(self, path: Path, lock: IO[str], connection: sqlite3.Connection, clock: Clock, standing: Standing,
                 notices: Notices) -> None:
        self.path, self.notices = path, notices
        self._lock, self._connection, self._clock = lock, connection, clock
        self._standing = standing
        self._anchor = Anchor(path.parent)
        self._anchor.write(standing)
        self._anchored = True
        self._wrote_s: float | None = clock.monotonic_s()
        self._unverified: Iterator[Fault | None] | None = verify_games(connection, standing.tip.game)

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(self, new: Sequence[Event], state: State) -> None:
        """Writes the events that led to `state`, all or none. Raises `JournalError` when the disk does not take them,
        `InvalidError` for what could not be read again; then nothing was written."""
        if not new:
            return
        entries = [_checked(event) for event in new]
        at = self._clock.now()
        game = state.matches - sum(entry.begins_game for entry in entries)
        seq = state.seq - sum(not entry.is_silent for entry in entries)
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                standing = self._write(entries, at, game, seq)
        except sqlite3.Error as error:
            raise JournalError(phrase("journal.unwritable", where=str(self.path), given=str(error))) from error
        self._standing, self._wrote_s = standing, self._clock.monotonic_s()
        self._write_anchor()

    def _write(self, entries: Sequence[_Entry], at: str, game: int, seq: int) -> Standing:
        now, execute = self._standing, self._connection.execute
        for rest, entry in zip(range(len(entries) - 1, -1, -1), entries):
            seq += not entry.is_silent
            if entry.begins_game:
                now = self._end_game(now)
                game += 1
            if game != now.tip.game:
                raise sqlite3.IntegrityError(f"game {game} follows game {now.tip.game}")
            line = Line(game, now.tip.n + 1, seq, rest, at.encode(), entry.text.encode())
            now = Standing(follow(now.tip, line), now.ends)
            execute(INSERT_LINE, (line.id, seq, rest, at, entry.text, now.tip.hash))
            if entry.players is not None:
                execute(INSERT_PEOPLE, (line.id, entry.players, check_sum("people", line.id, entry.players.encode())))
        return now

    def _end_game(self, now: Standing) -> Standing:
        """The chain of ends goes on by the game that was last."""
        tip, ends = now.tip, now.tip.ends(now.ends)
        self._connection.execute(INSERT_ENDING, (tip.game, tip.n, tip.seq, tip.hash, ends))
        return Standing(Tip(tip.game + 1, 0, tip.seq, chain_start(tip.game + 1)), ends)

    def _write_anchor(self) -> None:
        """The lines are kept by now: an anchor that cannot be written is behind, and is tried again."""
        try:
            self._anchor.write(self._standing)
            self._anchored = True
        except OSError as error:
            _logger.warning("the anchor beside %s cannot be written: %s", self.path, error)
            if self._anchored:
                self.notices.add(phrase("journal.anchor_unwritable", given=error.strerror or str(error)))
            self._anchored = False

    # --- reading ------------------------------------------------------------------------------------------------------

    def events(self, game: int) -> list[Event]:
        """All events of a game, in order. Raises `InvalidError` for one that cannot be read, `DamagedError` for a line
        that is none."""
        return [events.read_event(each) for each in self.objects(game)]

    def objects(self, game: int) -> Iterator[Json]:
        """The same as JSON objects, with the players' names."""
        for line, _ in read_lines(self._connection, game):
            event = json.loads(line.event)
            yield join_players(event, json.loads(read_players(self._connection, line.id))) if names_players(event) \
                else event

    def resume(self, library: GameLibrary) -> State:
        """The state in which the last game stands. One that cannot be followed stays in the journal: a notice says so,
        and another can be begun."""
        tip = self._standing.tip
        try:
            found = self.events(tip.game)
            state = resume(found, library, tip.seq - sum(not isinstance(event, SILENT) for event in found), tip.game)
            snapshot_of(state, "room", 0)  # what cannot be shown must not keep the companion from starting
            return state
        except Exception:
            _logger.exception("game %d cannot be followed", tip.game)
            self.notices.add(phrase("journal.unfollowable", game=tip.game))
            return State(seq=tip.seq, matches=tip.game)

    # --- while nothing happens ----------------------------------------------------------------------------------------

    def tend(self) -> Phrase | None:
        """To be called again and again: folds the WAL into the file and goes on verifying once nothing was written for
        some seconds. Gives a notice when a game was found damaged; it is kept with the others."""
        if self._wrote_s is not None:
            if self._clock.monotonic_s() - self._wrote_s < TEND_AFTER_S:
                return None
            self._wrote_s = None
            self.checkpoint()
        if not self._anchored:
            self._write_anchor()
        return self.verify(STEPS_A_TURN)

    def verify(self, steps: int) -> Phrase | None:
        """Goes on verifying the games before the last. A notice when one is damaged: the next opening salvages."""
        for _ in range(steps):
            if self._unverified is None:
                return None
            try:
                game = next(self._unverified)
            except StopIteration:
                self._unverified = None
                return None
            if game is not None:
                notice = phrase("journal.game_damaged", game=game)
                self.notices.add(notice, repair=True)
                return notice
        return None

    def checkpoint(self) -> None:
        """Folds the WAL into the file, where it can be; it is tried again."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @property
    def tip(self) -> Tip:
        """The last line."""
        return self._standing.tip

    def hashes(self) -> Iterator[tuple[int, bytes]]:
        """Id and hash of every line, for those who have seen them before."""
        yield from self._connection.execute("SELECT id, hash FROM line ORDER BY id")

    @property
    def verifies(self) -> bool:
        """Whether games are left to verify."""
        return self._unverified is not None

    def close(self) -> None:
        """Folds the WAL into the file and lets others have it."""
        self.checkpoint()
        self._connection.close()
        self._anchor.close()
        self._lock.close()


def _checked(event: Event) -> _Entry:
    """The event as it will be written. Raises `InvalidError` when its line could not be read again as it is."""
    try:
        apart, players = part_players(events.write_event(event))
        texts = [json.dumps(each, ensure_ascii=False, allow_nan=False) for each in (apart, players)]
        size = sum(len(text.encode()) for text in texts)
    except RecursionError:
        raise InvalidError(phrase("json.too_deep", most=lines.MAX_DEPTH)) from None
    except (ValueError, TypeError) as error:  # NaN, a lone surrogate, what is no JSON
        raise InvalidError(phrase("journal.unfit", given=str(error)[:80])) from None
    if size > MAX_LINE_BYTES:
        raise InvalidError(phrase("journal.too_long", most=MAX_LINE_BYTES // 1024))
    for text in texts:
        lines.parse(text)
    return _Entry(isinstance(event, GameStarted), isinstance(event, SILENT), texts[0],
                  None if players is None else texts[1])

