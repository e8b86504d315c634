"""Where things lie: six crates as a 6×6 grid of slots, a stock for each seat around it. Millimetres."""

from __future__ import annotations

from typing import Final

from companion.engine.form import CELLS
from companion.table import CRATE_KIND, DRINK_KIND, Body, Layout, Place, Point, Zone
from companion.table.crate import CRATE_MM, FLOOR_MM, SLOT_MM, slot_mm

BLOCK_MM: Final = (3 * CRATE_MM[0], 2 * CRATE_MM[1])
STOCK_MM: Final = (84.0, 64.0)
GAP_MM: Final = 14.0

_SIDES: Final = {
    2: ("front", "back"),
    3: ("front", "left", "right"),
    4: ("front", "left", "back", "right"),
    5: ("front", "left", "back left", "back right", "right"),
    6: ("front left", "left", "back left", "back right", "right", "front right"),
}
"""Where the seats' stocks lie: seat 0 at the front edge, then clockwise."""


def layout(seats: int) -> Layout:
    """The layout for so many seats. Crates are counted from left to right, the front row first."""
    stocks = [_offset(side) for side in _SIDES[seats]]
    left = min([-BLOCK_MM[0] / 2, *(x - STOCK_MM[0] / 2 for x, _ in stocks)])
    right = max([BLOCK_MM[0] / 2, *(x + STOCK_MM[0] / 2 for x, _ in stocks)])
    front = min([-BLOCK_MM[1] / 2, *(y - STOCK_MM[1] / 2 for _, y in stocks)])
    back = max([BLOCK_MM[1] / 2, *(y + STOCK_MM[1] / 2 for _, y in stocks)])
    middle = (-left, -front)
    return Layout(
        bodies=tuple(_crate(number, middle) for number in range(1, 7)),
        places=tuple(_slot(cell, middle) for cell in CELLS),
        zones=tuple(_stock(seat, offset, middle) for seat, offset in enumerate(stocks)),
        size_mm=(right - left, back - front),
        block="grid",
        kinds=(DRINK_KIND, CRATE_KIND),
    )


def _offset(side: str) -> Point:
    """The centre of a stock, from the middle of the block."""
    beside = BLOCK_MM[0] / 2 + GAP_MM + STOCK_MM[0] / 2
    before = BLOCK_MM[1] / 2 + GAP_MM + STOCK_MM[1] / 2
    half = (STOCK_MM[0] + GAP_MM) / 2
    return {
        "front": (0.0, -before), "front left": (-half, -before), "front right": (half, -before),
        "back": (0.0, before), "back left": (-half, before), "back right": (half, before),
        "left": (-beside, 0.0), "right": (beside, 0.0),
    }[side]


def _crate(number: int, middle: Point) -> Body:
    row, column = divmod(number - 1, 3)
    at = (middle[0] + (column - 1) * CRATE_MM[0], middle[1] + (row - 0.5) * CRATE_MM[1])
    return Body(f"crate:{number}", "crate", at, CRATE_MM)


def _slot(cell: str, middle: Point) -> Place:
    x, y = "abcdef".index(cell[0]), int(cell[1]) - 1
    crate = _crate(1 + x // 2 + 3 * (y // 3), middle)
    own = slot_mm(x % 2, y % 3)
    at = (crate.at_mm[0] + own[0], crate.at_mm[1] + own[1])
    return Place(f"grid:{cell}", at, SLOT_MM, ("drink",), on=crate.spot, floor_mm=FLOOR_MM)


def _stock(seat: int, offset: Point, middle: Point) -> Zone:
    x, y = middle[0] + offset[0], middle[1] + offset[1]
    wide, deep = STOCK_MM[0] / 2, STOCK_MM[1] / 2
    corners = ((x - wide, y - deep), (x + wide, y - deep), (x + wide, y + deep), (x - wide, y + deep))
    return Zone(f"stock:{seat}", corners, ("drink",), seat)
