"""Why an address gives no pictures: it is asked once more, plainly, and its answer is told in a sentence.

A name and a password in the address are sent to the camera that asks for them, and never shown.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable
from email.message import Message
from email.parser import HeaderParser
from http.client import HTTPException
from socket import create_connection, socket
from typing import Final
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import (
    HTTPDigestAuthHandler, HTTPPasswordMgrWithDefaultRealm, Request, parse_http_list, parse_keqv_list, urlopen,
)

from companion.errors import Phrase, phrase
from companion.session.camera_address import host_of

STREAM_KINDS: Final = ("multipart/", "image/", "video/", "application/octet-stream", "application/sdp")
"""What a stream says that it is."""
UNPROVEN, DENIED = 401, (401, 403)
RTSP_PORT: Final = 554
MOST_BYTES: Final = 16_384
"""No answer of a camera is longer than this."""
Answered = tuple[int, Message]
"""Its status, and its head."""
AskCamera = Callable[[Request, float], Answered]
"""Sends a question; hears until when an answer may come (s, of `time.monotonic`)."""


def why_no_stream(url: str, timeout_s: float) -> Phrase:
    """What an address answers that gives no pictures: nothing, too late, that it is not allowed, or a page."""
    where = host_of(url)
    ask = _ask_rtsp if url.lower().startswith("rtsp://") else _ask_http
    try:
        status, head = _answered(url, ask, time.monotonic() + timeout_s)
    except (OSError, HTTPException, ValueError) as error:
        is_late = isinstance(getattr(error, "reason", error), TimeoutError)
        return phrase("hw.net_late" if is_late else "hw.net_silent", where=where, number=round(timeout_s))
    if status >= 400:
        return phrase("hw.net_denied" if status in DENIED else "hw.net_refused", where=where, number=status)
    is_stream = head.get_content_type().startswith(STREAM_KINDS)
    return phrase("hw.net_slow" if is_stream else "hw.net_page", where=where)


def _answered(url: str, ask: AskCamera, until_s: float) -> Answered:
    """What is answered, with the address's name and password if it asks for them."""
    parts = urlsplit(url)
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    request = Request(plain, headers={"User-Agent": "companion"}, method="DESCRIBE" if ask is _ask_rtsp else "GET")
    status, head = ask(request, until_s)
    if status != UNPROVEN or parts.username is None:
        return status, head
    proof = _proof(request, unquote(parts.username), unquote(parts.password or ""), head)
    if not proof:
        return status, head
    request.add_unredirected_header("Authorization", proof)
    return ask(request, until_s)


def _proof(request: Request, name: str, password: str, head: Message) -> str:
    """What proves who asks, in one of the ways that the camera wants; empty if none of them is known."""
    wanted = {kind.lower(): rest for kind, _, rest in
              (each.partition(" ") for each in head.get_all("WWW-Authenticate", []))}
    if "digest" in wanted:
        passwords = HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, request.full_url, name, password)
        if request.type == "rtsp":
            request.selector = request.full_url  # RTSP asks for, and proves, the whole address
        said = parse_keqv_list(parse_http_list(wanted["digest"]))
        return f"Digest {HTTPDigestAuthHandler(passwords).get_authorization(request, said)}"
    return f"Basic {b64encode(f'{name}:{password}'.encode()).decode()}" if "basic" in wanted else ""


def _ask_http(request: Request, until_s: float) -> Answered:
    try:
        with urlopen(request, timeout=_left_s(until_s)) as answer:
            return answer.status, answer.headers
    except HTTPError as error:
        error.close()
        return error.code, error.headers


def _ask_rtsp(request: Request, until_s: float) -> Answered:
    asked = "".join(f"{name}: {said}\r\n" for name, said in request.header_items())
    at = urlsplit(request.full_url)
    with create_connection((at.hostname, at.port or RTSP_PORT), _left_s(until_s)) as link:
        link.sendall(f"DESCRIBE {request.full_url} RTSP/1.0\r\nCSeq: 1\r\n{asked}\r\n".encode())
        first, _, rest = _head(link, until_s).partition("\r\n")
    return int(first.partition(" ")[2][:3]), HeaderParser().parsestr(rest)


def _head(link: socket, until_s: float) -> str:
    head = b""
    while b"\r\n\r\n" not in head and len(head) < MOST_BYTES:
        link.settimeout(_left_s(until_s))
        part = link.recv(4096)
        if not part:
            raise ConnectionError("closed before it answered")
        head += part
    return head.partition(b"\r\n\r\n")[0].decode("latin-1")


def _left_s(until_s: float) -> float:
    left_s = until_s - time.monotonic()
    if left_s <= 0.0:
        raise TimeoutError
    return left_s
