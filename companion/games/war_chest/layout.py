"""Where things lie, in millimetres: the board in the middle; supply, discards and markers of each seat along its edge.

Zones have the names that picture sets use.
"""

from __future__ import annotations

from typing import Final, cast

from companion.engine import Json
from companion.games.war_chest.board import Faction, Hex, board, point
from companion.games.war_chest.views import spot
from companion.table import BOARD_KIND, Body, Heap, Layout, PieceKind, Place, Point, Zone

BOARD_MM: Final = (446.0, 326.0, 2.0)
BOARD_TURN_DEG: Final[dict[Faction, float]] = {"wolf": 0.0, "raven": 180.0}
"""How the print is turned when this faction has its edge at the front."""
CIRCUMRADIUS_MM: Final = 25.17
COIN_MM: Final = (30.0, 30.0)
STACK: Final = 6
"""A stack has as many coins as its unit at most."""
DEPTH_MM: Final = 52.0
"""Of the strip along an edge in which a seat's coins lie."""
GAP_MM: Final = 10.0
"""Between the board and the strip."""

_STRIPS: Final = {
    2: (("supply", 33.0, 185.0), ("discard", 218.0, 50.0), ("markers", 268.0, 80.0), ("initiative", 348.0, 55.0)),
    4: (("supply", 0.0, 123.0), ("discard", 123.0, 50.0), ("initiative", 173.0, 50.0)),
}
"""Zones from the seat's left to right: name, begin and width. With four players a strip is half an edge."""
_KINDS: Final = {"supply": ("coin",), "discard": ("coin",), "markers": ("marker",), "initiative": ("marker",)}
_HEAPS: Final[dict[str, Heap]] = {"supply": "alike", "discard": "pile", "markers": "alike", "initiative": "spread"}


KINDS: Final = (BOARD_KIND, PieceKind("coin"), PieceKind("marker", heads=("initiative",)))


def layout(setup: Json) -> Layout:
    """The layout for this set-up; seat 0's faction has its edge at the front."""
    players, front = len(setup["units"]), cast(Faction, setup["factions"][0])
    beside = DEPTH_MM + GAP_MM if players == 4 else 0.0
    strip = DEPTH_MM + GAP_MM
    middle = (beside + BOARD_MM[0] / 2, strip + BOARD_MM[1] / 2)
    hexes = sorted(board(players).hexes)
    places = [_place("hex", at, "coin", middle, front) for at in hexes]
    places += [_place("marker", at, "marker", middle, front) for at in hexes if at in board(players).locations]
    zones = [zone for seat in range(players) for zone in _strip(seat, players, beside, strip)]
    if players == 4:
        zones += [_markers(side, middle) for side in (0, 1)]
    return Layout(
        bodies=(Body("board", "board:wc", middle, BOARD_MM, BOARD_TURN_DEG[front]),),
        places=tuple(places),
        zones=tuple(zones),
        size_mm=(2 * middle[0], 2 * middle[1]),
        block="board",
        kinds=KINDS,
    )


def _place(kind: str, at: Hex, holds: str, middle: Point, front: Faction) -> Place:
    x, y = point(at, front)
    at_mm = (middle[0] + CIRCUMRADIUS_MM * x, middle[1] + CIRCUMRADIUS_MM * y)
    if kind == "marker":
        return Place(spot(kind, at), at_mm, COIN_MM, (holds,), "round", on="board", floor_mm=BOARD_MM[2],
                     under=spot("hex", at))
    size = (2 * CIRCUMRADIUS_MM, 3 ** 0.5 * CIRCUMRADIUS_MM)
    return Place(spot(kind, at), at_mm, size, (holds,), "hex", on="board", floor_mm=BOARD_MM[2], stack=STACK)


def _strip(seat: int, players: int, beside: float, strip: float) -> list[Zone]:
    """A seat's zones. Seat 0 sits at the front, its left half with four players, the others follow clockwise."""
    width, depth = BOARD_MM[0] + 2 * beside, BOARD_MM[1] + 2 * strip
    is_back = seat in (1, 2) if players == 4 else seat == 1
    # As each seat sees its own edge, seats 0 and 2 have the left half of it, seats 1 and 3 the right half.
    begin = beside + (BOARD_MM[0] / 2 if players == 4 and seat in (1, 3) else 0.0)
    zones = []
    for name, from_left, wide in _STRIPS[players]:
        left, right = begin + from_left, begin + from_left + wide
        low, high = 0.0, DEPTH_MM
        if is_back:
            left, right, low, high = width - right, width - left, depth - high, depth - low
        zones.append(_zone(f"{name}:{seat}", left, right, low, high, seat))
    return zones


def _markers(side: int, middle: Point) -> Zone:
    """The markers of a team lie left (side 0) or right of the board."""
    left = 0.0 if side == 0 else 2 * middle[0] - DEPTH_MM
    return _zone(f"markers:{side}", left, left + DEPTH_MM, middle[1] - 60, middle[1] + 60, None)


def _zone(name: str, left: float, right: float, low: float, high: float, seat: int | None) -> Zone:
    corners = ((left, low), (right, low), (right, high), (left, high))
    kind = name.partition(":")[0]
    return Zone(name, corners, _KINDS[kind], seat, _HEAPS[kind])
