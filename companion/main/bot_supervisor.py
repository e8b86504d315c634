"""A bot's thinking in a process of its own, of low priority, so that camera, pages and lamps stay prompt.

    thinker = Thinker()
    decision = thinker.decide(Task("war-chest", colours, seen, level("deep"), seed=7), cancelled)    # blocks
    thinker.end()

The process is started when it is first needed. If it dies, nothing else does: it is started again, once for a task.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

from companion.bots import Decision, Level
from companion.engine import Seen

CANCEL_POLL_S: Final = 0.05
"""Seconds between two calls of `cancelled`."""
GRACE_S: Final = 20.0
"""Seconds beyond the level's time after which the process counts as hung; greedy play has no other limit."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to think about: a seat's view of a game, at a level."""

    game: str
    colours: tuple[str, ...]
    seen: Seen
    level: Level
    seed: int


@dataclass(frozen=True, slots=True)
class ThinkRequest:
    """A task on its way to the process; `task` is None to stop what it is thinking about."""

    number: int
    task: Task | None


@dataclass(frozen=True, slots=True)
class ThinkReply:
    """What the process decided about a question."""

    number: int
    decision: Decision


class Thinker:
    """Asks the process, one task after the other. For use by one thread."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._number = 0

    @property
    def pid(self) -> int | None:
        """The process id, if the process is running."""
        return None if self._process is None else self._process.pid

    def decide(self, task: Task, cancelled: Callable[[], bool] = lambda: False) -> Decision | None:
        """What the bot decides; None when it was cancelled, or when the process died twice while it thought."""
        for _ in range(2):
            try:
                return self._ask(task, cancelled)
            except (EOFError, OSError):
                self.end()
        return None

    def end(self) -> None:
        """Ends the process, whatever it is doing. The next task starts a new one."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = self._pipe = None

    def _ask(self, task: Task, cancelled: Callable[[], bool]) -> Decision | None:
        pipe = self._pipe or self._start()
        self._number += 1
        pipe.send(ThinkRequest(self._number, task))
        waited_s = 0.0
        while not cancelled():
            if pipe.poll(CANCEL_POLL_S):
                answer: ThinkReply = pipe.recv()
                if answer.number == self._number:
                    return answer.decision
                continue  # the answer to a question that was cancelled
            waited_s += CANCEL_POLL_S
            if waited_s > task.level.time_s + GRACE_S:
                raise TimeoutError
        pipe.send(ThinkRequest(self._number, None))
        return None

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.main.bot_process", str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )
        self._pipe = Connection(ours.detach())
        return self._pipe
