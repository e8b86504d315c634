"""The process in which bots think: takes questions, answers with decisions, ends with its pipe.

Whatever comes through the pipe while it thinks, another question or a stop, ends the thinking; the answer is then the
best so far.
"""

from __future__ import annotations

import os
import sys
import time
from multiprocessing.connection import Connection
from random import Random
from typing import Final

from companion.bots import Budget, Decision
from companion.games import registry
from companion.main.expendable import THINKING, may_go
from companion.main.bot_supervisor import ThinkReply, ThinkRequest, Task

LESS_URGENT: Final = 15
"""Niceness: every other process of the service has priority."""


def main() -> None:
    """Runs until the pipe closes."""
    os.nice(LESS_URGENT)
    may_go(THINKING)
    pipe = Connection(int(sys.argv[1]))
    try:
        while True:
            question: ThinkRequest = pipe.recv()
            if question.task is not None:
                pipe.send(ThinkReply(question.number, _decide(question.task, pipe)))
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _decide(task: Task, pipe: Connection) -> Decision:
    game = registry.game(task.game, task.colours)
    budget = Budget(time_s=task.level.time_s, clock_s=time.monotonic, cancelled=pipe.poll)
    return task.level.bot.choose(game, task.seen, Random(task.seed), budget)


if __name__ == "__main__":
    main()
