"""What phones ask of the session: one JSON object a POST, with the sequence number that the phone saw.

A page without scripts sends the same object in a form field `command` and is led back to the page it came from.
"""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, current_app, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import CompanionError, InvalidError, Phrase, phrase
from companion.session import commands
from companion.session.port import Desk, Refused

DEEPEST = 20
"""No command of ours is nested deeper."""


def command_of(given: Any, by: commands.By) -> commands.PersonCommand:
    """A command from its JSON object; raises `InvalidError`. Who asks is `by` where the object does not say it, and it
    came by a phone whatever the object says."""
    if not isinstance(given, dict) or "type" not in given or given.get("by") == "table":
        raise InvalidError(phrase("web.not_a_command"))
    if _depth(given) > DEEPEST:
        raise InvalidError(phrase("web.not_a_command"))
    return commands.read_command({"by": by, **given, "via": "phone"})


def _depth(value: Any, level: int = 0) -> int:
    if level > DEEPEST or not isinstance(value, (dict, list)):
        return level
    inside = value.values() if isinstance(value, dict) else value
    return max((_depth(each, level + 1) for each in inside), default=level)


def blueprint(desk: Desk) -> Blueprint:
    """POST `/do` with a command, POST `/seat` with the seat this phone belongs to."""
    pages = Blueprint("commands", __name__)

    @pages.post("/do")
    def do() -> AnyResponse:
        scripted = request.is_json
        try:
            given = _load(request.get_data(as_text=True) if scripted else request.form.get("command", ""))
            answer = desk.send(command_of(given, phone_seat("arbiter")))
        except CompanionError as error:
            return _told(error.phrase, 400, scripted)
        if isinstance(answer, Refused):
            return _told(answer.phrase, 409, scripted, seq=answer.seq)
        return jsonify({"ok": True, "seq": answer.seq}) if scripted else redirect(url_for("pages.table"), 303)

    @pages.post("/seat")
    def seat() -> AnyResponse:
        chosen = request.form.get("seat", "")
        answer = redirect(url_for("pages.table"), 303)
        if chosen.isdigit() and len(chosen) == 1:
            answer.set_cookie("seat", chosen, max_age=12 * 3600, httponly=True, samesite="Strict")
        else:
            answer.delete_cookie("seat", httponly=True, samesite="Strict")
        return answer

    return pages


def phone_seat(otherwise: Any) -> Any:
    """The seat that this phone belongs to, or `otherwise` for a phone of the whole table."""
    chosen = request.cookies.get("seat", "")
    return int(chosen) if chosen.isdigit() and len(chosen) == 1 else otherwise


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidError(phrase("web.not_a_command")) from error


def _told(what: Phrase, status: int, scripted: bool, **more: int) -> AnyResponse:
    """The sentence as JSON, or on the page that comes next."""
    words: str = current_app.extensions["words"].say(what)
    if scripted:
        answer: Response = jsonify({"ok": False, "error": words, **more})
        answer.status_code = status
        return answer
    flash(words)
    return redirect(url_for("pages.table"), 303)
