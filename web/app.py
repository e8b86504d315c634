"""The app factory: `create_app(desk=…, words=…)` gives a Flask app with all pages."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.engine import AnyGame
from companion.errors import CompanionError, phrase
from companion.session.port import Desk
from companion.words import Words
from web import commands, pages, stream
from web.draw import seat_icon, symbols
from web.fragments import Renderer
from web.guard import guard

STREAMS = 24
"""How many phones may watch at once."""
BEAT_S = 10.0
"""A stream that has nothing to tell says at least that it lives, this often."""


def create_app(
    *, desk: Desk, words: Words, games: Mapping[str, AnyGame], panel: pages.PanelPort | None = None,
    offer: Mapping[str, Any] | None = None, sources: pages.ExamplesPort | None = None,
    hints: pages.HintsPort | None = None, streams: int = STREAMS, beat_s: float = BEAT_S, hosts: Collection[str] = (),
) -> Flask:
    """All pages over one desk.

    `games` can be started from a phone, by id; `offer` is the record header that the start page proposes (its keys
    `game`, `players`, `setup` are used). `panel` shows and presses the table's buttons and lamps, `sources` are the
    examples that can be played, `hints` thinks about what to play. Serve it with more threads than `streams`
    (`web.server`). `hosts` are names the pages may be called by beside those of a home network.
    """
    app = Flask("web")
    app.secret_key = secrets.token_bytes(32)  # signs one message from a page to the next; a restart may drop it
    app.config.update(SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_NAME="message")
    app.extensions["words"] = words
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals |= {"symbols": symbols(), "seat_icon": seat_icon}
    render = Renderer(app, words)
    watching = app.extensions["streams"] = stream.Streams(streams)
    guard(app, hosts)
    app.register_blueprint(pages.blueprint(pages.Rooms(desk, words, games, panel, offer or {}, render, sources, hints)))
    app.register_blueprint(commands.blueprint(desk))
    app.register_blueprint(stream.blueprint(desk, watching, render, lambda: pages.observer(desk), beat_s))

    @app.get("/health")
    def health() -> Response:
        return jsonify({"ok": True, "streams": len(watching), "most": watching.most})

    @app.errorhandler(CompanionError)
    def refused(error: CompanionError) -> tuple[Response | str, int]:
        return _sorry(words.say(error.phrase), 400)

    @app.errorhandler(HTTPException)
    def missing(error: HTTPException) -> tuple[Response | str, int]:
        known = f"web.http.{error.code}"
        return _sorry(words.say(phrase(known if known in words else "web.http")), error.code or 500)

    def _sorry(text: str, status: int) -> tuple[Response | str, int]:
        if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
            return render_template("sorry.html", text=text, home=words.say(phrase("web.home"))), status
        return jsonify({"ok": False, "error": text}), status

    return app
