"""What phones ask of the session: one JSON object a POST, with the sequence number that the phone saw.

A page without scripts sends the same object in a form field `command` and is led back to the page it came from.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import lines
from companion.errors import CompanionError, InvalidError, Phrase, phrase
from companion.session import commands
from companion.session.port import Refused
from web.house import house
from web.seats import COOKIE, is_seat, phone_by

MAX_COMMAND_DEPTH = 20
"""No command of ours is nested deeper."""

blueprint = Blueprint("commands", __name__)


def command_of(given: Any, by: commands.By) -> commands.PersonCommand:
    """A command from its JSON object; raises `InvalidError`. Who asks is `by` where the object does not say it, and it
    came by a phone whatever the object says."""
    if not isinstance(given, dict) or "type" not in given or given.get("by") == "table":
        raise InvalidError(phrase("web.not_a_command"))
    if lines.depth(given) > MAX_COMMAND_DEPTH:
        raise InvalidError(phrase("web.not_a_command"))
    return commands.read_command({"by": by, **given, "via": "phone"})


@blueprint.post("/do")
def carry_out() -> AnyResponse:
    """Carries out a command: as JSON from a script, as a form field from a page without one."""
    scripted = request.is_json
    try:
        given = _load(request.get_data() if scripted else request.form.get("command", "").encode())
        answer = house().desk.send(command_of(given, phone_by()))
    except CompanionError as error:
        return _refused(error.phrase, 400, scripted)
    if isinstance(answer, Refused):
        return _refused(answer.phrase, 409, scripted, seq=answer.seq)
    return jsonify({"ok": True, "seq": answer.seq}) if scripted else redirect(url_for("pages.show_table"), 303)


@blueprint.post("/seat")
def take_seat() -> AnyResponse:
    """Says which seat this phone belongs to; empty: to none."""
    chosen = request.form.get("seat", "")
    answer = redirect(url_for("pages.show_table"), 303)
    if is_seat(chosen):
        answer.set_cookie(COOKIE, chosen, max_age=12 * 3600, httponly=True, samesite="Strict")
    else:
        answer.delete_cookie(COOKIE, httponly=True, samesite="Strict")
    return answer


def _load(body: bytes) -> Any:
    """The JSON value of a body, as strictly as records are read: what could not be written again is no command."""
    try:
        return lines.parse(body.decode())
    except (UnicodeDecodeError, InvalidError) as error:
        raise InvalidError(phrase("web.not_a_command")) from error


def _refused(what: Phrase, status: int, scripted: bool, **more: int) -> AnyResponse:
    """The sentence as JSON, or on the page that comes next."""
    words = house().say(what)
    if scripted:
        answer: Response = jsonify({"ok": False, "error": words, **more})
        answer.status_code = status
        return answer
    flash(words)
    return redirect(url_for("pages.show_table"), 303)
