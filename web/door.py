"""The door: waitress' connections with our limits, and streams that hold a connection but no thread.

Waitress reads requests in one loop and answers them in threads. Here a connection has a deadline for its request, an
address may have so many connections and so many requests answered at once (`web.turns`), and a view may hand its
connection over to `web.streams`, whose thread writes to it from then on.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask

from web.limits import Limits, plain_address
from web.stream import HAND_OVER
from web.streams import Streams, Watcher
from web.tls import TlsSocket
from web.turns import FairDispatcher

ACCEPTED_AT_ONCE: Final = 64
"""Connections taken in one round of the loop: a flood of them must not make others wait a round each."""

SayNo = Callable[[int, str], tuple[bytes, str]]
"""The answer to a request that is refused with this status, and its kind, by what the phone says that it accepts."""


class DoorTask(WSGITask):
    """A request whose view may hand the connection over to a stream."""

    watcher: Watcher | None = None

    def get_environment(self) -> dict[str, Any]:
        """As waitress has it, with what a view hands a watcher to."""
        environ: dict[str, Any] = super().get_environment()
        environ[HAND_OVER] = self._hand_over
        return environ

    def service(self) -> None:
        """Answers; a watcher whose phone has gone meanwhile gives its place back."""
        try:
            super().service()
        finally:
            if self.watcher is not None and self.channel.watcher is None:
                self.channel.server.streams.done(self.watcher)

    def finish(self) -> None:
        """Ends the answer, unless a stream goes on with it."""
        if self.watcher is None:
            super().finish()
            return
        self.close_on_finish = False
        self.channel.become_stream(self.watcher, self.chunked_response)

    def _hand_over(self, watcher: Watcher) -> None:
        self.watcher = watcher


class DoorErrorTask(ErrorTask):
    """A request that is refused before any page hears of it: too long, or none at all. What to do is said all the
    same."""

    def execute(self) -> None:
        """Answers; the connection ends with it, for what comes next is not understood."""
        error = self.request.error
        body, kind = self.channel.server.say_no(error.code, self.request.headers.get("ACCEPT", ""))
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", kind), ("Cache-Control", "no-store")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class DoorChannel(HTTPChannel):
    """A connection. Its loop is one thread, its request another, and a stream a third: what is sent is locked."""

    task_class = DoorTask
    error_task_class = DoorErrorTask

    def __init__(
        self, server: DoorServer, sock: socket.socket | TlsSocket, addr: Any, adj: Any, map: Any
    ) -> None:
        self.address = plain_address(addr[0])
        self.watcher: Watcher | None = None
        self._is_chunked = False
        self._moved_s = self._asked_s = time.monotonic()
        super().__init__(server, sock, addr, adj, map)

    # --- the loop -----------------------------------------------------------------------------------------------------

    def received(self, data: bytes) -> bool:
        """A part of a request. A phone that watches has nothing more to ask here."""
        if self.watcher is not None:
            self.will_close = True
            return False
        if self.request is None:
            self._asked_s = time.monotonic()
        took: bool = super().received(data)
        return took

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Sends what goes, and notes that something went."""
        sent: int = super().send(data, do_close)
        if sent:
            self._moved_s = time.monotonic()
        return sent

    def handle_close(self) -> None:
        """The phone has gone, or is sent away."""
        if self.watcher is not None:
            self.server.streams.done(self.watcher)
        super().handle_close()

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: ARG002
        """Under the lock, and so without closing: a phone that is gone is noticed by the loop."""
        with self.outbuf_lock:
            flushed: bool = super()._flush_some(do_close=False)
            return flushed

    def is_overdue(self, now_s: float, limits: Limits) -> bool:
        """Whether the phone takes too long: to ask, to ask again, or to read what it is sent."""
        if self.total_outbufs_len:
            return now_s - self._moved_s > limits.unread_s
        if self.watcher is not None or self.requests:
            return False
        asked_s = self._asked_s if self.request is not None else max(self._asked_s, self._moved_s)
        return now_s - asked_s > limits.request_s

    # --- the thread of a request --------------------------------------------------------------------------------------

    def service(self) -> None:
        """Answers one request."""
        try:
            super().service()
        finally:
            self.server.task_dispatcher.done(self.address)

    def become_stream(self, watcher: Watcher, is_chunked: bool) -> None:
        """From now on `web.streams` writes."""
        self.watcher, self._is_chunked = watcher, is_chunked
        self.server.streams.attach(watcher, self)
        if not self.connected:
            self.server.streams.done(watcher)

    # --- what the streams' thread writes to ---------------------------------------------------------------------------

    @property
    def is_behind(self) -> bool:
        """Whether the phone does not read."""
        return bool(self.total_outbufs_len > self.server.limits.unread_bytes)

    def write(self, text: bytes) -> None:
        """A part of the stream."""
        with suppress(ClientDisconnected, OSError):
            self.write_soon(b"%X\r\n%b\r\n" % (len(text), text) if self._is_chunked else text)
            self.server.pull_trigger()

    def end(self) -> None:
        """The stream is over; the connection closes once all is sent."""
        with suppress(ClientDisconnected, OSError):
            if self._is_chunked:
                self.write_soon(b"0\r\n\r\n")
            self.close_when_flushed = True
            self.server.pull_trigger()


