"""Where the layouts of games lie on the own table: a file in the state folder, a line for each game and number of
players.

    {"version": 1, "tables": {"chess 2": {"at": [210, 150], "turn": 3, "moved": {"beside:0": [[0, 0], …]}}}}
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.errors import ConfigError, InvalidError, phrase
from companion.session.whole_file import write_whole
from companion.table.laid import Corners, Laid
from companion.table.pieces import Point

ZONES_NAME: Final = "zones.json"
ZONES_VERSION: Final = 1
MAX_MM: Final = 5000.0
"""No table is larger."""
LEAST_MM2: Final = 100.0
"""A smaller area holds no piece."""
MAX_MOVED: Final = 200


def table_key(game: str, seats: int) -> str:
    """By what the layout of a game for so many players is known."""
    return f"{game} {seats}"


def read_zones(file: Path) -> dict[str, Laid]:
    """What was kept, by `table_key`. Raises `InvalidError` for a file that is none of ours."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["version"] != ZONES_VERSION:
            raise ValueError
        return {str(key): read_laid(each) for key, each in told["tables"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, InvalidError) as error:
        raise InvalidError(phrase("zones.damaged", where=str(file))) from error


def write_zones(file: Path, tables: Mapping[str, Laid]) -> None:
    """Keeps them. Raises `ConfigError`."""
    told = {"version": ZONES_VERSION, "tables": {key: write_laid(laid) for key, laid in tables.items()}}
    try:
        write_whole(file, json.dumps(told).encode())
    except OSError as error:
        raise ConfigError(phrase("settings.unwritable", where=str(file), given=str(error.strerror))) from error


def write_laid(laid: Laid) -> dict[str, Any]:
    """It as a JSON value."""
    return {"at": laid.at_mm, "turn": laid.turn_deg, "moved": dict(laid.moved)}


def read_laid(told: Any) -> Laid:
    """The same again. Raises `InvalidError` when a zone has no inside, or lies on no table."""
    try:
        moved = {str(spot): _corners(corners) for spot, corners in told.get("moved", {}).items()}
        laid = Laid(_point(told["at"]), _number(told.get("turn", 0.0)) % 360.0, moved)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InvalidError(phrase("zones.invalid")) from error
    if len(moved) > MAX_MOVED or not all(map(_is_convex, moved.values())):
        raise InvalidError(phrase("zones.invalid"))
    return laid


def _corners(told: Any) -> Corners:
    a, b, c, d = (_point(each) for each in told)
    return a, b, c, d


def _point(told: Any) -> Point:
    x, y = told
    return _number(x), _number(y)


def _number(told: Any) -> float:
    if isinstance(told, bool) or not isinstance(told, (int, float)) or not math.isfinite(told) or abs(told) > MAX_MM:
        raise ValueError(told)
    return float(told)


def _is_convex(corners: Corners) -> bool:
    """Whether it turns left at each corner, and holds something."""
    turns = []
    for (ax, ay), (bx, by), (cx, cy) in zip(corners, corners[1:] + corners[:1], corners[2:] + corners[:2]):
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1])) / 2
    return min(turns) > 0 and area >= LEAST_MM2
