"""The one way in: people's commands queue, in order; of the eyes' looks only the newest waits."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Condition, Event
from typing import Generic, TypeVar

C = TypeVar("C")
"""What is put in."""
R = TypeVar("R")
"""What its sender is told."""

MAX_WAITING = 64
"""How many commands may wait; more at once is a fault or an attack, not people at a table."""


class FullError(Exception):
    """Too many commands wait already."""


class Reply(Generic[R]):
    """What will become of a command: filled by the writer, awaited by the sender."""

    def __init__(self) -> None:
        self._event = Event()
        self._value: R | None = None

    def put(self, value: R) -> None:
        """Tells the sender."""
        self._value = value
        self._event.set()

    def get(self, timeout_s: float) -> R | None:
        """What became of it; None when nothing did in time."""
        self._event.wait(timeout_s)
        return self._value


@dataclass(frozen=True, slots=True)
class Item(Generic[C, R]):
    """Something to carry out, and whom to tell (None: nobody waits)."""

    command: C
    reply: Reply[R] | None = None


class Inbox(Generic[C, R]):
    """Many threads put, one thread takes."""

    def __init__(self) -> None:
        self._people: deque[Item[C, R]] = deque()
        self._look: Item[C, R] | None = None
        self._changed = Condition()
        self._woken = False

    def put(self, command: C, reply: Reply[R] | None = None) -> None:
        """Queues a person's command; raises `FullError`."""
        with self._changed:
            if len(self._people) >= MAX_WAITING:
                raise FullError
            self._people.append(Item(command, reply))
            self._changed.notify()

    def sight(self, look: C) -> None:
        """Puts a look in the place of the one that waits, if one does."""
        with self._changed:
            self._look = Item(look)
            self._changed.notify()

    def take(self, timeout_s: float) -> Item[C, R] | None:
        """The next thing to carry out, people first; None when nothing came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._people or self._look or self._woken, timeout_s)
            if self._people:
                return self._people.popleft()
            look, self._look = self._look, None
            return look

    def forget_look(self) -> None:
        """Drops the look that waits, if one does."""
        with self._changed:
            self._look = None

    def wake(self) -> None:
        """From now on nobody waits for something to take."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()
