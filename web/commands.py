"""What phones ask of the session: one JSON object a POST, with the sequence number that the phone saw.

A page without scripts sends the same object in a form field `command` and is led back to the page it came from. Who
asks is known by the phone's tokens alone; a `by` in the object says nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import lines
from companion.errors import CompanionError, InvalidError, Phrase, phrase
from companion.session import commands
from companion.session.port import Accepted, Refused
from companion.session.rights import OF_HOST, OF_OTHERS
from web.house import house
from web.seats import NotYoursError, must_be_host, phone

MAX_COMMAND_DEPTH = 20
"""No command of ours is nested deeper."""

blueprint = Blueprint("commands", __name__)


def command_of(given: Any, by: commands.By) -> commands.PersonCommand:
    """A command from its JSON object; raises `InvalidError`. `by` asks, and by a phone, whatever the object says."""
    if not isinstance(given, dict) or "type" not in given:
        raise InvalidError(phrase("web.not_a_command"))
    if lines.depth(given) > MAX_COMMAND_DEPTH:
        raise InvalidError(phrase("web.not_a_command"))
    return commands.read_command({**given, "by": by, "via": "phone"})


@blueprint.post("/do")
def carry_out() -> AnyResponse:
    """Carries out a command: as JSON from a script, as a form field from a page without one."""
    scripted = request.is_json
    try:
        by = phone().by
        given = _load(request.get_data() if scripted else request.form.get("command", "").encode())
        answer = _ask(command_of(given, by))
    except NotYoursError:
        raise
    except CompanionError as error:
        return _refused(error.phrase, 400, scripted)
    if isinstance(answer, Refused):
        return _refused(answer.phrase, 409, scripted, seq=answer.seq)
    return jsonify({"ok": True, "seq": answer.seq}) if scripted else _back()


def _ask(command: commands.PersonCommand) -> Accepted | Refused:
    """Asks the session. A host that sits asks as its seat what a seat may, and as the host what is others'."""
    desk = house().desk
    if isinstance(command, OF_HOST):
        must_be_host()
        return desk.send(replace(command, by="host"))
    answer = desk.send(command)
    if isinstance(answer, Refused) and answer.phrase.id in OF_OTHERS and phone().is_host and command.by != "host":
        return desk.send(replace(command, by="host"))
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
    return _back()


def _back() -> AnyResponse:
    """To the page where plies are entered, if it came from there; else to the table."""
    return redirect(url_for("play.show_entry" if request.form.get("then") == "play" else "pages.show_table"), 303)
