"""How long the words of people may be: names and notes go into the journal and onto every page.

Records from elsewhere may say more (the format has no such bounds); whoever begins a game here is told to be brief.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from companion.engine import Json
from companion.errors import InvalidError, phrase

MAX_NAME: Final = 40
"""Characters of a player's name."""
MAX_NOTES: Final = 2_000
"""Characters of a header's notes (`x-…`), all together, as JSON."""
MAX_HEADER: Final = 8_000
"""Characters of a header, as JSON: the largest set-up of our games has less than half as many."""


def check_header(header: Mapping[str, Json]) -> None:
    """Raises `InvalidError` when something in a record's header is too long to keep, or a player has no name."""
    players = header.get("players")
    for player in players if isinstance(players, list) else ():
        name = player.get("name") if isinstance(player, Mapping) else None
        if isinstance(name, str) and not name.strip():
            raise InvalidError(phrase("session.name_missing"))
        if isinstance(name, str) and len(name) > MAX_NAME:
            raise InvalidError(phrase("session.name_too_long", most=MAX_NAME))
    if _notes_length(header) > MAX_NOTES:
        raise InvalidError(phrase("session.notes_too_long", most=MAX_NOTES))
    if _length(header) > MAX_HEADER:
        raise InvalidError(phrase("session.header_too_long", most=MAX_HEADER))


def _notes_length(value: Json) -> int:
    """How long the notes are that stand anywhere in a value."""
    if isinstance(value, Mapping):
        return sum(
            len(key) + _length(each) if key.startswith("x-") else _notes_length(each) for key, each in value.items())
    return sum(_notes_length(each) for each in value) if isinstance(value, list) else 0


def _length(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False))
