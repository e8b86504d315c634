"""The process of the eyes, as the service sees it: started, spoken to through a pipe, ended."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import Final

END_TIMEOUT_S: Final = 2.0
"""How long the process has to end by itself, then when it is told to, before it is killed."""
FRUGAL: Final = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}
"""Tells glibc to give memory back once a picture has been read, instead of keeping it for the next one."""


class EyesChild:
    """The process of the eyes and the pipe to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.main.eyes_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, **FRUGAL},
            )
        self.pipe: Connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def end(self) -> None:
        """Closes the pipe, at which it ends by itself; one that does not is killed."""
        self.pipe.close()
        for hurry in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(END_TIMEOUT_S)
                return
            except subprocess.TimeoutExpired:
                hurry()
        self._process.wait()
