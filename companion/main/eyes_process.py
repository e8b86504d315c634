"""The process of the eyes: `python -m companion.main.eyes_process FD`. Started by their supervisor, never by people.

Frames come from the camera, looks go out through the pipe. It ends when the pipe closes, and on any error: the service
starts it anew.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection

import cv2

from companion.errors import CompanionError
from companion.main.eyes_watch import watch
from companion.main.messages import EyesConfig, EyesTrouble, Pieces
from companion.session.commands import Sighted
from hardware.camera import camera_for

NICENESS = 5
"""Pages and lamps go first."""


def main(arguments: list[str]) -> int:
    """Exit code: 0 the service closed the pipe, 1 something went wrong and was reported."""
    os.nice(NICENESS)
    from companion.main.eyes_session import open_table  # only now: loading the eyes takes a small Pi seconds

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the service, which ends this process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that a process that learns is ended too
    cv2.setNumThreads(1)
    pipe = Connection(int(arguments[0]))
    try:
        config = pipe.recv()
        assert isinstance(config, EyesConfig)
        table = open_table(config, lambda why: pipe.send(Sighted(-1, "starting", why)))
        if table.colours:
            pipe.send(Pieces(table.colours))
        watch(pipe, table, partial(camera_for, config.source))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return 0
    except CompanionError as error:
        with suppress(OSError):
            pipe.send(EyesTrouble(error.phrase))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
