"""Who may ask, and what a browser may do with the answer: headers, same origin, known hosts."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, request

from companion.errors import InvalidError, phrase
from web.house import house
from web.seats import must_be_host, request_address

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
))
"""Scripts and styles only from files of ours; nothing from elsewhere, no page of others around ours."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
HOME_ENDINGS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".fritz.box", ".localhost")
MAX_POST_BYTES = 64 * 1024
OF_SITTING = ("seats", "host")
"""Blueprints whose POSTs say who sits where and who is the host."""
PIECES = "backup.bring_piece"
"""The endpoint that takes a file of megabytes, piece by piece, from the host alone."""
_HOSTS = "KNOWN_HOSTS"
"""The key of the app's config under which these names stand."""


def guard(app: Flask, hosts: Collection[str] = ()) -> None:
    """Checks every request of `app`, puts the headers on every answer. `hosts`: further names it may be called by."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_POST_BYTES
    app.config[_HOSTS] = frozenset(hosts)
    app.before_request(_check)
    app.after_request(_with_headers)


def _check() -> None:
    if not at_home(request.host, current_app.config[_HOSTS]):
        raise InvalidError(phrase("web.foreign_host", host=request.host[:80]))
    if request.method not in ("GET", "HEAD", "OPTIONS") and not same_origin(request):
        raise InvalidError(phrase("web.foreign_page"))
    if request.method == "POST":
        address, allowed = request_address(), house().commands
        if request.endpoint == PIECES:
            must_be_host()
            if not allowed.allow_piece(address):
                abort(429)
            return
        if not allowed.allow(address, request.content_length or 0):
            abort(429)
        if request.blueprint in OF_SITTING and not allowed.allow_sitting(address):
            abort(429)


def _with_headers(response: Response) -> Response:
    for key, value in HEADERS.items():
        response.headers.setdefault(key, value)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache"
    return response


def at_home(host: str, known: Collection[str] = ()) -> bool:
    """Whether a Host header names this machine as a home network does: an address, a bare name, a home ending.

    Keeps other sites from reaching the table by a name of theirs that leads to it (DNS rebinding).
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:  # such as `[` or `pi:http`
        return False
    try:
        return bool(ip_address(name))
    except ValueError:
        return bool(name) and ("." not in name or name.endswith(HOME_ENDINGS) or name in known)


def same_origin(asked: Request) -> bool:
    """Whether a POST comes from a page of ours, as browsers say it."""
    site = asked.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = asked.headers.get("Origin")
    try:
        return origin is not None and urlsplit(origin).netloc == asked.host
    except ValueError:  # such as `http://[`
        return False
