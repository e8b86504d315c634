"""Waitress around the app: one process, a thread for every stream and some to spare, stopped cleanly."""

from __future__ import annotations

import errno
import logging
import socket
from threading import Event, Thread

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.errors import HardwareError, phrase
from web.house import house_of

SPARE_THREADS = 8
"""For pages, commands and pictures while all streams are taken."""
MAX_BUFFERED_BYTES = 1_000_000
"""Bytes kept for a phone that does not read; waitress would keep sixteen times as much."""
GONE_MS = 25_000
"""TCP_USER_TIMEOUT: a connection to a phone that vanished is dropped after this time."""

LOOP_S = 1.0
"""Longest wait of the loop; every request and `stop` wake it at once."""


class Server:
    """The pages on a port. `start` returns at once; `stop` ends the streams and waits until nothing is served."""

    def __init__(self, app: Flask, host: str = "0.0.0.0", port: int = 8080) -> None:
        """Takes the port (0: any free one). Raises `HardwareError` when that cannot be."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full queue of a moment is no news
        self._streams = house_of(app).streams
        self._server = create_server(
            app, sockets=[_socket(host, port)], threads=self._streams.most + SPARE_THREADS,
            connection_limit=3 * self._streams.most + 64, channel_request_lookahead=1,
            outbuf_high_watermark=MAX_BUFFERED_BYTES, ident=None,
        )
        self.port: int = int(self._server.effective_port)
        self._stopping = Event()
        self._thread = Thread(target=self._serve, name="web", daemon=True)

    def start(self) -> None:
        """Serve from now on, in a thread of its own."""
        self._thread.start()

    def alive(self) -> bool:
        """Whether pages are served."""
        return self._thread.is_alive()

    def stop(self, timeout_s: float = 5.0) -> None:
        """End all streams, let running answers finish, close the port."""
        self._streams.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=timeout_s)
        self._stopping.set()
        self._server.pull_trigger()  # wakes the loop; only after it has ended is anything closed
        self._thread.join(timeout_s)
        if not self._thread.is_alive():
            wasyncore.close_all(self._server._map, ignore_all=True)

    def _serve(self) -> None:
        while not self._stopping.is_set():
            wasyncore.loop(timeout=LOOP_S, use_poll=True, map=self._server._map, count=1)


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
