"""Where things lie in Yuzu Twist, in millimetres: a lattice of cells for the crates, their slots, the stock cards.

Crates wander, so they are no bodies with a fixed place: a crate is a piece that stands on a cell, and slots are places
on cells. The lattice reaches `SPARE` cells beyond the start on every side; a group that has wandered farther is drawn
shifted back (`shown_shift`): on a table only how crates stand to each other can be seen.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from companion.games.yuzu_twist.state import DEEP, LETTERS, WIDE, Cell, Slot, slots_of
from companion.table import CRATE_KIND, DRINK_KIND, Layout, PieceKind, Place, Point, Zone
from companion.table.crate import CRATE_MM, FLOOR_MM, SLOT_MM, slot_mm

CRATE: Final = "crate"
CARD_BACK: Final = "card:back"
KINDS: Final = (DRINK_KIND, CRATE_KIND, PieceKind("card", outline="card"))

SPARE: Final = 3
COLUMNS: Final = range(-SPARE, 3 + SPARE)
ROWS: Final = range(-SPARE, 2 + SPARE)

CARDS_MM: Final = (160.0, 72.0)
"""Room for three stock cards side by side."""
GAP_MM: Final = 8.0

_SIDES: Final = {
    1: ("front",),
    2: ("front", "back"),
    3: ("front", "back left", "back right"),
    4: ("front left", "back left", "back right", "front right"),
    5: ("front", "front left", "back left", "back right", "front right"),
    6: ("front", "front left", "back left", "back", "back right", "front right"),
}
"""Where the seats' cards lie: seat 0 at the front edge, then clockwise."""


@cache
def layout(seats: int) -> Layout:
    """The layout for so many seats. A cell's place holds a crate, a slot's place lies on its cell."""
    cells = [(i, j) for j in ROWS for i in COLUMNS]
    places = [_cell(cell) for cell in cells]
    places += [_slot(cell, slot) for cell in cells for slot in slots_of(cell)]
    zones = tuple(_cards(seat, side) for seat, side in enumerate(_SIDES[seats]))
    return Layout((), tuple(places), zones, _size_mm(), block="crates", carriers=len(LETTERS), kinds=KINDS)


@lru_cache(4096)
def shown_shift(cells: tuple[Cell, ...]) -> Cell:
    """By how many cells the group is shifted to be shown on the lattice: 0, 0 unless it has wandered off it."""
    i, j = (
        max(0, on.start - min(cell[k] for cell in cells)) + min(0, on.stop - 1 - max(cell[k] for cell in cells))
        for k, on in enumerate((COLUMNS, ROWS))
    )
    return i, j


def _lattice_mm() -> Point:
    return len(COLUMNS) * CRATE_MM[0], len(ROWS) * CRATE_MM[1]


def _size_mm() -> Point:
    wide, deep = _lattice_mm()
    return max(wide, 3 * CARDS_MM[0] + 2 * GAP_MM), deep + 2 * (CARDS_MM[1] + GAP_MM)


def _cell_at_mm(cell: Cell) -> Point:
    (wide, deep), (across, back) = _lattice_mm(), _size_mm()
    x = (across - wide) / 2 + (cell[0] - COLUMNS.start + 0.5) * CRATE_MM[0]
    y = (back - deep) / 2 + (cell[1] - ROWS.start + 0.5) * CRATE_MM[1]
    return x, y


def _cell(cell: Cell) -> Place:
    return Place(f"cell:{cell[0]},{cell[1]}", _cell_at_mm(cell), CRATE_MM[:2], ("crate",))


def _slot(cell: Cell, slot: Slot) -> Place:
    x, y = _cell_at_mm(cell)
    own = slot_mm(slot[0] % WIDE, slot[1] % DEEP)
    at = (x + own[0], y + own[1])
    return Place(
        f"slot:{slot[0]},{slot[1]}", at, SLOT_MM, ("drink",), on=f"cell:{cell[0]},{cell[1]}", floor_mm=FLOOR_MM
    )


def _cards(seat: int, side: str) -> Zone:
    across, back = _size_mm()
    (wide, deep) = CARDS_MM
    x = across / 2 + (-wide - GAP_MM if "left" in side else wide + GAP_MM if "right" in side else 0.0)
    y = deep / 2 if "front" in side else back - deep / 2
    w, d = wide / 2, deep / 2
    return Zone(f"cards:{seat}", ((x - w, y - d), (x + w, y - d), (x + w, y + d), (x - w, y + d)), ("card",), seat)
