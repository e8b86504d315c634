"""A phone that keeps its cookies, from an address of its own; and bytes that no phone would send."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.bench.door.running import cookies_put

PATIENCE_S, STREAM_S = 20.0, 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; status 0: nothing that is HTTP."""

    status: int
    head: str
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode(errors="replace")

    def json(self) -> Any:
        """The body as JSON; None when it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass
class Phone:
    """A phone at `address` (127.0.0.x)."""

    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Opens a page."""
        return self._ask("GET", path, b"", headers or {})

    def form(self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Answer:
        """Sends a form."""
        body = urlencode(fields, errors="surrogatepass").encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, body, kind | dict(headers or {}))

    def post(self, path: str, body: bytes, headers: Mapping[str, str] | None = None) -> Answer:
        """Sends these bytes as JSON."""
        return self._ask("POST", path, body, {"Content-Type": "application/json"} | dict(headers or {}))

    def do(self, seq: int, **command: Any) -> Answer:
        """Sends a command."""
        return self.post("/do", json.dumps({"seq": seq} | command).encode())

    def _ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        lines = {"Host": "127.0.0.1", "Connection": "close", "Origin": "http://127.0.0.1"} | dict(headers)
        if self.cookies:
            lines["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if method == "POST":
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        sent = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body
        answer = raw(self.port, sent, self.address, STREAM_S if path.startswith("/stream") else PATIENCE_S)
        self.cookies.update(cookies_put(answer.head))
        return answer


def raw(port: int, sent: bytes, address: str, patience_s: float = PATIENCE_S) -> Answer:
    """What comes back for these bytes; of a stream, what came in that time."""
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), patience_s, (address, 0)) as phone:
            phone.settimeout(patience_s)
            phone.sendall(sent)
            while part := phone.recv(65536):
                answer += part
    except OSError:
        pass
    head, _, body = answer.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1\.[01] (\d+)", head)
    return Answer(int(found[1]) if found else 0, head.decode("latin-1"), body)
