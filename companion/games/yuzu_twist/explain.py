"""Which plies of a turn may have led to what stands on the table: a turn has over a million futures, too many to list.

The crate ply shows in where crates stand, up to a shift of the whole group; what is left is a permutation of the
drinks, and the swaps that make it are few. Where a turn ended in between, its swaps came before the next one's crate:
they were made where the crates stood then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.engine import Over, Ply
from companion.games.yuzu_twist import rules
from companion.games.yuzu_twist.actions import Action, Done, Swap
from companion.games.yuzu_twist.state import DEEP, SLOTS, SWAPS, WIDE, Cell, Slot, State, find, slots_of
from companion.table import Drink, Placement

Plies = tuple[Ply[Action], ...]
Own = tuple[int, int]
"""A crate and one of its own slots: where a drink is, wherever its crate stands."""


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


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a turn: where the crates stand in it, and how many swaps it may have. `slots` says where on the table
    each own slot is."""

    state: State
    most: int
    slots: Mapping[Own, Slot]


def explain(state: State, placement: Placement) -> list[Plies]:
    """Plies that lead to the placement, the fewest first: the rest of this turn, or that and the next turn.

    A slot that the placement does not name was not seen and may hold anything.
    """
    table = read_table(placement)
    if not table.cells or isinstance(rules.turn(state), Over):
        return []
    found = list(_turn(state, table, ())) if state.step == 0 else list(_rest(state, table))
    return sorted((plies for plies in found if plies), key=len)


def _turn(state: State, table: Table, before: tuple[Stage, ...]) -> Iterator[Plies]:
    """A crate ply and its swaps, with the swaps of the turn `before` it, if one is given."""
    for ply in rules.legal(state):
        after = rules.apply(state, ply)
        if _shift(after, table) is None:
            continue
        for swaps in _swaps(table, (*before, _stage(after, SWAPS))):
            yield (*_ended(before, swaps[:-1]), ply, *_plies(after, swaps[-1]))


def _rest(state: State, table: Table) -> Iterator[Plies]:
    """The rest of a turn, or that and the next one."""
    rest = _stage(state, SWAPS + 1 - state.step)
    yield from (_plies(state, swaps) for swaps, in _swaps(table, (rest,)))
    ended = rules.apply(state, Ply(state.on_turn, Done()))
    if not isinstance(rules.turn(ended), Over):
        yield from _turn(ended, table, (rest,))


def _ended(before: tuple[Stage, ...], swaps: Sequence[Sequence[Swap]]) -> Plies:
    """The plies that ended a turn: its last swap does so by itself."""
    plies: Plies = ()
    for stage, made in zip(before, swaps):
        done: Plies = (Ply(stage.state.on_turn, Done()),) if len(made) < stage.most else ()
        plies = (*plies, *_plies(stage.state, made), *done)
    return plies


def _plies(state: State, swaps: Sequence[Swap]) -> Plies:
    return tuple(Ply(state.on_turn, swap) for swap in swaps)


def _stage(state: State, most: int) -> Stage:
    slots = {own: slot for cell in state.cells for slot in slots_of(cell) if (own := find(state, slot)) is not None}
    return Stage(state, most, slots)


def _swaps(table: Table, stages: tuple[Stage, ...]) -> Iterator[tuple[tuple[Swap, ...], ...]]:
    """The swaps of each stage, that together bring every drink that was seen to where it was seen."""
    last = stages[-1].state
    shift = _shift(last, table)
    if shift is None:
        return
    wanted = {
        own: drink for slot, drink in table.drinks.items()
        if (own := find(last, (slot[0] - shift[0], slot[1] - shift[1]))) is not None
    }
    stand = {(crate, slot): drinks[slot] for crate, drinks in enumerate(last.drinks) for slot in range(SLOTS)}
    yield from _mended(stand, wanted, stages, ())


def _mended(
    stand: Mapping[Own, Drink], wanted: Mapping[Own, Drink], stages: tuple[Stage, ...], made: tuple[Swap, ...]
) -> Iterator[tuple[tuple[Swap, ...], ...]]:
    """The same from drinks that stand elsewhere still; `made` are the swaps of the first stage so far."""
    wrong = [own for own, drink in wanted.items() if stand[own] != drink]
    left = sum(stage.most for stage in stages) - len(made)
    if len(wrong) > 2 * left:
        return
    if len(stages) > 1:
        yield from ((made, *later) for later in _mended(stand, wanted, stages[1:], ()))
    elif not wrong:
        yield (made,)
    if wrong and len(made) < stages[0].most:
        unseen = [own for own in stand if own not in wanted]
        for a, b in combinations([*wrong, *unseen], 2):
            slots = sorted((stages[0].slots[a], stages[0].slots[b]))
            if a in wanted and rules.neighbours(*slots):
                swapped = {**stand, a: stand[b], b: stand[a]}
                yield from _mended(swapped, wanted, stages, (*made, Swap(*slots)))


def _shift(state: State, table: Table) -> Slot | None:
    """By how many slots the crates on the table lie beside where the state has them; None: they stand otherwise."""
    i, j = (min(cell[k] for cell in table.cells) - min(cell[k] for cell in state.cells) for k in (0, 1))
    if {(cell[0] + i, cell[1] + j) for cell in state.cells} != table.cells:
        return None
    return WIDE * i, DEEP * j