class TlsChannel(DoorChannel):
    """A connection that is encrypted."""

    def handle_read(self) -> None:
        """Reads all that has come, for nobody wakes the loop for what is decrypted already."""
        while self.connected and self.readable() and self.socket.fill():
            super().handle_read()


class DoorServer(TcpWSGIServer):
    """Accepts connections within the limits."""

    def __init__(
        self, app: Any, streams: Streams, limits: Limits, tls: ssl.SSLContext | None, say_no: SayNo, **settings: Any
    ) -> None:
        self.streams, self.limits, self._tls, self.say_no = streams, limits, tls, say_no
        self._outside: deque[tuple[float, socket.socket]] = deque()
        super().__init__(app, dispatcher=FairDispatcher(limits.requests, limits.requests_each), **settings)

    def handle_accept(self) -> None:
        """Takes those who knock; one too many is left outside."""
        of_address = Counter(channel.address for channel in self.active_channels.values())
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                taken = self.accept()
            except OSError:
                return
            if taken is None:
                return
            sock, addr = taken
            address = plain_address(addr[0])
            full = len(self.active_channels) >= self.limits.connections and not self._make_room()
            if full or of_address[address] >= self.limits.connections_each:
                self._leave_outside(sock)
                continue
            of_address[address] += 1
            self._welcome(sock, addr)

    def _welcome(self, sock: socket.socket, addr: Any) -> None:
        with suppress(OSError):  # it may have gone already
            self.set_socket_options(sock)
            if self._tls is None:
                DoorChannel(self, sock, addr, self.adj, self._map)
            else:
                TlsChannel(self, TlsSocket(sock, self._tls), addr, self.adj, self._map)

    def _make_room(self) -> bool:
        """Closes the connection that has asked nothing for longest; False when all are at work."""
        idle = [each for each in self.active_channels.values() if each.watcher is None and not each.requests]
        if not idle:
            return False
        min(idle, key=lambda channel: channel._asked_s).handle_close()
        return True

    def _leave_outside(self, sock: socket.socket) -> None:
        self._outside.append((time.monotonic() + self.limits.outside_s, sock))
        if len(self._outside) > self.limits.outside:
            self._outside.popleft()[1].close()

    def tidy(self, now_s: float) -> None:
        """Closes the connections of those who take too long, and sends away who waits outside."""
        while self._outside and self._outside[0][0] <= now_s:
            self._outside.popleft()[1].close()
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now_s, self.limits):
                channel.will_close = True
