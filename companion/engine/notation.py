"""The short notation of plies and set-ups: JSON for people, one line, and back again.

    {"type": "move", "from": "a1", "to": "c1"}     move from=a1 to=c1
    {"type": "pass"}                               pass
    {"type": "sold", "crate": 2, "drinks": []}     sold crate=2 drinks=[]
    {"at": [1, -2], "turn": true}                  at=[1,-2] turn=true

An object is written as `key=value` with spaces between; its `type` comes first and without `type=`. A text stands
without quotation marks unless it could be taken for something else; lists are written `[a,b]`, objects inside others
`{key=value key=value}`. `read(short(value)) == value` for every object whose `type`, if it has one, comes first.
"""

from __future__ import annotations

import json
import re
from typing import Final

from companion.engine.form import fields
from companion.engine.values import Json
from companion.errors import InvalidError, phrase

_BARE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_/-]*")
_WORDS: Final = {"true": True, "false": False, "null": None}
_TOKEN: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[\[\]{},=]|[^\s\[\]{},="]+)')


def short(value: Json) -> str:
    """An object in the short notation."""
    return " ".join(_pair(key, each, first=not index) for index, (key, each) in enumerate(value.items()))


def read(text: str) -> Json:
    """The object of a text in the short notation; raises `InvalidError`."""
    try:
        tokens = _tokens(text)
        found, rest = _members(tokens, 0)
        if rest != len(tokens):
            raise ValueError(text)
    except (ValueError, IndexError, RecursionError):
        raise InvalidError(phrase("notation.unreadable", given=text[:80])) from None
    fields(found, "ply", (), found)
    return found


def _pair(key: str, value: Json, *, first: bool) -> str:
    if first and key == "type" and isinstance(value, str) and _is_bare(value):
        return value
    return f"{_value(key)}={_value(value)}"


def _value(value: Json) -> str:
    if isinstance(value, dict):
        return f"{{{short(value)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_value, value))}]"
    if isinstance(value, str) and _is_bare(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_bare(text: str) -> bool:
    return bool(_BARE.fullmatch(text)) and text not in _WORDS


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(text)
        found.append(match[1])
        at = match.end()
    return found


def _members(tokens: list[str], at: int) -> tuple[Json, int]:
    """Reads `key=value …` up to a closing brace or the end."""
    found: dict[str, Json] = {}
    if at < len(tokens) and tokens[at] != "}" and tokens[at + 1 : at + 2] != ["="]:
        found["type"], at = _read_value(tokens, at)
    while at < len(tokens) and tokens[at] != "}":
        key, at = _read_value(tokens, at)
        if not isinstance(key, str) or tokens[at] != "=" or key in found:
            raise ValueError(key)
        found[key], at = _read_value(tokens, at + 1)
    return found, at


def _read_value(tokens: list[str], at: int) -> tuple[Json, int]:
    token = tokens[at]
    if token == "{":
        found, at = _members(tokens, at + 1)
        return found, _expect(tokens, at, "}")
    if token == "[":
        values: list[Json] = []
        at += 1
        while tokens[at] != "]":
            if values:
                at = _expect(tokens, at, ",")
            value, at = _read_value(tokens, at)
            values.append(value)
        return values, at + 1
    if _is_bare(token):
        return token, at + 1
    return json.loads(token), at + 1


def _expect(tokens: list[str], at: int, token: str) -> int:
    if tokens[at] != token:
        raise ValueError(tokens[at])
    return at + 1
