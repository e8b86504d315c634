"""Which plies of a turn may have led to what stands on the table: a turn has over a million futures, too many to list.

The crate ply shows in where crates stand, up to a shift of the whole group; what is left is a permutation of the
drinks, and the swaps that make it are few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from companion.engine import Over, Ply
from companion.games.yuzu_twist import rules
from companion.games.yuzu_twist.actions import Action, Done, Swap
from companion.games.yuzu_twist.state import DEEP, SWAPS, WIDE, Cell, Slot, State, drinks_by_slot
from companion.table import Drink, Placement

Plies = tuple[Ply[Action], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """What stands on the table: crates by cell, drinks by slot, as far as they were seen."""

    cells: frozenset[Cell]
    drinks: Mapping[Slot, Drink]


def read_table(placement: Placement) -> Table:
    """The crates and drinks of a placement."""
    cells: set[Cell] = set()
    drinks: dict[Slot, Drink] = {}
    for spot, pieces in placement.items():
        kind, _, name = spot.partition(":")
        if kind in ("cell", "slot") and pieces:
            first, second = map(int, name.split(","))
            if kind == "cell":
                cells.add((first, second))
            else:
                drinks[first, second] = pieces[-1]
    return Table(frozenset(cells), drinks)


def explain(state: State, placement: Placement) -> list[Plies]:
    """Legal plies that lead to the placement, the fewest first: the rest of this turn, or its end and the next turn.

    A slot that the placement does not name was not seen and may hold anything.
    """
    table = read_table(placement)
    if not table.cells or isinstance(rules.turn(state), Over):
        return []
    found = list(_turns(state, table))
    if state.step > 0:
        done: Ply[Action] = Ply(state.on_turn, Done())
        after = rules.apply(state, done)
        if not isinstance(rules.turn(after), Over):
            found += [(done, *plies) for plies in _turns(after, table)]
    return sorted((plies for plies in found if plies), key=len)


def _turns(state: State, table: Table) -> Iterator[Plies]:
    """What may have been done in the rest of the turn."""
    if state.step > 0:
        yield from _swaps(state, table, SWAPS + 1 - state.step)
        return
    for ply in rules.legal(state):
        after = rules.apply(state, ply)
        yield from ((ply, *swaps) for swaps in _swaps(after, table, SWAPS))


def _swaps(state: State, table: Table, left: int) -> Iterator[Plies]:
    """Up to `left` swaps that bring every drink that was seen to where it was seen."""
    shift = _shift(state, table)
    if shift is None:
        return
    stand = drinks_by_slot(state)
    wrong = [
        slot for slot, drink in stand.items()
        if table.drinks.get((slot[0] + shift[0], slot[1] + shift[1]), drink) != drink
    ]
    if not wrong:
        yield ()
    elif left and len(wrong) <= 2 * left and not isinstance(rules.turn(state), Over):
        for a, b in sorted(_pairs(wrong, stand)):
            ply: Ply[Action] = Ply(state.on_turn, Swap(a, b))
            yield from ((ply, *swaps) for swaps in _swaps(rules.apply(state, ply), table, left - 1))


def _pairs(wrong: list[Slot], stand: Mapping[Slot, Drink]) -> set[tuple[Slot, Slot]]:
    """The swaps of a drink that stands wrong with any neighbour."""
    near = ((slot, (slot[0] + dx, slot[1] + dy)) for slot in wrong for dx, dy in product((-1, 0, 1), repeat=2))
    return {(min(a, b), max(a, b)) for a, b in near if a != b and b in stand}


def _shift(state: State, table: Table) -> Slot | None:
    """By how many slots the crates on the table lie beside where the state has them; None: they stand otherwise."""
    i, j = (min(cell[k] for cell in table.cells) - min(cell[k] for cell in state.cells) for k in (0, 1))
    if {(cell[0] + i, cell[1] + j) for cell in state.cells} != table.cells:
        return None
    return WIDE * i, DEEP * j
