"""What the writer counts since the start, for whoever watches over the service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from companion.session.commands import Amend, Confide
from companion.session.events import Event, PlyMade
from companion.session.sighted import Sighted

UNTOLD: Final = (Amend, Confide)
"""Commands that are not counted: that a seat told what it alone sees is nobody else's to know."""


@dataclass(frozen=True, slots=True)
class Spent:
    """So often something was carried out, how long that took together, and at most."""

    number: int = 0
    sum_s: float = 0.0
    most_s: float = 0.0

    def with_one(self, took_s: float) -> Spent:
        """Once more."""
        return Spent(self.number + 1, self.sum_s + took_s, max(self.most_s, took_s))


@dataclass(frozen=True, slots=True)
class Counted:
    """All of it, at one moment: plies by their source, looks by the eyes' state, what the writer spent on commands."""

    plies: dict[str, int] = field(default_factory=dict)
    looks: dict[str, int] = field(default_factory=dict)
    commands: Spent = Spent()
    seen: Spent = Spent()
    """What the writer spent on looks."""


class Counts:
    """The writer's thread counts, any thread reads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._plies: Counter[str] = Counter()
        self._looks: Counter[str] = Counter()
        self._commands, self._seen = Spent(), Spent()

    def carried_out(self, command: object, took_s: float) -> None:
        """The writer is done with something: carried out or refused."""
        with self._lock:
            if isinstance(command, Sighted):
                self._looks[command.state] += 1
                self._seen = self._seen.with_one(took_s)
            elif not isinstance(command, UNTOLD):
                self._commands = self._commands.with_one(took_s)

    def written(self, events: Iterable[Event]) -> None:
        """These events are in the journal."""
        with self._lock:
            self._plies.update(event.source for event in events if isinstance(event, PlyMade))

    def read(self) -> Counted:
        """All of it, now."""
        with self._lock:
            return Counted(dict(self._plies), dict(self._looks), self._commands, self._seen)
