"""Bots that sit at the table: each decides by what its seat sees, and says what it wants done."""

from __future__ import annotations

import logging
from typing import Final

from companion.bots import LEVELS, level
from companion.errors import CompanionError
from companion.main.bot_supervisor import Task, Thinker
from companion.session.carrying import BotTurn
from companion.session.commands import BotDecided
from companion.session.port import ClosedError
from companion.session.writer import Writer

_logger = logging.getLogger(__name__)

USUAL_LEVEL: Final = "quick"
"""What a bot plays whose level nobody knows."""
WAIT_S: Final = 1.0
"""Seconds between two looks at a table at which nothing happens."""


class BotPlayers:
    """`run` works until the service stops; the process in which bots think is started when one is to move."""

    def __init__(self, desk: Writer, thinker: Thinker | None = None) -> None:
        self._desk, self._thinker = desk, thinker or Thinker()
        self._stopping = False

    def run(self) -> None:
        """Works until the service stops."""
        listener = self._desk.changes()
        try:
            while True:
                listener.get(WAIT_S)
                self.think()
        except ClosedError:
            _logger.debug("bots leave: the service stops")
        finally:
            listener.close()
            self._thinker.end()

    def stop(self) -> None:
        """Nothing more is thought about: `run` ends with the session."""
        self._stopping = True

    def think(self) -> None:
        """Lets the bot decide that is to move, if one is."""
        wanted = self._desk.bot_turn()
        if wanted is None:
            return
        try:
            self._decide(wanted)
        except CompanionError:
            _logger.exception("the bot at seat %d cannot decide", wanted.seat)

    def _decide(self, wanted: BotTurn) -> None:
        shown = self._desk.snapshot(wanted.seat)
        if shown.seq != wanted.seq or shown.seen is None:
            return
        known = level(wanted.level if wanted.level in LEVELS else USUAL_LEVEL)
        task = Task(shown.game, shown.colours, shown.seen, known, seed=wanted.seq)
        decision = self._thinker.decide(task, lambda: self._stopping or self._desk.bot_turn() != wanted)
        if decision is not None:
            self._desk.post(BotDecided(wanted.seq, decision.ply))
