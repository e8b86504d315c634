"""The one way in: people's commands queue, in order; of the eyes' looks only the newest waits."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Condition, Event
from typing import Generic, TypeVar

T = TypeVar("T")

MAX_WAITING = 64
"""So many commands may wait; more at once is a fault or an attack, not people at a table."""


class FullError(Exception):
    """Too many commands wait already."""


class Reply(Generic[T]):
    """What will become of a command: filled by the writer, awaited by the sender."""

    def __init__(self) -> None:
        self._event, self._value = Event(), None

    def put(self, value: T) -> None:
        """Tells the sender."""
        self._value = value  # type: ignore[assignment]
        self._event.set()

    def get(self, timeout_s: float) -> T | None:
        """What became of it; None when nothing did in time."""
        self._event.wait(timeout_s)
        return self._value


@dataclass(frozen=True, slots=True)
class Item(Generic[T]):
    """Something to carry out, and whom to tell (None: nobody waits)."""

    command: object
    reply: Reply[T] | None = None


class Inbox(Generic[T]):
    """Many threads put, one thread takes."""

    def __init__(self) -> None:
        self._people: deque[Item[T]] = deque()
        self._look: Item[T] | None = None
        self._changed = Condition()
        self._woken = False

    def put(self, command: object, reply: Reply[T] | None = None) -> None:
        """Queues a person's command; raises `FullError`."""
        with self._changed:
            if len(self._people) >= MAX_WAITING:
                raise FullError
            self._people.append(Item(command, reply))
            self._changed.notify()

    def sight(self, look: object) -> None:
        """Puts a look in the place of the one that waits, if one does."""
        with self._changed:
            self._look = Item(look)
            self._changed.notify()

    def take(self, timeout_s: float) -> Item[T] | None:
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
