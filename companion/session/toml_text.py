"""Values as TOML, which Python reads but does not write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def written_toml(given: Mapping[str, Any]) -> str:
    """Sections and values as TOML; each section on lines of its own."""
    alone = [f"{_quoted(key)} = {_value(each)}" for key, each in given.items() if not isinstance(each, dict)]
    for section, values in given.items():
        if isinstance(values, dict):
            lines = (f"{_quoted(key)} = {_value(each)}" for key, each in values.items())
            alone += ["", f"[{_quoted(section)}]", *lines]
    return "\n".join(alone) + "\n"


def _value(given: Any) -> str:
    match given:
        case str():
            return _quoted(given)
        case bool():
            return "true" if given else "false"
        case int() | float():
            return repr(given)
        case list() | tuple():
            return f"[{', '.join(map(_value, given))}]"
        case dict():
            return "{" + ", ".join(f"{_quoted(key)} = {_value(each)}" for key, each in given.items()) + "}"
        case _:
            return str(given.isoformat())  # dates and times, which only a newer version may have written


def _quoted(text: str) -> str:
    """A text as TOML's basic string, which is JSON's but for the sign that deletes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
