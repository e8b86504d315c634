"""What the app is made of, what the server sets, and what is said when something cannot be."""

from __future__ import annotations

import errno
import resource
import socket
from random import Random
from typing import Any

import pytest
from flask import Flask, abort
from jinja2 import StrictUndefined

from companion.errors import HardwareError, phrase
from tests.web import web_tables
from web import server as server_module
from web.app import BEAT_S, DEFAULT_LIMITS, UNFORESEEN, create_app
from web.draw import seat_icon, symbols
from web.fakes import FakeDesk, FakePanel
from web.house import house_of
from web.limits import Limits, Rate
from web.server import Server
from web.sitting.seating import Seating
from web.turns import FairDispatcher

GAMES: Any = {web_tables.GAME.id: web_tables.GAME}
WORDS = web_tables.words()


def test_an_app_keeps_what_it_is_made_of() -> None:
    desk, panel, seating, rng = FakeDesk(web_tables.table()), FakePanel(), Seating(), Random(1)
    limits = Limits(streams=3, streams_each=2, commands_each=Rate(1, 0))
    other: Any = {"examples": object(), "hints": object(), "offer": {"game": "x"}}
    app = create_app(desk=desk, words=WORDS, games=GAMES, panel=panel, limits=limits, beat_s=7.0, rng=rng,
                     left_out=(phrase("web.http"),), fingerprint="AB:CD", seating=seating, **other)
    here = house_of(app)
    assert (here.desk, here.words, here.games, here.panel, here.limits, here.seating, here.rng) == (
        desk, WORDS, GAMES, panel, limits, seating, rng)
    assert (here.examples, here.hints, here.offer) == tuple(other.values())
    assert (here.left_out, here.fingerprint) == ((phrase("web.http"),), "AB:CD")
    streams = here.streams
    assert (streams._desk, streams._renders[False], streams._beat_s, streams.most, streams._most_each) == (
        desk, here.render, 7.0, 3, 2)
    assert [here.commands.allow("a", 1) for _ in range(2)] == [True, False]
    assert app.config["SESSION_COOKIE_SAMESITE"] == "Strict"
    assert app.config["SESSION_COOKIE_NAME"] == "message"
    assert app.config["MAX_CONTENT_LENGTH"] == 64 * 1024
    assert isinstance(app.secret_key, bytes)
    assert len(app.secret_key) == 32
    env = app.jinja_env
    assert (env.trim_blocks, env.lstrip_blocks, env.undefined) == (True, True, StrictUndefined)
    assert (env.globals["symbols"], env.globals["seat_icon"]) == (symbols(), seat_icon)


def test_an_app_has_defaults_for_the_rest() -> None:
    here = house_of(create_app(desk=FakeDesk(), words=WORDS, games=GAMES))
    assert (here.panel, here.examples, here.hints, here.offer, here.left_out, here.fingerprint) == (
        None, None, None, {}, (), "")
    assert (here.limits, here.rng, here.streams._beat_s) == (DEFAULT_LIMITS, UNFORESEEN, BEAT_S)
    assert here.seating.seats.phones("") is not None


@pytest.mark.parametrize(("accept", "kind"), [
    ("text/html", "text/html"), ("application/json", "application/json"),
    ("text/html, application/json;q=0.5", "text/html"),
    ("*/*", "application/json"), ("image/png", "application/json"), ("text/html;q=0.1", "text/html"),
])
def test_a_refusal_is_a_page_where_a_page_is_asked_for(app: Flask, accept: str, kind: str) -> None:
    answer = app.test_client().get("/nowhere", headers={"Accept": accept})
    text = "There is no such page. Go back."
    assert (answer.status_code, answer.mimetype) == (404, kind)
    if kind == "application/json":
        assert answer.get_json() == {"ok": False, "error": text}
    else:
        assert f"<title>{text}</title>" in answer.get_data(as_text=True)
        assert f'<a class="button" href="/">{WORDS.say(phrase("web.home"))}</a>' in answer.get_data(as_text=True)


