"""A small server in this machine that plays a camera with RTSP: motion JPEG by RTP (RFC 2435) within the connection."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread

import cv2

from tests.hardware.network_cameras import is_ann
from vision.imaging.frame import Image

MOST = 1200
"""Bytes of a picture in one packet."""
TICKS = 9000
"""From one picture to the next, of 90,000 a second."""
SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=camera\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track\r\n"
ANSWERS = {
    "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
    "DESCRIBE": f"Content-Type: application/sdp\r\nContent-Length: {len(SDP)}\r\n",
    "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n",
    "PLAY": "Session: 1\r\n",
}


def packets(picture: Image, number: int, first: int) -> Iterator[bytes]:
    """A picture as RTP packets, of which the first has this sequence number."""
    good, encoded = cv2.imencode(".jpg", picture)
    assert good
    jpeg, height, width = encoded.tobytes(), *picture.shape[:2]
    tables, at = b"", 2
    while jpeg[at + 1] != 0xDA:  # segments before the scan
        length = struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        if jpeg[at + 1] == 0xDB:
            segment = jpeg[at + 4:at + 2 + length]
            tables += b"".join(segment[n + 1:n + 65] for n in range(0, len(segment), 65))
        at += 2 + length
    scan = jpeg[at + 2 + struct.unpack(">H", jpeg[at + 2:at + 4])[0]:-2]
    for n, offset in enumerate(range(0, len(scan), MOST)):
        is_last = offset + MOST >= len(scan)
        head = struct.pack(">BBHII", 0x80, 26 | (128 if is_last else 0), (first + n) % 65536, number * TICKS, 1)
        head += struct.pack(">I", offset) + bytes((1, 255, width // 8, height // 8))
        if offset == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        yield head + scan[offset:offset + MOST]


class RtspHandler(StreamRequestHandler):
    """Answers what a player asks, then gives the pictures and stays silent."""

    def handle(self) -> None:
        with suppress(OSError):
            while asked := self.rfile.readline().decode():
                method, url, _ = asked.split(" ")
                said = {}
                while line := self.rfile.readline().decode().strip():
                    name, _, value = line.partition(": ")
                    said[name.lower()] = value
                number = f"CSeq: {said.get('cseq', '')}"
                wanted = self.server.wanted  # type: ignore[attr-defined]
                if wanted and not is_ann(said.get("authorization", ""), method, url):
                    refused = f"RTSP/1.0 401 Unauthorized\r\n{number}\r\nWWW-Authenticate: {wanted}\r\n\r\n"
                    self.wfile.write(refused.encode())
                    continue
                body = SDP if method == "DESCRIBE" else ""
                self.wfile.write(f"RTSP/1.0 200 OK\r\n{number}\r\n{ANSWERS.get(method, '')}\r\n{body}".encode())
                if method == "PLAY":
                    self._play()
                    return

    def _play(self) -> None:
        sequence, over = 0, self.server.over  # type: ignore[attr-defined]
        for number, picture in enumerate(self.server.pictures):  # type: ignore[attr-defined]
            for packet in packets(picture, number, sequence):
                sequence += 1
                self.wfile.write(b"$\0" + struct.pack(">H", len(packet)) + packet)
            over.wait(0.05)
        over.wait(20.0)


@contextmanager
def rtsp_camera(pictures: Sequence[Image], wanted: str = "") -> Iterator[str]:
    """The address of a camera that gives these pictures, to everyone or to those who prove who they are as `wanted`."""
    server = ThreadingTCPServer(("127.0.0.1", 0), RtspHandler)
    server.over, server.pictures, server.wanted = Event(), pictures, wanted  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"rtsp://127.0.0.1:{server.server_address[1]}/video"
    finally:
        server.over.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join()
