"""The frozen values of Pick & Pack, and the geometry of its grid. Cells are indices into `CELLS`: a1, b1 … f6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from companion.engine import Seat
from companion.engine.form import CELLS

RED: Final = 0
SIZE: Final = 6
CRATES: Final = (1, 2, 3, 4)

End = Literal["bottom", "top", "left", "right"]
"""At which end of a column or row a tile lies."""
Ends = tuple[End, End]
ENDS: Final[tuple[Ends, Ends]] = (("bottom", "top"), ("left", "right"))
"""By seat: the ends at which its tiles lie, in the order of the set-up."""

EMPTY_CELL: Final = 0
FACE_DOWN: Final = -1
"""A tray that was turned face down, in place of its apples."""

Tile = Literal["premium", "wholesale", "rush_order", "quality_control", "order_mixup", "malfunction"]
TILES: Final[tuple[Tile, ...]] = (
    "premium", "wholesale", "rush_order", "quality_control", "order_mixup", "malfunction",
)
PLAYED: Final = "back"
"""In place of a tile: it lies face down. None: it was taken away."""

Row = tuple[str | None, ...]
"""The tiles at one end, of line 1 … 6."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PackingCrate:
    """The apples of its trays, lowest first, and the tile that closed it, if one did."""

    trays: tuple[int, ...] = ()
    closed: Literal["premium", "wholesale"] | None = None

    @property
    def is_open(self) -> bool:
        """Whether trays may still come and go."""
        return self.closed is None


Crates = tuple[PackingCrate, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table."""

    on_turn: Seat
    trays: tuple[int, ...]
    """Apples on each cell, or `EMPTY_CELL` or `FACE_DOWN`."""
    grabber: int
    tiles: tuple[tuple[Row, Row], tuple[Row, Row]]
    """By seat, then by its ends as in `ENDS`."""
    crates: tuple[Crates, Crates] = ((PackingCrate(),) * 4, (PackingCrate(),) * 4)
    stored: tuple[int, int] = (0, 0)
    """Rush orders that can still be used."""
    spent: tuple[int, int] = (0, 0)
    """Rush orders that were used."""
    usable: int = 0
    """Rush orders that the seat on turn may still use in this turn: those stored before it began."""
    may_rush: bool = False
    """The last move is done, and the seat on turn says whether it uses a rush order."""
    over: str = ""
    """Why the game has ended, once it has."""


def other(seat: Seat) -> Seat:
    """The other player's seat."""
    return 1 - seat


def crossing_line(seat: Seat, cell: int) -> int:
    """The line across the seat's way that a cell lies on, from 0: red's column, blue's row (PP 2.4)."""
    row, column = divmod(cell, SIZE)
    return column if seat == RED else row


def way(seat: Seat, cell: int) -> Iterator[int]:
    """The other cells of the line along which the seat moves the grabber: red's row, blue's column (PP 2.1)."""
    row, column = divmod(cell, SIZE)
    line = range(row * SIZE, (row + 1) * SIZE) if seat == RED else range(column, SIZE * SIZE, SIZE)
    return (each for each in line if each != cell)


def unplayed_ends(state: State, seat: Seat, cell: int) -> list[End]:
    """The ends of the crossing line of a cell at which the seat has an unplayed tile."""
    line = crossing_line(seat, cell)
    return [end for end, row in zip(ENDS[seat], state.tiles[seat]) if is_unplayed(row[line])]


def is_unplayed(tile: str | None) -> bool:
    """Whether it lies face up at its end."""
    return tile is not None and tile != PLAYED


def open_crates(state: State, seat: Seat, *, with_tray: bool = False) -> list[int]:
    """The numbers of the seat's open crates; with `with_tray` only of those that hold one."""
    return [
        number for number, crate in zip(CRATES, state.crates[seat])
        if crate.is_open and (crate.trays or not with_tray)
    ]


def emptiest_crates(state: State, seat: Seat) -> list[int]:
    """The seat's open crates with the fewest trays (PP 3.2)."""
    crates = state.crates[seat]
    numbers = open_crates(state, seat)
    fewest = min((len(crates[number - 1].trays) for number in numbers), default=0)
    return [number for number in numbers if len(crates[number - 1].trays) == fewest]


def cell_index(cell: str) -> int:
    """Where a cell stands in `CELLS`."""
    return _INDEX[cell]


_INDEX: Final = {cell: index for index, cell in enumerate(CELLS)}


def with_one(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with one replaced."""
    return (*values[:index], value, *values[index + 1 :])


def with_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """The pair with the seat's part replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def with_crate(state: State, seat: Seat, number: int, crate: PackingCrate) -> tuple[Crates, Crates]:
    """All crates, with one of the seat's replaced."""
    return with_seat(state.crates, seat, with_one(state.crates[seat], number - 1, crate))


def with_tile(
    state: State, seat: Seat, end: str, line: int, tile: str | None
) -> tuple[tuple[Row, Row], tuple[Row, Row]]:
    """All tiles, with the seat's one at an end of a line (from 0) replaced."""
    which = ENDS[seat].index(end)
    rows = state.tiles[seat]
    return with_seat(state.tiles, seat, with_seat(rows, which, with_one(rows[which], line, tile)))
