"""What a POST gave, as a form from a page or as a JSON object from a program, and the answer in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import abort, get_flashed_messages, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import lines
from companion.errors import InvalidError
from web.house import house


def is_program() -> bool:
    """Whether the request brought JSON: its answer is JSON too."""
    return request.is_json


def fields_given() -> Mapping[str, str]:
    """The fields of a form, or of a JSON object that has texts, whole numbers and truths; what is false is left out, as
    an empty box of a form is. Answers 400 for anything else."""
    if not is_program():
        return request.form.to_dict()
    try:
        given = lines.parse(request.get_data().decode() or "{}")
    except (UnicodeDecodeError, InvalidError):
        abort(400)
    if not isinstance(given, dict) or not all(isinstance(each, (str, int)) for each in given.values()):
        abort(400)
    return {key: "1" if each is True else str(each) for key, each in given.items() if each is not False}


def led_on(endpoint: str, **more: Any) -> AnyResponse:
    """Leads a page on; tells a program the number now and what a page would say. `more` is for programs alone."""
    if not is_program():
        return redirect(url_for(endpoint), 303)
    return jsonify({"ok": True, "seq": house().desk.snapshot().seq, "told": get_flashed_messages(), **more})


def sorry(text: str, status: int, page: str) -> ResponseReturnValue:
    """The page that says what is wrong; a program is told it as an error with this status."""
    return (jsonify({"ok": False, "error": text}), status) if is_program() else (page, status)
