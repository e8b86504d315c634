"""Times in a record."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from companion.engine import form
from companion.engine.values import Json
from companion.errors import phrase

_RFC_3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def read_time(given: Json, where: str) -> str:
    """An RFC 3339 time, as it stands."""
    shown = form.text(given, where)
    try:
        datetime.fromisoformat(shown.upper())
    except ValueError:
        form.wrong(phrase("json.time"), given, where)
    return shown if _RFC_3339.fullmatch(shown) else form.wrong(phrase("json.time"), given, where)
