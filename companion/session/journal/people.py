"""Who plays, apart from the chained lines: a header stands in its chain with the number of its players alone."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Final

from companion.engine import Json

HEADED: Final = ("setup_begun", "game_started")
"""Events that have a header."""
REMOVED: Final = "null"
"""What stands where somebody's names were."""


def part_players(event: Mapping[str, Json]) -> tuple[Mapping[str, Json], list[Json] | None]:
    """The event without who plays, and who plays; None when it names nobody."""
    header = event.get("header")
    players = header.get("players") if event["type"] in HEADED and isinstance(header, Mapping) else None
    if not isinstance(players, list):
        return event, None
    assert isinstance(header, Mapping)
    return {**event, "header": {**header, "players": len(players)}}, players


def names_players(event: Mapping[str, Json]) -> bool:
    """Whether players stand apart from this event."""
    header = event.get("header")
    return event["type"] in HEADED and isinstance(header, Mapping) and type(header.get("players")) is int


def join_players(event: Mapping[str, Json], players: Json) -> Mapping[str, Json]:
    """The event with its players again; None: their names were removed, they are called A, B, C …"""
    header = event["header"]
    if players is None:
        players = [{"name": ascii_uppercase[seat % 26]} for seat in range(header["players"])]
    return {**event, "header": {**header, "players": players}}
