"""Where things lie in Pick & Pack, in millimetres: the board with its grid, packing crates and rush orders before it.

Seat 0 (red) sits in front, seat 1 (blue) behind; blue's side is red's, turned round the middle of the board.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from companion.engine.form import CELLS
from companion.games.pick_and_pack.state import CRATES, ENDS, SIZE
from companion.table import BOARD_KIND, Body, Emblem, Layout, PieceKind, Place, Point, Stroke, Zone

SEAT_COLOURS: Final = ("red", "blue")
GRABBER: Final = "grabber"

FRUIT: Final = Emblem(
    (
        Stroke("M-33 3A33 33 0 1 1 33 3A33 33 0 1 1 -33 3Z", fill="#C8321F"),
        Stroke("M0 -30q10 -16 20 -10", stroke="#3F7A2E", width=6),
    ),
    ink="#FFFFFF",
)
KINDS: Final = (
    BOARD_KIND,
    PieceKind("packing_crate", found="print", drawn="board", lettered=False, heads=("packing",)),
    PieceKind("tray", outline="square", emblem=FRUIT),
    PieceKind("tile", outline="square"),
    PieceKind(GRABBER, "upright", drawn="pawn", lettered=False, paint="black"),
)

BOARD_MM: Final = (296.0, 296.0, 2.0)
TILE_MM: Final = (30.0, 30.0)
PITCH_MM: Final = 32.0
END_AWAY_MM: Final = 128.0
"""From the middle of the board to the tiles at its ends."""
PACKING_MM: Final = (42.0, 42.0, 1.5)
STACK: Final = 4
"""Trays in a packing crate, and the tile that closes it; more are rare."""
PACKING_X_MM: Final = (-105.0, -55.0, -5.0, 45.0)
PACKING_AWAY_MM: Final = 181.0
RUSH_X_MM: Final = 130.0
RUSH_MM: Final = (80.0, 48.0)

SIZE_MM: Final = (348.0, 2 * (PACKING_AWAY_MM + 24.0))
MIDDLE: Final = (SIZE_MM[0] / 2 - 4.0, SIZE_MM[1] / 2)


@cache
def layout() -> Layout:
    """All spots; they are the same for every set-up."""
    board = Body("board", "board:pp", MIDDLE, BOARD_MM)
    packing = [_packing_crate(seat, number) for seat in (0, 1) for number in CRATES]
    places = [_cell(index) for index in range(SIZE * SIZE)]
    places += [_end(seat, end, line) for seat in (0, 1) for end in ENDS[seat] for line in range(1, SIZE + 1)]
    places += [_packed(seat, number) for seat in (0, 1) for number in CRATES]
    return Layout((board, *packing), tuple(places), (_rush(0), _rush(1)), SIZE_MM, kinds=KINDS)


def _cell(index: int) -> Place:
    row, column = divmod(index, SIZE)
    at = (MIDDLE[0] + (column - 2.5) * PITCH_MM, MIDDLE[1] + (row - 2.5) * PITCH_MM)
    return Place(f"grid:{CELLS[index]}", at, TILE_MM, ("tray", "grabber"), on="board", floor_mm=BOARD_MM[2],
                 stack=2)


def _end(seat: int, end: str, line: int) -> Place:
    along = (line - 3.5) * PITCH_MM
    x, y = {
        "bottom": (along, -END_AWAY_MM), "top": (along, END_AWAY_MM),
        "left": (-END_AWAY_MM, along), "right": (END_AWAY_MM, along),
    }[end]
    at = (MIDDLE[0] + x, MIDDLE[1] + y)
    return Place(
        f"end:{end}:{line}", at, TILE_MM, ("tile",), on="board", floor_mm=BOARD_MM[2], turn_deg=180.0 * seat
    )


def _from_seat(seat: int, x: float, y: float) -> Point:
    """A point as the seat sees it, from the middle of the board."""
    return (MIDDLE[0] + x, MIDDLE[1] + y) if seat == 0 else (MIDDLE[0] - x, MIDDLE[1] - y)


def _packing_crate(seat: int, number: int) -> Body:
    at = _from_seat(seat, PACKING_X_MM[number - 1], -PACKING_AWAY_MM)
    return Body(f"packing_crate:{seat}:{number}", f"packing:{SEAT_COLOURS[seat]}", at, PACKING_MM, 180.0 * seat)


def _packed(seat: int, number: int) -> Place:
    crate = _packing_crate(seat, number)
    return Place(
        f"packing:{seat}:{number}", crate.at_mm, PACKING_MM[:2], ("tray", "tile"), on=crate.spot,
        floor_mm=PACKING_MM[2], turn_deg=180.0 * seat, stack=STACK,
    )


def _rush(seat: int) -> Zone:
    x, y = _from_seat(seat, RUSH_X_MM, -PACKING_AWAY_MM)
    w, d = RUSH_MM[0] / 2, RUSH_MM[1] / 2
    return Zone(f"rush:{seat}", ((x - w, y - d), (x + w, y - d), (x + w, y + d), (x - w, y + d)), ("tile",), seat)
