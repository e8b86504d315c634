"""The state of Kamikaze Cans: the grid with its 36 cells, and the stocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from companion.engine import Seat
from companion.engine.form import CELLS
from companion.table import SHAPES, Drink, colour_of, shape_of

FUSES: Final = ("short_can", "tall_can")
"""The cans that a player may explode (KC 5.1)."""

Grid = tuple[Drink | None, ...]
"""What stands on each cell, in the order of `CELLS`: a1, b1 … f6."""

INDEX: Final = {cell: index for index, cell in enumerate(CELLS)}
_SIZE: Final = 6


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same all game: the seats' colours and the options."""

    colours: tuple[str, ...]
    stub_cans_chain: bool
    quiet_limit: int | None


@dataclass(frozen=True, slots=True)
class State:
    """`seat` is to move; `moves_in_row` counts the moves since the last drink was placed or exploded."""

    rules: Rules
    seat: Seat
    grid: Grid
    stocks: tuple[tuple[Drink, ...], ...]
    moves_in_row: int = 0

    def is_own(self, drink: Drink) -> bool:
        """Whether the drink is of the seat that is to move."""
        return colour_of(drink) == self.rules.colours[self.seat]


@cache
def height(drink: Drink) -> int:
    """Where the drink stands in the order of heights, the stub can at 0 (KC 4.5)."""
    return SHAPES.index(shape_of(drink))


def with_cell(grid: Grid, index: int, drink: Drink | None) -> Grid:
    """The grid with that on the cell."""
    return (*grid[:index], drink, *grid[index + 1 :])


def _ray(index: int, dx: int, dy: int) -> tuple[int, ...]:
    """The cells from `index` on in one direction, to the edge."""
    y, x = divmod(index, _SIZE)
    steps = range(1, _SIZE)
    return tuple(
        (y + dy * step) * _SIZE + x + dx * step
        for step in steps
        if 0 <= x + dx * step < _SIZE and 0 <= y + dy * step < _SIZE
    )


RAYS: Final = tuple(
    tuple(_ray(index, dx, dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))) for index in range(len(CELLS))
)
"""From each cell the cells in the four directions."""
AROUND: Final = tuple(
    tuple(
        other
        for other in range(len(CELLS))
        if other != index
        and abs(other % _SIZE - index % _SIZE) <= 1
        and abs(other // _SIZE - index // _SIZE) <= 1
    )
    for index in range(len(CELLS))
)
"""The 8 neighbours of each cell, fewer at the edge."""
