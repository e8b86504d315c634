"""A small server in this machine that plays a phone with a camera app, and one that plays all that such a phone may do
instead."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import cv2
import numpy as np

from vision.imaging.frame import Image

BOUNDARY = "picture"
PICTURE_EVERY_S = 0.1


NAME, PASSWORD = "ann", "p@ss word"
BASIC = 'Basic realm="camera"'
DIGEST = 'Digest realm="camera", nonce="n0nce", qop="auth"'


def is_ann(proof: str, method: str, asked: str) -> bool:
    """Whether this proves, for what is asked, that its sender knows name and password (RFC 7617, RFC 7616)."""
    kind, _, rest = proof.partition(" ")
    if kind != "Digest":
        return proof == f"Basic {b64encode(f'{NAME}:{PASSWORD}'.encode()).decode()}"
    said = dict(re.findall(r'(\w+)="?([^",]*)"?', rest))
    what = [said["nonce"], said["nc"], said["cnonce"], "auth"] if "qop" in said else [said["nonce"]]
    right = _md5(_md5(NAME, "camera", PASSWORD), *what, _md5(method, asked))
    return (said["username"], said["uri"], said["response"]) == (NAME, asked, right)


def _md5(*parts: str) -> str:
    return hashlib.md5(":".join(parts).encode(), usedforsecurity=False).hexdigest()


def numbered(n: int, wide: int = 320) -> Image:
    """A picture that shows by its brightness which one it is."""
    return np.full((wide * 9 // 16, wide, 3), 20 + 10 * n % 200, np.uint8)


def part(jpeg: bytes) -> bytes:
    """A picture of an MJPEG stream."""
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    return head.encode() + jpeg + b"\r\n"


class CameraHandler(BaseHTTPRequestHandler):
    """Answers, and is quiet about it."""

    def answer(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self) -> None:
        self.answer(200, f"multipart/x-mixed-replace; boundary={BOUNDARY}", b"")

    def log_message(self, format: str, *args: object) -> None:
        """It is quiet."""


class PhoneHandler(CameraHandler):
    """What is at each path: `/video` streams so many pictures, then waits until the test is over, or ends."""

    def do_GET(self) -> None:
        if self.path.startswith("/video"):
            self._stream(int(self.path.partition("?")[2] or 12), stays="stays" in self.path)
        elif self.path == "/page":
            self.answer(200, "text/html", b"<html>Choose what to see</html>")
        elif self.path == "/private":
            self.answer(401, "text/plain", b"who are you?")
        elif self.path.startswith("/locked"):
            self._open_to_ann()
        elif self.path == "/late":
            self._over().wait(20.0)
        elif self.path == "/nothing":
            self.begin_stream()
        else:
            self.answer(404, "text/plain", b"no")

    def _open_to_ann(self) -> None:
        wanted = DIGEST if "digest" in self.path else BASIC
        if is_ann(self.headers.get("Authorization", ""), self.command, self.path):
            self.answer(200, "text/html", b"<html>Hello, Ann</html>")
        else:
            self.send_response(401)
            self.send_header("WWW-Authenticate", wanted)
            self.end_headers()

    def _over(self) -> Event:
        over: Event = self.server.over  # type: ignore[attr-defined]
        return over

    def _stream(self, number: int, stays: bool) -> None:
        self.begin_stream()
        for n in range(number):
            _, jpeg = cv2.imencode(".jpg", numbered(n))
            self.wfile.write(part(jpeg.tobytes()))
        self.wfile.flush()
        if stays:
            self._over().wait(20.0)


class WatchingHandler(PhoneHandler):
    """Streams what lies in a file, again and again, until the test is over."""

    def do_GET(self) -> None:
        self.begin_stream()
        sight: Path = self.server.sight  # type: ignore[attr-defined]
        with suppress(OSError):  # whoever looked has gone
            while not self._over().wait(PICTURE_EVERY_S):
                self.wfile.write(part(sight.read_bytes()))


@contextmanager
def serving(handler: type[CameraHandler], over: Event, sight: Path | None = None) -> Iterator[str]:
    """The address, without a path, of a server in this machine; `over` is set at the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.over, server.sight = over, sight  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def phone(sight: Path | None = None) -> Iterator[str]:
    """Its address, without a path. With a `sight` it streams that JPEG file, which may be replaced meanwhile."""
    with serving(PhoneHandler if sight is None else WatchingHandler, Event(), sight) as address:
        yield address
