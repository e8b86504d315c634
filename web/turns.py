"""Whose request is answered next: addresses take turns, and none has all threads."""

from __future__ import annotations

from collections import Counter, deque
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher


class Waiting(Protocol):
    """A connection with a request to answer."""

    address: str

    def service(self) -> None:
        """Answers it."""

    def cancel(self) -> None:
        """Gives it up."""


class Turns:
    """Requests that wait, by address. Behaves as the queue of waitress' dispatcher, under whose lock it is used: it
    seems empty while all who wait have as many threads as one address may have."""

    def __init__(self, most_each: int) -> None:
        self._most_each = most_each
        self._waiting: dict[str, deque[Waiting]] = {}
        self._busy: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(len(each) for each in self._waiting.values())

    def __bool__(self) -> bool:
        return self._next() is not None

    def append(self, asked: Waiting) -> None:
        """One more request, behind the others of its address."""
        self._waiting.setdefault(asked.address, deque()).append(asked)

    def popleft(self) -> Waiting:
        """The request to answer now; its address goes to the end of the row."""
        address = self._next()
        if address is None:
            raise IndexError
        of_address = self._waiting.pop(address)
        asked = of_address.popleft()
        if of_address:
            self._waiting[address] = of_address
        self._busy[address] += 1
        return asked

    def done(self, address: str) -> None:
        """A request of this address was answered."""
        self._busy[address] -= 1
        if self._busy[address] <= 0:
            del self._busy[address]

    def _next(self) -> str | None:
        return next((each for each in self._waiting if self._busy[each] < self._most_each), None)


class FairDispatcher(ThreadedTaskDispatcher):
    """Waitress' threads, with `Turns` for their queue."""

    def __init__(self, threads: int, most_each: int) -> None:
        super().__init__()
        self.queue = Turns(most_each)
        self.set_thread_count(threads)

    def done(self, address: str) -> None:
        """A request of this address was answered: the thread that did so looks for the next by itself."""
        with self.lock:
            self.queue.done(address)
