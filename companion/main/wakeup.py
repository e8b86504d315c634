"""A wake-up that is waited for beside pipes, so that no thread has to look again and again for changes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from threading import Lock

ENOUGH = 4096
"""Bytes read at once: wake-ups that came together count as one."""


class Wakeup:
    """Any thread calls `set`; one thread waits. A `set` that nobody waited for wakes the next `wait` at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reader, self._writer = os.pipe()
        self._is_closed = False
        for end in (self._reader, self._writer):
            os.set_blocking(end, False)

    def set(self) -> None:
        """Wakes who waits."""
        with self._lock, suppress(BlockingIOError):  # full: it will wake anyway
            if not self._is_closed:
                os.write(self._writer, b"\0")

    def wait(self, pipes: Sequence[Connection], timeout_s: float) -> bool:
        """Waits for `set`, for something to read in one of the pipes, or until the time is over; whether it was a
        pipe."""
        ready = wait([self._reader, *pipes], timeout_s)
        if self._reader in ready:
            with suppress(BlockingIOError):
                os.read(self._reader, ENOUGH)
        return any(pipe in ready for pipe in pipes)

    def close(self) -> None:
        """Gives the pipe back; `set` does nothing from now on."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                os.close(self._reader)
                os.close(self._writer)
