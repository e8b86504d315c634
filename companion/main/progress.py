"""Whether the eyes get on: told to the service by a thread of their own, so that eyes that hang are noticed soon.

    progress = Progress()
    PulseThread(progress, pipe.send).start()
    progress.step()             # something was done
    progress.allow(900.0)       # what comes next may take this long

A process that hangs as a whole (stopped, or stuck in a library that keeps the interpreter) sends no pulse at all; one
whose main thread waits for a picture that does not come sends since when. Computing is no waiting: a small Pi may take
long to read a table. Only the main thread's computing counts: the camera library has threads that are never at rest.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from threading import Event, Thread, main_thread
from typing import Final

from companion.main.messages import Pulse

PULSE_S: Final = 0.5
BUSY_SHARE: Final = 0.02
"""A main thread that uses this much of a core computes; other work may leave it no more."""
MAX_BUSY_S: Final = 40.0
"""Longer than this nothing is computed between two steps."""


class Progress:
    """Marked by the main thread, looked at by the pulse's."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, cpu_clock: Callable[[], float] | None = None
    ) -> None:
        cpu_clock = cpu_clock or main_thread_clock()
        self._clock, self._cpu_clock = clock, cpu_clock
        self._step_s = self._busy_s = self._looked_s = clock()
        self._cpu_s = cpu_clock()
        self._allowed_s = 0.0

    def step(self) -> None:
        """Something was done."""
        self._step_s, self._allowed_s = self._clock(), 0.0

    def allow(self, seconds: float) -> None:
        """What begins now may take this long; the next step ends it."""
        self._step_s, self._allowed_s = self._clock(), seconds

    def rest(self) -> None:
        """What begins now takes as long as people like."""
        self.allow(math.inf)

    def sleep(self, seconds: float) -> None:
        """Sleeps, which is no hanging."""
        self.allow(seconds)
        time.sleep(seconds)
        self.step()

    def stuck_s(self) -> float:
        """For how long nothing was done that should have been. For the pulse's thread."""
        now_s, cpu_s = self._clock(), self._cpu_clock()
        if cpu_s - self._cpu_s >= BUSY_SHARE * (now_s - self._looked_s):
            self._busy_s = now_s
        self._looked_s, self._cpu_s = now_s, cpu_s
        since_s = self._step_s + self._allowed_s
        if now_s - since_s < MAX_BUSY_S:
            since_s = max(since_s, self._busy_s)
        return max(0.0, now_s - since_s)


def main_thread_clock() -> Callable[[], float]:
    """A clock of what the main thread of this process has computed, for any thread to read."""
    of_it = time.pthread_getcpuclockid(main_thread().ident or 0)
    return lambda: time.clock_gettime(of_it)


class PulseThread(Thread):
    """Sends a pulse twice a second. A service that is gone ends the process, hung or not."""

    def __init__(self, progress: Progress, send: Callable[[Pulse], object]) -> None:
        super().__init__(name="pulse", daemon=True)
        self._progress, self._send = progress, send
        self._stopping = Event()

    def run(self) -> None:
        """Until `stop`."""
        while not self._stopping.wait(PULSE_S):
            try:
                self._send(Pulse(self._progress.stuck_s()))
            except OSError:
                os._exit(0)

    def stop(self) -> None:
        """No more pulses: the process ends by itself."""
        self._stopping.set()