@pytest.mark.parametrize(("code", "told", "status"), [
    (413, "That was too much at once. Load the page again.", 413),
    (501, "Something went wrong with this page. Load it again.", 501),
    (500, "I stumbled over this. The game is kept; load the page again.", 500),
])
def test_an_error_has_its_own_words_or_those_of_any(app: Flask, code: int, told: str, status: int) -> None:
    app.add_url_rule("/fails", view_func=lambda: abort(code))
    answer = app.test_client().get("/fails")
    assert (answer.status_code, answer.get_json()) == (status, {"ok": False, "error": told})


LIMITS = Limits(connections=40, outside=9, requests=3, requests_each=1, header_bytes=5000, body_bytes=6000)


def close(server: Server) -> None:
    """Of a server that was never started."""
    server._server.task_dispatcher.shutdown()
    server._server.close()


def test_a_server_sets_waitress_by_its_limits(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[int] = []
    monkeypatch.setattr(server_module, "_allow_files", files.append)
    server = Server(app, "127.0.0.1", 0, limits=LIMITS)
    try:
        inner, settings = server._server, server._server.adj
        assert files == [2 * (40 + 9)]
        assert (settings.connection_limit, settings.channel_timeout) == (80, 10**9)
        assert settings.channel_request_lookahead == 1
        assert (settings.outbuf_high_watermark, settings.max_request_header_size, settings.max_request_body_size) == (
            1_000_000, 5000, 6000)
        assert (settings.ident, settings.url_scheme) == (None, "http")
        assert (inner.limits, inner.streams, inner._tls) == (LIMITS, house_of(app).streams, None)
        assert isinstance(inner.task_dispatcher, FairDispatcher)
        assert (len(inner.task_dispatcher.threads), inner.task_dispatcher.queue._most_each) == (3, 1)
        assert server.port == inner.socket.getsockname()[1] == int(inner.effective_port)
        assert (server._thread.name, server._thread.daemon) == ("web", True)
        assert (server._telling.name, server._telling.daemon) == ("streams", True)
        for level, name, value in (
            (socket.SOL_SOCKET, socket.SO_REUSEADDR, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 25_000),
        ):
            assert inner.socket.getsockopt(level, name) == value
        assert not server.alive()
    finally:
        close(server)


def test_a_server_has_the_limits_of_its_app(app: Flask) -> None:
    server = Server(app, "::1", 0)
    try:
        assert server._server.limits is house_of(app).limits
        assert server._server.socket.family == socket.AF_INET6
    finally:
        close(server)


@pytest.mark.parametrize(("now", "wanted", "becomes"), [
    ((100, 1000), 500, (500, 1000)), ((100, 1000), 5000, (1000, 1000)), ((100, 1000), 100, None),
    ((100, 1000), 50, None), ((100, -1), 5000, (5000, -1)), ((-1, -1), 5000, None), ((700, 600), 900, (700, 600)),
])
def test_so_many_files_may_be_open_as_the_system_allows(
    monkeypatch: pytest.MonkeyPatch, now: tuple[int, int], wanted: int, becomes: tuple[int, int] | None
) -> None:
    asked: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: now if which == resource.RLIMIT_NOFILE else None)
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: asked.append((which, limits)))
    server_module._allow_files(wanted)
    assert asked == ([] if becomes is None else [(resource.RLIMIT_NOFILE, becomes)])


@pytest.mark.parametrize(("error", "told"), [
    (OSError(errno.EADDRINUSE, "in use"), phrase("web.port_taken", port=81)),
    (OSError(errno.EACCES, "no leave"), phrase("web.port_refused", host="10.0.0.1", port=81, why="no leave")),
    (OSError("odd"), phrase("web.port_refused", host="10.0.0.1", port=81, why="odd")),
])
def test_a_port_that_cannot_be_had_is_told_and_its_socket_closed(
    monkeypatch: pytest.MonkeyPatch, error: OSError, told: object
) -> None:
    closed: list[bool] = []

    class Refusing:
        def __init__(self, *kind: object) -> None:
            assert kind == (socket.AF_INET, socket.SOCK_STREAM)

        def setsockopt(self, *_: int) -> None: ...

        def bind(self, address: tuple[str, int]) -> None:
            assert address == ("10.0.0.1", 81)
            raise error

        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr(socket, "socket", Refusing)
    with pytest.raises(HardwareError) as caught:
        server_module._socket("10.0.0.1", 81)
    assert (caught.value.phrase, closed) == (told, [True])
