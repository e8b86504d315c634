"""The frozen values of Yuzu Twist, and the lattice on which its crates stand.

A *cell* `(i, j)` holds a crate; it covers six *slots* of the table, `(x, y)` with x in {2i, 2i + 1} and y in
{3j … 3j + 2}. The drinks of a crate are kept by its own slots, 0 to 5, so that they go with it when it moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from companion.engine import Seat
from companion.table import Drink, colour_of

Letter = Literal["A", "B", "C", "D", "E", "F"]
"""The name of a crate."""
LETTERS: Final[tuple[Letter, ...]] = ("A", "B", "C", "D", "E", "F")
WIDE, DEEP = 2, 3
"""The slots of a crate along x and y."""
SLOTS: Final = WIDE * DEEP
SWAPS: Final = 2
"""The swaps of a turn."""

Cell = tuple[int, int]
Slot = tuple[int, int]

START_CELLS: Final[tuple[Cell, ...]] = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes in a game. `colours[seat]` are a seat's own; None: this observer does not know them."""

    colours: tuple[tuple[str, ...] | None, ...]
    teams: tuple[tuple[Seat, ...], ...] | None
    blind: bool
    quiet_limit: int | None


@dataclass(frozen=True, slots=True)
class State:
    """Crates by letter, A first: where each stands, whether it is turned, and its six drinks by its own slots."""

    terms: Terms
    on_turn: Seat
    cells: tuple[Cell, ...]
    turned: tuple[bool, ...]
    drinks: tuple[tuple[Drink, ...], ...]
    step: int = 0
    """How many plies of this turn are done: 0, the crate is due; 1 or 2, a swap is."""
    turns: int = 0
    """The turns completed, of all seats together; a turn that ended the game is one."""
    winners: tuple[Seat, ...] = ()
    """Who has won, once the game is won."""
    nobodys: tuple[str, ...] = ()
    """Colours of which a crate was completed and that turned out to belong to nobody."""

    @property
    def solo(self) -> bool:
        """One player alone sorts all the colours."""
        return len(self.terms.colours) == 1


def find(state: State, slot: Slot) -> tuple[int, int] | None:
    """Which crate covers a slot of the table, and which of its own slots that is; None where no crate stands."""
    x, y = slot
    cell = (x // WIDE, y // DEEP)
    if cell not in state.cells:
        return None
    crate = state.cells.index(cell)
    own = WIDE * (y % DEEP) + x % WIDE
    return crate, SLOTS - 1 - own if state.turned[crate] else own


def drink_at(state: State, slot: Slot) -> Drink | None:
    """The drink in a slot of the table."""
    found = find(state, slot)
    return None if found is None else state.drinks[found[0]][found[1]]


def told_by(state: State, crate: int) -> Drink:
    """What a crate is told by in words, as it bears no sign of its own: the drink at its front left."""
    return state.drinks[crate][SLOTS - 1 if state.turned[crate] else 0]


@lru_cache(4096)
def slots_of(cell: Cell) -> tuple[Slot, ...]:
    """The six slots of the table that a cell covers, front row first, left to right."""
    i, j = cell
    return tuple((WIDE * i + col, DEEP * j + row) for row in range(DEEP) for col in range(WIDE))


def around(cell: Cell) -> tuple[Cell, ...]:
    """The four cells that share a side with a cell."""
    i, j = cell
    return ((i - 1, j), (i, j - 1), (i, j + 1), (i + 1, j))


def connected(cells: Collection[Cell]) -> bool:
    """Whether the crates on these cells hang together side by side; corners do not connect."""
    reached, edge = set(cells), [min(cells)]
    reached.discard(edge[0])
    while edge:
        for each in around(edge.pop()):
            if each in reached:
                reached.discard(each)
                edge.append(each)
    return not reached


@lru_cache(4096)
def one_colour(drinks: tuple[Drink, ...]) -> str | None:
    """The colour that all the drinks of a crate have; None when there are several."""
    colour = colour_of(drinks[0])
    return colour if all(colour_of(drink) == colour for drink in drinks) else None


def complete_colours(state: State) -> Iterator[str]:
    """The colours of the crates that are of one colour."""
    return (colour for drinks in state.drinks if (colour := one_colour(drinks)) is not None)
