"""The parts that live, the addresses others are given, numbers of requests, certificates: by their exact outputs."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.errors import HardwareError
from tests.web import web_tables
from web.fragments import PARTS, Renderer
from web.numbers import whole_of
from web.reach import address_for_others, reachable
from web.sitting.seating import Seating
from web.tls import RECORD_BYTES, TlsSocket, fingerprint, tls_context


def test_parts_are_rendered_once_a_version_and_observer(app: Flask) -> None:
    render, shown = Renderer(app, web_tables.words(), Seating()), web_tables.table()
    first = render(shown, "room")
    assert tuple(first) == PARTS
    for part in first.values():
        assert isinstance(part, dict)
        assert list(part) == ["rev", "html"]
        assert part["rev"] == f"{zlib.crc32(part['html'].encode()):08x}"
    assert render(replace(shown, paused=True), "room") is first, "of the same version"
    assert render(shown, 0) is not first
    later = render(replace(shown, version=shown.version + 1, paused=True), "room")
    assert later != first
    assert render(replace(shown, version=shown.version + 1), "room") is later
    assert render(shown, "room") == first, "an older version is not what was kept"


@pytest.mark.parametrize(("text", "number"), [
    ("0", 0), ("7", 7), ("007", 7), ("123456", 123456), ("1234567", None), ("", None), ("-1", None), ("²", None),
    ("١", None), (" 1", None), ("1.0", None), ("a", None),
])
def test_a_whole_number_is_plain_digits_and_not_too_many(text: str, number: int | None) -> None:
    assert whole_of(text) == number


class Probe:
    """A socket that tells where it would go out, or that it cannot."""

    def __init__(self, *kind: object) -> None:
        assert kind == (socket.AF_INET, socket.SOCK_DGRAM)
        self.asked: list[tuple[str, int]] = []

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, address: tuple[str, int]) -> None:
        assert address == ("192.0.2.1", 9)

    def getsockname(self) -> tuple[str, int]:
        return ("10.0.0.7", 5000)


class LostProbe(Probe):
    def connect(self, address: tuple[str, int]) -> None:
        raise OSError


@pytest.mark.parametrize(("scheme", "host", "port", "given"), [
    ("http", "pi.local", "8080", "http://pi.local:8080/"), ("https", "pi", "", "https://pi/"),
    ("http", "192.168.1.7", "80", "http://192.168.1.7:80/"), ("http", "fe80::1", "1", "http://[fe80::1]:1/"),
    ("http", "localhost", "1", "http://10.0.0.7:1/"), ("http", "127.0.0.1", "", "http://10.0.0.7/"),
    ("http", "127.1.2.3", "", "http://10.0.0.7/"), ("https", "::1", "8", "https://10.0.0.7:8/"),
])
def test_others_are_given_an_address_that_they_can_reach(
    monkeypatch: pytest.MonkeyPatch, scheme: str, host: str, port: str, given: str
) -> None:
    monkeypatch.setattr(socket, "socket", Probe)
    assert address_for_others(scheme, host, port) == given


def test_a_host_on_all_addresses_is_reached_by_the_one_that_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", Probe)
    hosts = ("0.0.0.0", "::", "", "10.1.1.1", "pi")
    assert [reachable(host) for host in hosts] == ["10.0.0.7"] * 3 + ["10.1.1.1", "pi"]
    monkeypatch.setattr(socket, "socket", LostProbe)
    assert [reachable(host) for host in hosts] == ["127.0.0.1"] * 3 + ["10.1.1.1", "pi"]


def test_a_certificate_is_made_once_for_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "my table_7.x" + "y" * 80)
    folder = tmp_path / "made" / "here"
    context = tls_context(folder)
    assert (context.minimum_version, context.protocol) == (ssl.TLSVersion.TLSv1_2, ssl.PROTOCOL_TLS_SERVER)
    assert {file.name for file in folder.iterdir()} == {"tls-certificate.pem", "tls-key.pem"}
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    told = subprocess.run(["openssl", "x509", "-in", "tls-certificate.pem", "-noout", "-subject", "-dates", "-text",
                           "-fingerprint", "-sha256"], cwd=folder, check=True, capture_output=True, text=True).stdout
    host = ("mytable7.x" + "y" * 80)[:60]
    assert re.search(rf"^subject=CN ?= ?{host}$", told, re.MULTILINE)
    assert f"DNS:{host}, DNS:{host}.local\n" in told
    assert "prime256v1" in told
    assert "ecdsa-with-SHA256" in told
    assert told.strip().splitlines()[-1].partition("=")[2] == fingerprint(folder)
    before = (folder / "tls-certificate.pem").read_bytes()
    tls_context(folder)
    assert (folder / "tls-certificate.pem").read_bytes() == before
    (folder / "tls-key.pem").unlink()
    tls_context(folder)
    assert (folder / "tls-certificate.pem").read_bytes() != before


@pytest.mark.parametrize("year", [2001, 2016, 2049])
def test_a_certificate_is_good_whatever_year_a_clock_says(tmp_path: Path, year: int) -> None:
    tls_context(tmp_path)
    at_s = str(int((year - 1970) * 365.25 * 86400))
    subprocess.run(["openssl", "verify", "-attime", at_s, "-CAfile", "tls-certificate.pem", "tls-certificate.pem"],
                   cwd=tmp_path, check=True, capture_output=True)


def refusal(folder: Path) -> tuple[str, dict[str, Any]]:
    with pytest.raises(HardwareError) as caught:
        tls_context(folder)
    return caught.value.phrase.id, dict(caught.value.phrase.args)


def test_a_certificate_that_cannot_be_read_is_told_with_its_file(tmp_path: Path) -> None:
    for file in ("tls-certificate.pem", "tls-key.pem"):
        (tmp_path / file).write_text("no")
    assert refusal(tmp_path) == ("web.tls_unreadable", {"where": str(tmp_path / "tls-certificate.pem")})


@pytest.mark.parametrize("error", [FileNotFoundError("openssl"), subprocess.CalledProcessError(1, "openssl")])
def test_without_openssl_no_certificate_is_left_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(command: list[str], **_: Any) -> None:
        assert command[0] == "openssl"
        (tmp_path / "tls-key.pem").write_text("half")
        raise error

    monkeypatch.setattr(subprocess, "run", fails)
    assert refusal(tmp_path) == ("web.tls_no_certificate", {"where": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


class Wrapped:
    """An encrypted socket by a script: what `recv` and `send` give or raise, in turn."""

    def __init__(self, *script: object) -> None:
        self.script, self.asked = list(script), list[object]()

    def recv(self, size: int) -> object:
        self.asked.append(size)
        return self._next()

    def send(self, data: bytes) -> object:
        self.asked.append(data)
        return self._next()

    def _next(self) -> object:
        found = self.script.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


def wrapped(*script: object) -> tuple[TlsSocket, Wrapped]:
    """An encrypted connection over such a socket."""
    inner = Wrapped(*script)

    class Plain:
        def setblocking(self, flag: bool) -> None:
            assert flag is False

    class Context:
        def wrap_socket(self, plain: object, **how: object) -> Wrapped:
            assert isinstance(plain, Plain)
            assert how == {"server_side": True, "do_handshake_on_connect": False}
            return inner

    given: Any = Plain(), Context()
    return TlsSocket(*given), inner


def test_what_was_decrypted_is_given_out_before_more_is_read() -> None:
    connection, inner = wrapped(ssl.SSLWantReadError(), ssl.SSLWantWriteError(), b"abcde", b"f", b"", OSError())
    assert [connection.fill() for _ in range(3)] == [False, False, True]
    assert (inner.asked, connection.fill(), inner.asked) == ([RECORD_BYTES] * 3, True, [RECORD_BYTES] * 3)
    assert [connection.recv(2), connection.recv(9), connection.recv(9)] == [b"ab", b"cde", b""]
    assert (connection.fill(), connection.recv(9)) == (True, b"f")
    assert (connection.fill(), connection.recv(9)) == (True, b"")
    assert (connection.fill(), connection.recv(9)) == (True, b"")


def test_what_cannot_be_sent_now_is_told_as_sockets_do() -> None:
    connection, inner = wrapped(3, ssl.SSLWantReadError(), ssl.SSLWantWriteError())
    assert (connection.send(b"abcde"), inner.asked) == (3, [b"abcde"])
    for _ in range(2):
        with pytest.raises(BlockingIOError, match=r"\[Errno 11\] Resource temporarily unavailable"):
            connection.send(b"x")
