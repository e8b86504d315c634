"""What a request says of itself: its host, its origin, its length, its path; what the address bar says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from tests.bench.attack.phones import raw
from tests.bench.attack.table import Attempt, Table

PATHS: Final = (
    "/start?players=²", "/start?players=%C2%B2", "/start?players=-1", "/start?players=" + "9" * 400,
    "/start?game=../../etc",
    "/?seat=²", "/?seat=-1", "/correct?seat=%F0%9F%92%A5", "/hint?seat=²", "/hand?hand=%00", "/hand?" + "a=1&" * 2000,
    "/close-up/..%2f..%2fetc%2fpasswd.jpg", "/close-up/%00.jpg", "/close-up/²-1.jpg", "/static/../../pyproject.toml",
    "/static/%2e%2e/app.py", "/static/..\\app.py", "//evil.example/", "/eyes.jpg?v=%ff", "/stream?since=²",
    "/stream?since=" + "9" * 400, "/panel.json?x=[", "/invite?next=//evil.example", "/%ff%fe", "/" + "a" * 9000,
    "/setup?part=²", "/do", "/asks", "/sit?seat=9999999999",
)
DEEDS: Final = (("/do", b'{"type": "end_game", "seq": 0}'), ("/host/pin", b"pin=1234"), ("/up", b""))
FOREIGN: Final[tuple[Mapping[str, str], ...]] = (
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}, {"Origin": ""},
    {"Origin": "http://127.0.0.1.evil.example"}, {"Origin": "http://evil.example", "Referer": "http://127.0.0.1/"},
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "SAME-ORIGIN, cross-site"},
    {"Origin": "http://127.0.0.1:80@evil.example"}, {"Origin": "https://127.0.0.1.nip.io"},
)
HOSTS: Final = (
    "evil.example", "127.0.0.1.nip.io", "[", "a b", "pi.local@evil.example", "evil.example:80", "²", "x" * 4000)
CHUNKED: Final = b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
RAW: Final[Mapping[str, bytes]] = {
    "two lengths": b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
    "a length and pieces": CHUNKED + b"Content-Length: 4\r\n\r\n0\r\n\r\nGET /host HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a negative length": b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "a length of 10**30": b"POST /do HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1" + b"0" * 30 + b"\r\n\r\n",
    "a header of 300 kB": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 300_000 + b"\r\n\r\n",
    "10,000 headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: 1\r\n" * 10_000 + b"\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    "TLS to a plain port": bytes.fromhex("16030100a5010000a1") + bytes(160),
    "a method of ours": b"BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "rubbish": bytes(range(256)) * 20,
    "pieces of a wrong length": CHUNKED + b"\r\nZZ\r\n{}\r\n0\r\n\r\n",
    "pieces of a length of 2**70": CHUNKED + b"\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
}


def odd_paths(table: Table) -> str | None:
    """Addresses that no page links to: answered, never by 500, never with a file of the machine."""
    for path in PATHS:
        answer = table.guest.get(path)
        if answer.status == 500 or (answer.status == 0 and "stream" not in path):
            return f"{path[:40]}: {answer.status}"
        if b"root:" in answer.body or b"[project]" in answer.body or "Location: //evil" in answer.head:
            return f"{path[:40]}: gave what it must not"
    return None if table.goes_on() else "the service is at an end"


def foreign_pages(table: Table) -> str | None:
    """A page of another site posts with the host's cookies."""
    for headers in FOREIGN:
        for path, body in DEEDS:
            kind = "application/json" if body.startswith(b"{") else "application/x-www-form-urlencoded"
            answer = table.host.post(path, body, {"Content-Type": kind, **headers})
            if answer.status < 400 or answer.status >= 500:
                return f"{headers}: {path} {answer.status}"
    return None if table.goes_on() else "the table changed"


def foreign_hosts(table: Table) -> str | None:
    """Another site's name leads to this machine (DNS rebinding)."""
    for host in HOSTS:
        answer = table.host.get("/", {"Host": host})
        if answer.status == 500 or b"Ann" in answer.body:
            return f"{host[:30]}: {answer.status}"
    return None if table.goes_on() else "the service is at an end"


def raw_bytes(sent: bytes, table: Table) -> str | None:
    """Bytes that are hardly HTTP."""
    answer = raw(table.service.port, sent, "127.0.0.88", 3.0)
    if answer.status == 500 or (answer.status == 200 and b"BREW" in sent):
        return f"answered {answer.status}"
    return None if table.goes_on() else "the service is at an end"


def names_with_markup(table: Table) -> str | None:
    """Names and notes that are HTML, script, or bend text round."""
    name = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    header = {"game": "kamikaze-cans", "players": [{"name": name}, {"name": "\u202eBen"}],
              "setup": {"colours": ["red", "green"], "first": 0}, "x-note": "</script><script>alert(2)</script>"}
    if table.host.do(table.seq(), type="start_game", header=header).status == 200:
        paths = "/", "/host", "/start", "/correct", "/hand", "/panel", "/invite"
        pages = [table.host.get(path).text for path in paths]
        table.begin()
        if any("<script>alert" in page or "<img src=x" in page for page in pages):
            return "is on a page as it was sent"
    return None


ATTEMPTS: Final[Mapping[str, Attempt]] = {
    "addresses that no page links to": odd_paths,
    "a page of another site": foreign_pages,
    "another site's name for this machine": foreign_hosts,
    "names that are HTML": names_with_markup,
    **{f"bytes: {name}": partial(raw_bytes, sent) for name, sent in RAW.items()},
}
