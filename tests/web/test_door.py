"""The door with real sockets: what is refused before anything is done, and who is sent away."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

from web.house import house_of
from web.limits import Limits
from web.server import Server
from web.tls import fingerprint, tls_context

HEAD = b"POST /do HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
FEW = Limits(connections=6, connections_each=3, streams=4, streams_each=2, outside=1)


@pytest.fixture
def few(app: Flask) -> Iterator[Server]:
    server = Server(app, "127.0.0.1", 0, limits=FEW)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def knock(few: Server) -> Iterator[Callable[..., socket.socket]]:
    """Opens a connection from an address of this machine."""
    with ExitStack() as opened:
        def open_one(of: str = "127.0.0.1") -> socket.socket:
            made = socket.create_connection(("127.0.0.1", few.port), timeout=10, source_address=(of, 0))
            return opened.enter_context(made)

        yield open_one


def is_shut(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_body_that_is_announced_too_long_is_refused_before_it_comes(knock: Any) -> None:
    phone = knock()
    phone.sendall(HEAD + b"Content-Length: 100000000\r\n\r\n")
    assert phone.recv(100).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(("accept", "kind"), [("text/html", "text/html"), ("application/json", "application/json")])
def test_who_sends_too_much_is_told_what_to_do(few: Server, accept: str, kind: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", few.port, timeout=10)
    with closing(connection):
        connection.request("POST", "/do", b"x" * (FEW.body_bytes + 1), {"Accept": accept})
        answer = connection.getresponse()
        said = answer.read().decode()
    assert answer.status == 413
    assert str(answer.headers["Content-Type"]).startswith(kind)
    assert "That was too much at once. Load the page again." in said


def test_what_is_no_request_at_all_is_told_too(knock: Any) -> None:
    phone = knock()
    phone.sendall(b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n")
    said = b"".join(iter(lambda: phone.recv(4096), b""))
    assert b" 400 " in said.splitlines()[0]
    assert b"I did not understand" in said


def test_a_body_in_pieces_is_refused_as_soon_as_it_is_too_long(knock: Any) -> None:
    phone = knock()
    phone.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    piece = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
    try:
        for _ in range(1000):
            phone.sendall(piece)
        pytest.fail("eight megabytes were taken")
    except (BrokenPipeError, ConnectionResetError):
        pass


def test_a_head_without_end_is_refused(knock: Any) -> None:
    phone = knock()
    phone.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000)
    assert phone.recv(100).startswith(b"HTTP/1.0 431 ")


def test_an_address_has_so_many_connections_and_others_are_let_in(few: Server, knock: Any) -> None:
    held = [knock() for _ in range(3)]
    first, second = knock(), knock()
    assert is_shut(first), "only one is kept waiting"
    health = http.client.HTTPConnection("127.0.0.1", few.port, timeout=10, source_address=("127.0.0.2", 0))
    health.request("GET", "/health")
    assert health.getresponse().status == 200
    health.close()
    few._server.tidy(time.monotonic() + FEW.outside_s)
    assert is_shut(second)
    assert not any(each.close() for each in held)


def test_a_full_house_sends_the_longest_idle_away_for_a_newcomer(few: Server, knock: Any) -> None:
    held = [knock(f"127.0.0.{2 + n // 3}") for n in range(6)]
    newcomer = knock("127.0.0.9")
    newcomer.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert newcomer.recv(100).startswith(b"HTTP/1.1 200 ")
    assert is_shut(held[0])


def test_who_asks_nothing_or_too_slowly_is_sent_away_but_a_stream_may_stay(few: Server, knock: Any) -> None:
    silent, slow, watching = knock(), knock(), knock("127.0.0.2")
    slow.sendall(b"GET / HTTP/1.1\r\n")
    watching.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"text/event-stream" in watching.recv(4000)
    slow.sendall(b"Host: localhost\r\n")  # a byte now and then does not help
    few._server.tidy(time.monotonic() + FEW.request_s + 1)
    few._server.pull_trigger()
    assert is_shut(silent)
    assert is_shut(slow)
    few._server.tidy(time.monotonic())
    assert watching.recv(1) != b""


def test_streams_hold_no_threads_and_an_address_has_so_many(app: Flask, served: Server) -> None:
    streams = house_of(app).streams
    opened = []
    for _ in range(3):
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
        connection.request("GET", "/stream")
        opened.append((connection, connection.getresponse()))
    assert [answer.status for _, answer in opened] == [200, 200, 503]
    assert len(streams) == 2
    assert len(served._server.task_dispatcher.queue) == 0
    for connection, answer in opened:
        answer.close()
        connection.close()


def test_pages_and_streams_are_encrypted_with_a_certificate_of_our_own(app: Flask, tmp_path: Path) -> None:
    server = Server(app, "127.0.0.1", 0, tls=tls_context(tmp_path))
    server.start()
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=10, context=trusting)
    connection.request("GET", "/health")
    assert json.loads(connection.getresponse().read())["ok"]
    shown = ssl.DER_cert_to_PEM_cert(connection.sock.getpeercert(binary_form=True) or b"")
    assert shown == (tmp_path / "tls-certificate.pem").read_text()
    assert len(fingerprint(tmp_path)) == 32 * 3 - 1
    assert (tmp_path / "tls-key.pem").stat().st_mode & 0o077 == 0
    body = json.dumps({"type": "done", "seq": 7, "x-long": "x" * 50_000})
    connection.request("POST", "/do", body, {"Content-Type": "application/json",
                                             "Origin": f"https://127.0.0.1:{server.port}"})
    assert json.loads(connection.getresponse().read())["ok"], "a body of several records"
    connection.request("GET", "/stream")
    stream = connection.getresponse()
    assert any(b"event: parts" in stream.readline() for _ in range(4))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert is_shut(plain)
    assert tls_context(tmp_path).cert_store_stats() is not None, "the certificate stays"
    server.stop()
    connection.close()


def test_any_bytes_on_the_wire_leave_the_door_open(served: Server) -> None:
    rng = Random(5)
    good = HEAD + b"Content-Length: 30\r\nConnection: close\r\n\r\n" + b'{"type": "done", "seq": 7}    '
    for _ in range(60):
        sent = bytearray(good)
        for _ in range(rng.randrange(1, 12)):
            at = rng.randrange(len(sent))
            sent[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as phone:
            phone.sendall(bytes(sent))
            phone.shutdown(socket.SHUT_WR)
            assert not phone.recv(20).startswith(b"HTTP/1.1 5")
    health = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    health.request("GET", "/health")
    assert health.getresponse().status == 200
    health.close()
