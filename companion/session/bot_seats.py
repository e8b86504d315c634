"""Which seats of a game bots play for, as the header of its record says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.engine import Json

BOTS: Final = "x-bots"
"""The note in a record's header that says who is a bot: its level by the number of its seat."""


def bots_of(header: Mapping[str, Json]) -> dict[int, str]:
    """The level of each bot, by its seat. What is no such note tells of nobody."""
    given = header.get(BOTS)
    if not isinstance(given, dict):
        return {}
    named = {str(seat): seat for seat in range(len(header["players"]))}
    return {named[key]: level for key, level in given.items() if key in named and isinstance(level, str)}
