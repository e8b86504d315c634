"""Hints for the player on turn: thought about in the bots' process, one at a time, while the pages go on."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import Final

from companion.bots import hints, level
from companion.engine import Seat, ToMove
from companion.errors import Phrase
from companion.games import registry
from companion.main.bot_supervisor import Task, Thinker
from companion.session.snapshot import Snapshot

HINT_LEVEL: Final = "search"
Hint = tuple[Phrase, Phrase]
HintKey = tuple[int, int, Seat]
"""Number of the game, number of the snapshot, seat."""


class Hinter:
    """`ask` may be called from any thread and never waits; `run` thinks, in a thread of its own."""

    def __init__(self, snapshot: Callable[[Seat], Snapshot], thinker: Thinker | None = None) -> None:
        self._snapshot, self._thinker = snapshot, thinker or Thinker()
        self._changed = Condition()
        self._wanted: HintKey | None = None
        self._known: tuple[HintKey, Hint | None] | None = None
        self._stopping = False

    def ask(self, seat: Seat) -> Hint | None:
        """What this seat may consider now, and why; None while that is thought about, or if there is nothing to say."""
        key = _key(self._snapshot(seat), seat)
        with self._changed:
            if self._known is not None and self._known[0] == key:
                return self._known[1]
            self._wanted = key
            self._changed.notify()
            return None

    def run(self) -> None:
        """Works until `stop`."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._stopping)
                if self._stopping:
                    break
                key, self._wanted = self._wanted, None
            if key is not None:
                self._think(key)
        self._thinker.end()

    def stop(self) -> None:
        """Lets `run` end, and the process with it."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    def _think(self, key: HintKey) -> None:
        shown = self._snapshot(key[2])
        if shown.seen is None or _key(shown, key[2]) != key or not isinstance(shown.seen.turn, ToMove):
            return
        task = Task(shown.game, shown.colours, shown.seen, level(HINT_LEVEL), seed=key[1])
        decision = self._thinker.decide(task, lambda: self._stopping or _key(self._snapshot(key[2]), key[2]) != key)
        if decision is not None:
            game = registry.game(shown.game, shown.colours)
            with self._changed:
                self._known = key, hints.hint(game, shown.seen, decision)


def _key(shown: Snapshot, seat: Seat) -> HintKey:
    return shown.match, shown.seq, seat
