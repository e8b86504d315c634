"""The process of the eyes, as the service sees it: started, spoken to through a pipe, ended."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final

END_TIMEOUT_S: Final = 0.4
"""How long the process has to end when told to, before it is killed: what it keeps is written whole or not at all."""
PIPE_TIMEOUT_S: Final = 2
"""A message that was begun comes to its end in this time; otherwise the process hangs."""
FRUGAL: Final = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "12582912", "MALLOC_MMAP_THRESHOLD_": "4194304",
                 "OPENBLAS_NUM_THREADS": "1", "NUMPY_MADVISE_HUGEPAGE": "0"}
"""Tells glibc to keep what it may while a picture is read, up to 12 MB, and to ask for whole pictures alone; after each
look `give_back` returns it. With less, memory that is asked for again and again costs a fifth of a reading. Tells
NumPy's OpenBLAS to leave the other cores, and their buffers, to pages and lamps, and NumPy itself not to ask for memory
by pages of 2 MB."""
QUIET_OPENCV: Final = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "3"}
"""Tells OpenCV not to dump lines of its own for a camera that is away, which is told in words, and to wait three
seconds for a picture, not ten: the camera is lost before its process counts as hung."""


class EyesChild:
    """The process of the eyes and the pipe to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            ours.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", PIPE_TIMEOUT_S, 0))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.main.eyes_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, **FRUGAL, **QUIET_OPENCV},
                process_group=0,  # with the process that learns for it: both are ended together
            )
        self.pipe: Connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def end(self) -> None:
        """Ends the process and what it has started; one that hangs is killed."""
        self.pipe.close()
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_TIMEOUT_S)
        self._signal(signal.SIGKILL)
        self._process.wait()

    def kill(self) -> None:
        """At once, from any thread."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # all of the group have ended
            os.killpg(self._process.pid, number)
