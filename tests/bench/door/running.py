"""A service in a process of its own, and what is asked of it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Final

from tests.bench.idle import family

PATIENCE_S: Final = 600.0


@dataclass(frozen=True)
class Running:
    """A service that runs."""

    process: subprocess.Popen[bytes]
    port: int
    state: Path
    cookies: dict[str, str] = field(default_factory=dict)
    """Of the phone that asks here."""

    def ask(self, path: str, address: str = "127.0.0.250", body: bytes | None = None, timeout_s: float = 10.0) -> bytes:
        """The body of an answer, over a connection of its own, from this address of the machine. Raises `OSError`."""
        with socket.create_connection(("127.0.0.1", self.port), timeout_s, (address, 0)) as phone:
            phone.settimeout(timeout_s)
            phone.sendall(request(path, body, self.cookies))
            answer = b""
            while part := phone.recv(65536):
                answer += part
        head, _, rest = answer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 "):
            raise ConnectionError(head[:40])
        self.cookies.update(cookies_put(head.decode("latin-1")))
        return rest

    def do(self, command: dict[str, Any], address: str = "127.0.0.250") -> dict[str, Any]:
        """What became of a command."""
        answered: dict[str, Any] = json.loads(self.ask("/do", address, json.dumps(command).encode()))
        return answered

    def eyes(self) -> dict[str, Any]:
        """The state of the eyes."""
        found: dict[str, Any] = json.loads(self.ask("/eyes.json"))
        return found

    def eyes_pid(self) -> int | None:
        """The process of the eyes, if it runs."""
        return next((pid for pid in family(self.process.pid)[1:] if _runs(pid, "companion.main.eyes_process")), None)

    def wait_for(self, what: Callable[[], object], every_s: float = 0.05) -> float:
        """Seconds until this is so."""
        since_s = time.monotonic()
        while time.monotonic() - since_s < PATIENCE_S and self.process.poll() is None:
            try:
                if what():
                    return time.monotonic() - since_s
            except (OSError, ValueError):
                pass
            time.sleep(every_s)
        raise TimeoutError(f"exit code {self.process.poll()}")

    def stop(self) -> float:
        """Seconds from SIGTERM until the process has ended."""
        since_s = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - since_s


@contextmanager
def running(
    state: Path, source: str = "none", under: Sequence[str] = (), environ: Mapping[str, str] = MappingProxyType({}),
    config: Path | None = None,
) -> Iterator[Running]:
    """A service on any free port of all addresses of this machine; `under` is a command before it, a `config` file
    goes before the source."""
    command = [*under, sys.executable, "-m", "companion.cli.main", "run"]
    command += ["--source", source] if config is None else ["--config", str(config)]
    process = subprocess.Popen(
        [*command, "--port", "0", "--state", str(state)],
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock", **environ}, stdout=subprocess.PIPE, stderr=sys.stderr)
    try:
        assert process.stdout is not None
        service = Running(process, _port(process.stdout), state)
        service.wait_for(lambda: service.ask("/health"))
        yield service
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _port(said: IO[bytes]) -> int:
    """The port that a service says it is on."""
    for line in said:
        if found := re.search(rb"https?://[^ ]*:(\d+)/", line):
            return int(found[1])
    raise ConnectionError("it did not start")


def cookies_put(head: str) -> dict[str, str]:
    """The cookies that the head of an answer puts into a phone, by their names."""
    return dict(re.findall(r"\r\nSet-Cookie: ([^=;]+)=([^;\r]*)", head, re.I))


def request(path: str, body: bytes | None = None, cookies: Mapping[str, str] | None = None) -> bytes:
    """A request that closes its connection; with a body, a command in JSON (a form, if it is none)."""
    head = "Host: 127.0.0.1\r\nConnection: close\r\nOrigin: http://127.0.0.1\r\nAccept: application/json\r\n"
    if cookies:
        head += f"Cookie: {'; '.join(f'{name}={value}' for name, value in cookies.items())}\r\n"
    if body is None:
        return f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
    kind = "application/json" if body.startswith(b"{") else "application/x-www-form-urlencoded"
    return f"POST {path} HTTP/1.1\r\n{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def _runs(pid: int, module: str) -> bool:
    try:
        return module in Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return False
