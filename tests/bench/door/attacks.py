"""What hostile phones do. Each attack runs in a process of its own until that is ended: `python -m … NAME PORT`."""

from __future__ import annotations

import json
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from tests.bench.door.running import request

HOSTILE: Final = "127.0.0.66"
NAMES: Final = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}


def connect(port: int, address: str = HOSTILE, is_narrow: bool = False) -> socket.socket:
    """A connection from this address. A narrow one takes little at a time: small buffers, here and so there."""
    phone = socket.socket()
    if is_narrow:
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        phone.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    phone.settimeout(5)
    try:
        phone.bind((address, 0))
        phone.connect(("127.0.0.1", port))
    except OSError:
        phone.close()
        raise
    return phone


def keep_open(port: int, count: int, first: bytes, then: bytes = b"", every_s: float = 1.0) -> None:
    """Holds `count` connections, each with these first bytes; one that is closed is opened again."""
    held: list[socket.socket] = []
    while True:
        while len(held) < count:
            with suppress(OSError):
                phone = connect(port)
                phone.sendall(first)
                phone.setblocking(False)
                held.append(phone)
        sent_s = time.monotonic()
        while time.monotonic() - sent_s < every_s:
            held = [each for each in held if not _is_closed(each)]
            if len(held) < count:
                break
            time.sleep(0.05)
        for phone in held if then else ():
            with suppress(OSError):
                phone.send(then)


def _is_closed(phone: socket.socket) -> bool:
    try:
        if select.select([phone], [], [], 0)[0] and phone.recv(65536) == b"":
            phone.close()
            return True
    except (OSError, ValueError):
        phone.close()
        return True
    return False


def again_and_again(port: int, count: int, act: Callable[[socket.socket], object]) -> None:
    """`count` threads act over and over, each time over a new connection."""
    def loop() -> None:
        while True:
            with suppress(OSError), connect(port) as phone:
                act(phone)

    threads = [Thread(target=loop, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def asks(path: str, body: bytes | None = None) -> Callable[[socket.socket], object]:
    def act(phone: socket.socket) -> None:
        phone.sendall(request(path, body))
        while phone.recv(65536):
            pass

    return act


def large_body(phone: socket.socket) -> None:
    phone.sendall(b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000\r\n\r\n")
    for _ in range(1526):
        phone.sendall(b"x" * 65536)


def pieces(phone: socket.socket) -> None:
    phone.sendall(b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(1526):
        phone.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")


def notes(number: int) -> bytes:
    header = {**NAMES, "x-note": "n" * 60_000}
    return json.dumps({"type": "start_game", "seq": number, "header": header}).encode()


def games(port: int, count: int = 8) -> None:
    """Begins game after game with as many notes as are taken."""
    def act(phone: socket.socket) -> None:
        phone.sendall(request("/do", json.dumps({"type": "pause", "seq": -1, "on": True}).encode()))
        seq = json.loads(_all(phone).partition(b"\r\n\r\n")[2]).get("seq", 0)
        for header in ({**NAMES, "x-note": "n" * 1900}, {**NAMES, "x-note": "n" * 60_000}):
            with connect(port) as other:
                other.sendall(request("/do", json.dumps(
                    {"type": "start_game", "seq": seq, "header": header}).encode()))
                _all(other)

    again_and_again(port, count, act)


def _all(phone: socket.socket) -> bytes:
    answer = b""
    while part := phone.recv(65536):
        answer += part
    return answer


EXAMPLES: Final = (b"name=kamikaze-1", b"name=yuzu-1", b"name=")


def example_after_example(port: int) -> None:
    """Turns to another table without end."""
    def bodies() -> Iterator[bytes]:
        while True:
            yield from EXAMPLES

    turn = bodies()
    again_and_again(port, 4, lambda phone: asks("/example", next(turn))(phone))


STREAM: Final = b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
ATTACKS: Final[Mapping[str, tuple[str, Callable[[int], Any]]]] = {
    "nothing": ("nothing", lambda _: time.sleep(3600)),
    "silent": ("500 silent sockets", lambda port: keep_open(port, 500, b"")),
    "loris": ("500 requests, a byte a second", lambda port: keep_open(port, 500, b"GET / HTTP/1.1\r\nX: ", b"x")),
    "streams": ("500 streams", lambda port: keep_open(port, 500, STREAM)),
    "bodies": ("8 × 100 MB, announced", lambda port: again_and_again(port, 8, large_body)),
    "pieces": ("8 × 100 MB, in pieces", lambda port: again_and_again(port, 8, pieces)),
    "pages": ("16 ask for the table without end", lambda port: again_and_again(port, 16, asks("/"))),
    "held": ("16 hold a button of the panel", lambda port: again_and_again(
        port, 16, asks("/panel", b"button=seat%3A0&long=1"))),
    "games": ("8 begin games with notes", games),
    "pins": ("16 try PINs", lambda port: again_and_again(port, 16, asks("/host", b"pin=1234"))),
    "seats": ("16 ask for a seat that is taken", lambda port: again_and_again(port, 16, asks("/sit", b"seat=0"))),
    "examples": ("4 choose examples", example_after_example),
}
"""By name: what is done, in words, and the doing; all from one address."""


if __name__ == "__main__":
    ATTACKS[sys.argv[1]][1](int(sys.argv[2]))
