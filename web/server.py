"""The pages on a port: waitress with the limits of `web.door`, one process, stopped cleanly."""

from __future__ import annotations

import errno
import logging
import math
import resource
import socket
import ssl
import time
from functools import partial
from threading import Event, Thread

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments

from companion.errors import HardwareError, phrase
from web.app import refused_at_the_door
from web.door import DoorServer
from web.house import house_of
from web.limits import Limits

MAX_BUFFERED_BYTES = 1_000_000
"""Bytes kept for a phone that does not read; waitress would keep sixteen times as much."""
GONE_MS = 25_000
"""TCP_USER_TIMEOUT: a connection to a phone that vanished is dropped after this time."""

STOP_S = 0.7
"""Answers that take longer than this are not waited for when the server stops."""
NEVER_S = 10**9
"""Waitress' own time-out goes by the time of day and by any byte; ours does not (`DoorServer.tidy`)."""
LOOP_S = 1.0
"""Longest wait of the loop; every request and `stop` wake it at once."""


class Server:
    """The pages on a port. `start` returns at once; `stop` ends the streams and waits until nothing is served."""

    def __init__(
        self, app: Flask, host: str = "0.0.0.0", port: int = 8080, *, limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Takes the port (0: any free one). Raises `HardwareError` when that cannot be."""
        limits = limits or house_of(app).limits
        _allow_files(2 * (limits.connections + limits.outside))
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full queue of a moment is no news
        self._streams = house_of(app).streams
        listening = _socket(host, port)
        settings = Adjustments(
            sockets=[listening], threads=limits.requests, connection_limit=2 * limits.connections,
            channel_timeout=NEVER_S, channel_request_lookahead=1, outbuf_high_watermark=MAX_BUFFERED_BYTES,
            max_request_header_size=limits.header_bytes, max_request_body_size=limits.body_bytes, ident=None,
            url_scheme="http" if tls is None else "https",
        )
        where = (listening.family, listening.type, listening.proto, listening.getsockname())
        self._server = DoorServer(
            app, self._streams, limits, tls, partial(refused_at_the_door, app), _sock=listening, adj=settings,
            bind_socket=False, sockinfo=where, map={})
        self.port: int = int(self._server.effective_port)
        self._stopping = Event()
        self._thread = Thread(target=self._serve, name="web", daemon=True)
        self._telling = Thread(target=self._streams.run, name="streams", daemon=True)

    def start(self) -> None:
        """Serve from now on, in a thread of its own."""
        self._thread.start()
        self._telling.start()

    def alive(self) -> bool:
        """Whether pages are served."""
        return self._thread.is_alive() and self._telling.is_alive()

    def stop(self, timeout_s: float = STOP_S) -> None:
        """End all streams, let running answers finish, close the port."""
        self._streams.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=timeout_s)
        self._stopping.set()
        self._server.pull_trigger()  # wakes the loop; only after it has ended is anything closed
        self._thread.join(timeout_s)
        if self._telling.ident is not None:
            self._telling.join(timeout_s)
        if not self._thread.is_alive():
            self._server.tidy(math.inf)
            wasyncore.close_all(self._server._map, ignore_all=True)

    def _serve(self) -> None:
        tidied_s = time.monotonic()
        while not self._stopping.is_set():
            wasyncore.loop(timeout=LOOP_S, use_poll=True, map=self._server._map, count=1)
            now_s = time.monotonic()
            if now_s - tidied_s >= LOOP_S:
                tidied_s = now_s
                self._server.tidy(now_s)


def _allow_files(number: int) -> None:
    """Lets the process have so many files and connections open, as far as the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it, where the system has it
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise HardwareError(phrase("web.port_taken", port=port)) from error
        why = error.strerror or str(error)
        raise HardwareError(phrase("web.port_refused", host=host, port=port, why=why)) from error
    return listening
