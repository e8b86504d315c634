"""The phones that watch: each holds a stream, and with it a thread of the server."""

from __future__ import annotations

from threading import Lock

from companion.engine import Observer
from companion.session.port import Desk, Listener


class Streams:
    """The phones that watch now, at most `most`: each holds a thread of the server."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._open: set[Listener] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def open(self, desk: Desk, who: Observer) -> Listener | None:
        """A listener for one more phone; None when there are too many already."""
        with self._lock:
            if self._closed or len(self._open) >= self.most:
                return None
            listener = desk.listen(who)
            self._open.add(listener)
            return listener

    def done(self, listener: Listener) -> None:
        """The phone has gone. May be called twice."""
        listener.close()
        with self._lock:
            self._open.discard(listener)

    def close(self) -> None:
        """End all streams and open no more: the server stops."""
        with self._lock:
            self._closed = True
            listeners = list(self._open)
        for listener in listeners:
            listener.close()
