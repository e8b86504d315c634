"""Where things lie in Nine Men's Morris, in millimetres: the board with its lines, and two trays on each side of it."""

from __future__ import annotations

from companion.table import BOARD_KIND, Body, Layout, PieceKind, Place, Zone
from nine_mens_morris.rules import LINES, POINTS

STEP_MM, BOARD_MM, MAN_MM = 32.0, (220.0, 220.0, 3.0), 22.0
TRAY_MM = (108.0, 80.0)
MIDDLE = (110.0, TRAY_MM[1] + 10.0 + 110.0)
SIZE_MM = (220.0, 2 * MIDDLE[1])
MAN = PieceKind("man", lettered=False)


def at_mm(point: str) -> tuple[float, float]:
    """Where a point of the board is."""
    return (MIDDLE[0] + STEP_MM * ("abcdefg".index(point[0]) - 3), MIDDLE[1] + STEP_MM * (int(point[1]) - 4))


def layout() -> Layout:
    """All spots. Seat 0 sits in front: its men in hand lie left of the men it took."""
    return Layout(
        bodies=(Body("board", "board:nm", MIDDLE, BOARD_MM),),
        places=tuple(Place(f"point:{point}", at_mm(point), (MAN_MM, MAN_MM), (MAN.name,), "round", on="board",
                           floor_mm=BOARD_MM[2]) for point in POINTS),
        zones=tuple(_tray(name, seat) for seat in (0, 1) for name in ("hand", "taken")),
        size_mm=SIZE_MM,
        block="board",
        kinds=(BOARD_KIND, MAN),
        lines=tuple(tuple(at_mm(point) for point in line) for line in LINES),
    )


def _tray(name: str, seat: int) -> Zone:
    left, low = (0.0 if name == "hand" else SIZE_MM[0] - TRAY_MM[0]), 0.0
    right, high = left + TRAY_MM[0], low + TRAY_MM[1]
    if seat == 1:  # the other player sees the same
        left, right, low, high = SIZE_MM[0] - right, SIZE_MM[0] - left, SIZE_MM[1] - high, SIZE_MM[1] - low
    return Zone(f"{name}:{seat}", ((left, low), (right, low), (right, high), (left, high)), (MAN.name,), seat)
