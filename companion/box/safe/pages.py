"""The page of the safe mode, which every address shows, and what is sent from it."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock

from flask import Flask, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

import web
from companion.box.lives import Lives
from companion.box.safe.deeds import Deeds
from companion.box.safe.looking import log_lines, look
from companion.errors import CompanionError, InvalidError, Phrase, phrase
from companion.words import Words
from web.guard import HEADERS, at_home, same_origin
from web.sitting.lock_out import LockOut

STATIC = Path(web.__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
DEEDS = ("again", "config", "restore", "bring", "update", "back")
"""What a form may ask for."""
MAX_FORM_BYTES = 64 * 1024
MAX_BROUGHT_BYTES = (512 << 20) + MAX_FORM_BYTES


def safe_app(*, lives: Lives, deeds: Deeds, folder: Path, words: Words) -> Flask:
    """The app; `folder` is the state folder."""
    app = Flask("companion.box.safe", static_folder=str(STATIC), template_folder=str(TEMPLATES))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    tries, one_at_a_time = LockOut(time.monotonic), Lock()

    def say(what: Phrase | str) -> str:
        return words.sentence(what if isinstance(what, Phrase) else phrase(what))

    def page(said: Phrase | None = None, error: Phrase | None = None) -> str:
        return render_template(
            "safe.html", say=say, trouble=look(lives, folder), log=log_lines(lives), deeds=deeds, said=said,
            error=error, asks_pin=bool(deeds.pin))

    @app.before_request
    def check() -> None:
        if not at_home(request.host):
            abort(400)
        if request.method == "POST":
            request.max_content_length = MAX_BROUGHT_BYTES if request.path == "/safe/bring" else MAX_FORM_BYTES
            if not same_origin(request):
                abort(400)

    @app.after_request
    def with_headers(response: Response) -> Response:
        for key, value in HEADERS.items():
            response.headers.setdefault(key, value)
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.get("/health")
    def health() -> ResponseReturnValue:
        trouble = look(lives, folder)
        why = [trouble.said] if trouble.said else []
        return jsonify({"ok": False, "safe": True, "why": [*why, *map(words.sentence, trouble.shown)]}), 503

    @app.post("/safe/<deed>")
    def do(deed: str) -> ResponseReturnValue:
        if deed not in DEEDS:
            abort(404)
        address = request.remote_addr or ""
        with one_at_a_time:
            if tries.wait_s(address) > 0 or not deeds.knows_pin(request.form.get("pin", "")):
                tries.failed(address)
                return page(error=phrase("web.pin.wrong")), 403
            tries.passed(address)
            try:
                return page(said=_done(deeds, deed))
            except CompanionError as refused:
                return page(error=refused.phrase), 400

    @app.get("/")
    @app.get("/<path:_anywhere>")
    def show(_anywhere: str = "") -> ResponseReturnValue:
        return page(), 503 if _anywhere else 200

    return app


def _done(deeds: Deeds, deed: str) -> Phrase:
    """Does it. Raises `InvalidError`."""
    match deed:
        case "config":
            return deeds.use_good_config()
        case "restore":
            return deeds.restore_kept(request.form.get("backup", ""))
        case "bring":
            brought = request.files.get("file")
            if brought is None:
                raise InvalidError(phrase("safe.no_backup"))
            return deeds.restore_brought(brought.stream)
        case "update" | "back":
            return deeds.wish("update" if deed == "update" else "back")
        case _:
            deeds.again()
            return phrase("safe.starting")
