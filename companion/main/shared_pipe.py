"""A pipe into which more than one thread sends."""

from __future__ import annotations

from multiprocessing.connection import Connection
from threading import Lock

from companion.main.messages import FromEyes, ToEyes


class SharedPipe:
    """The eyes' end of the pipe: any thread sends, one receives."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe, self._lock = pipe, Lock()

    def send(self, said: FromEyes) -> None:
        """Says something; raises `OSError` when nobody is there any more."""
        with self._lock:
            self._pipe.send(said)

    def recv(self) -> ToEyes:
        """What the service says next; raises `EOFError` when it is gone."""
        said: ToEyes = self._pipe.recv()
        return said

    def poll(self, timeout_s: float = 0.0) -> bool:
        """Whether something was said."""
        return self._pipe.poll(timeout_s)
