"""TLS for the pages: a certificate of the companion's own, and sockets as waitress' loop wants them.

The certificate is made once by the `openssl` command and kept in the state folder, so that its fingerprint
stays. Nobody vouches for it but that fingerprint, which a phone's browser can show.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import socket
import ssl
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final

from companion.errors import HardwareError, phrase

CERTIFICATE: Final = "tls-certificate.pem"
KEY: Final = "tls-key.pem"
VALID_FROM, VALID_UNTIL = "20000101000000Z", "20491231235959Z"
"""Whatever the clock says: a Pi has none that goes on without power, and may make the certificate in any year."""
AUTHORITY: Final = """[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
basicConstraints = CA:true
subjectAltName = DNS:{host},DNS:{host}.local
"""
"""What `openssl ca` must know; `openssl req` alone lets a certificate begin now."""
RECORD_BYTES: Final = 16 * 1024
"""A TLS record holds at most so much."""


def tls_context(folder: Path) -> ssl.SSLContext:
    """For a server with the certificate kept in `folder`, made if there is none. Raises `HardwareError`."""
    if not ((folder / CERTIFICATE).exists() and (folder / KEY).exists()):
        _make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(folder / CERTIFICATE, folder / KEY)
    except (OSError, ValueError) as error:
        raise HardwareError(phrase("web.tls_unreadable", where=str(folder / CERTIFICATE))) from error
    return context


def fingerprint(folder: Path) -> str:
    """The SHA-256 of the certificate, as browsers show it: `AB:CD:…`."""
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert((folder / CERTIFICATE).read_text(encoding="ascii"))).hexdigest()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)).upper()


def _make_certificate(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    host = re.sub(r"[^A-Za-z0-9.-]", "", socket.gethostname())[:60] or "companion"
    make_key = ["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-sha256",
                "-subj", f"/CN={host}", "-keyout", KEY]
    try:
        with TemporaryDirectory(prefix=".tls-", dir=folder) as own:
            (Path(own) / "ca.conf").write_text(AUTHORITY.format(host=host), encoding="ascii")
            (Path(own) / "index").touch()
            sign = ["openssl", "ca", "-batch", "-notext", "-selfsign", "-keyfile", f"../{KEY}",
                    "-in", "request", "-startdate", VALID_FROM, "-enddate", VALID_UNTIL, "-config", "ca.conf",
                    "-out", "certificate"]
            for command, where in (([*make_key, "-out", f"{own}/request"], folder), (sign, Path(own))):
                subprocess.run(command, cwd=where, check=True, capture_output=True, timeout=60, umask=0o077)
            (Path(own) / "certificate").replace(folder / CERTIFICATE)
    except (OSError, subprocess.SubprocessError) as error:
        for file in (KEY, CERTIFICATE):
            (folder / file).unlink(missing_ok=True)
        raise HardwareError(phrase("web.tls_no_certificate", where=str(folder))) from error


class TlsSocket:
    """An encrypted connection that never waits, for waitress: `recv` gives what `fill` has read. One thread reads and
    others may write; OpenSSL wants them apart."""

    def __init__(self, plain: socket.socket, context: ssl.SSLContext) -> None:
        plain.setblocking(False)
        self._socket = context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        self._lock = Lock()
        self._read = b""
        self._is_over = False

    def fill(self) -> bool:
        """Shakes hands and decrypts what has come; whether `recv` has something to give, be it the end."""
        with self._lock:
            try:
                got = b"" if self._read else self._socket.recv(RECORD_BYTES)
                self._is_over = not (got or self._read)
                self._read += got
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return False
            except OSError:
                self._is_over = True
        return True

    def recv(self, size: int) -> bytes:
        """What `fill` has read; nothing at the end."""
        given, self._read = self._read[:size], self._read[size:]
        return given

    def send(self, data: bytes) -> int:
        """Sends what goes; raises `BlockingIOError` when nothing does."""
        with self._lock:
            try:
                return self._socket.send(data)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
                raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK)) from error

    def setblocking(self, flag: bool) -> None:
        """It never blocks."""

    def fileno(self) -> int:
        """What the loop polls."""
        return self._socket.fileno()

    def getpeername(self) -> Any:
        """The phone's address."""
        return self._socket.getpeername()

    def getsockopt(self, *args: Any) -> Any:
        """As of any socket."""
        return self._socket.getsockopt(*args)

    def close(self) -> None:
        """Closes the connection."""
        self._socket.close()
