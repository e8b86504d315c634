"""The one way out: every listener gets the present value first, then each new one, through a queue of its own.

A value tells everything, so that whoever is slow loses old values but never the newest one.
"""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

from companion.session.port import ClosedError

T = TypeVar("T")

MAX_BACKLOG = 8
"""How many values are kept for a slow listener; older ones are dropped."""


class Bus(Generic[T]):
    """One thread publishes, many listen."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._changed = Condition()
        self._listeners: set[BusListener[T]] = set()
        self._closed = False

    @property
    def value(self) -> T:
        """The present value."""
        return self._value

    def publish(self, value: T) -> None:
        """Tells everybody."""
        with self._changed:
            self._value = value
            for listener in self._listeners:
                listener.waiting.append(value)
            self._changed.notify_all()

    def keep(self, value: T) -> None:
        """Replaces the present value by one that looks the same to all listeners: none is woken."""
        with self._changed:
            self._value = value

    def listen(self) -> BusListener[T]:
        """A new queue, the present value in it."""
        with self._changed:
            listener = BusListener(self, self._value)
            self._listeners.add(listener)
            return listener

    def close(self) -> None:
        """No more values: every listener that waits gets `ClosedError`."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def leave(self, listener: BusListener[T]) -> None:
        """Forgets a listener; one that waits wakes up."""
        with self._changed:
            self._listeners.discard(listener)
            self._changed.notify_all()

    def next(self, listener: BusListener[T], timeout_s: float) -> T | None:
        """The listener's next value, None when none came in time; raises `ClosedError`."""
        with self._changed:
            self._changed.wait_for(lambda: listener.waiting or not self._open(listener), timeout_s)
            if not self._open(listener):
                raise ClosedError
            return listener.waiting.popleft() if listener.waiting else None

    def _open(self, listener: BusListener[T]) -> bool:
        return not self._closed and listener in self._listeners


class BusListener(Generic[T]):
    """A bounded queue of values; see `Bus`."""

    def __init__(self, bus: Bus[T], value: T) -> None:
        self._bus = bus
        self.waiting: deque[T] = deque([value], maxlen=MAX_BACKLOG)

    def get(self, timeout_s: float) -> T | None:
        """The next value, None when none came in time; raises `ClosedError`."""
        return self._bus.next(self, timeout_s)

    def close(self) -> None:
        """Stop listening."""
        self._bus.leave(self)
