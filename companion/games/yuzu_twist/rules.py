"""The rules of Yuzu Twist, in the order of RULES.md: whose turn it is, what is legal, what a ply does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NoReturn, TypeVar

from companion.engine import Over, Ply, ScorePart, ScoreParts, Seat, ToMove, Turn
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.yuzu_twist.actions import Action, Crate, Done, Swap
from companion.games.yuzu_twist.state import (
    LETTERS,
    SWAPS,
    Cell,
    Slot,
    State,
    around,
    complete_colours,
    connected,
    find,
    slots_of,
    told_by,
)
from companion.table import seat_phrase

T = TypeVar("T")

CRATE_COMPLETED, ALL_COMPLETED, QUIET_LIMIT = "crate completed", "all crates completed", "quiet limit"
"""The reasons for which the game ends."""
REMEMBERED = 4096
"""How many lattices and pairs of cells are kept: the crates wander, so there is no end of them."""


# YT 2: the turn

def turn(state: State) -> Turn:
    """Who acts now, or how the game ended."""
    over = _over(state)
    if over is not None:
        return over
    asked = phrase("yt.ask_crate") if state.step == 0 else phrase("yt.ask_swap", left=SWAPS + 1 - state.step)
    return ToMove((state.on_turn,), asked)


def _over(state: State) -> Over | None:
    """How the game ended; None while it goes on."""
    if state.winners:
        return Over(state.winners, ALL_COMPLETED if state.solo else CRATE_COMPLETED)
    limit = state.terms.quiet_limit
    return Over((), QUIET_LIMIT) if limit is not None and state.turns >= limit else None


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply."""
    if _over(state) is not None:
        return
    if state.step == 0:
        yield from _legal_crates(state)
    else:
        yield from _legal_swaps(state)
        yield Ply(state.on_turn, Done())


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after a ply; raises `IllegalError` when a rule forbids it."""
    if _over(state) is not None:
        _forbid("YT 5.7", "over")
    if ply.player != state.on_turn:
        _forbid("YT 2.1", "not_on_turn", seat=seat_phrase(state.on_turn))
    match ply.action:
        case Crate(letter, to, half_turn):
            return _crate(state, letter, to, half_turn)
        case Swap(a, b):
            return _swap(state, a, b)
        case Done():
            if state.step == 0:
                _forbid("YT 2.2", "crate_first")
            return _end_turn(state)


def _end_turn(state: State) -> State:
    seat = (state.on_turn + 1) % len(state.terms.colours)
    return replace(state, on_turn=seat, step=0, turns=state.turns + 1)


def _forbid(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"yt.no.{reason}", **args))


# YT 3: the crate

def _legal_crates(state: State) -> Iterator[Ply[Action]]:
    for letter, here, targets in zip(LETTERS, state.cells, _targets(state.cells)):
        for to in targets:
            for half_turn in (False, True):
                if half_turn or to != here:
                    yield Ply(state.on_turn, Crate(letter, to, half_turn))


@lru_cache(REMEMBERED)
def _targets(cells: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], ...]:
    """For each crate the cells on which it may stand after its ply, its own among them (YT 3.1, YT 3.2)."""
    targets: list[tuple[Cell, ...]] = []
    for here in cells:
        others = [cell for cell in cells if cell != here]
        beside = {each for cell in others for each in around(cell)} | {here}
        targets.append(tuple(sorted(beside.difference(others))) if connected(others) else ())
    return tuple(targets)


def _crate(state: State, letter: str, to: Cell, half_turn: bool) -> State:
    if state.step != 0:
        _forbid("YT 2.2", "crate_moved")
    crate = LETTERS.index(letter)
    targets = _targets(state.cells)[crate]
    if not targets:
        _forbid("YT 3.1", "splits", drink=told_by(state, crate))
    if to == state.cells[crate] and not half_turn:
        _forbid("YT 3.3", "unchanged", drink=told_by(state, crate))
    if to not in targets:
        if to in state.cells:
            there = told_by(state, state.cells.index(to))
            _forbid("YT 3.2", "occupied", drink=told_by(state, crate), other=there)
        _forbid("YT 3.2", "not_beside", drink=told_by(state, crate))
    return replace(
        state, step=1, cells=_with(state.cells, crate, to),
        turned=_with(state.turned, crate, state.turned[crate] != half_turn),
    )


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with one replaced."""
    return (*values[:index], value, *values[index + 1 :])


# YT 4: the swaps

def _legal_swaps(state: State) -> Iterator[Ply[Action]]:
    for i, j in state.cells:
        for cell in ((i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1), (i + 1, j - 1)):
            if cell in state.cells:
                yield from _swaps_between(state.on_turn, (i, j), cell)


@lru_cache(REMEMBERED)
def _swaps_between(seat: Seat, one: Cell, other: Cell) -> tuple[Ply[Action], ...]:
    """All swaps of a slot of one cell with a slot of the other, which may be the same cell."""
    return tuple(
        Ply(seat, Swap(min(a, b), max(a, b)))
        for a, b in product(slots_of(one), slots_of(other))
        if neighbours(a, b) and (a < b or one != other)
    )


def neighbours(a: Slot, b: Slot) -> bool:
    """Whether two slots touch, along a side or at a corner (YT 4.1)."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def _swap(state: State, a: Slot, b: Slot) -> State:
    if state.step == 0:
        _forbid("YT 2.2", "crate_first")
    found = [find(state, slot) for slot in (a, b)]
    for slot, place in zip((a, b), found):
        if place is None:
            _forbid("YT 4.2", "no_drink", x=slot[0], y=slot[1])
    if not neighbours(a, b):
        _forbid("YT 4.1", "not_neighbours")
    (crate_a, slot_a), (crate_b, slot_b) = (place for place in found if place is not None)
    drinks = list(state.drinks)
    drink_a, drink_b = drinks[crate_a][slot_a], drinks[crate_b][slot_b]
    drinks[crate_a] = _with(drinks[crate_a], slot_a, drink_b)
    drinks[crate_b] = _with(drinks[crate_b], slot_b, drink_a)
    return look_for_end(replace(state, step=state.step + 1, drinks=tuple(drinks)))


# YT 5, YT 6: the end

def look_for_end(state: State) -> State:
    """What a swap led to: the game is won, the turn is over, or one more swap is due (YT 5.1)."""
    complete = sorted(complete_colours(state))
    if complete:
        winners = _solver(complete) if state.solo else _owners(state, complete)
        if winners:
            return replace(state, winners=winners, turns=state.turns + 1)
        if not state.solo:
            state = replace(state, nobodys=tuple(sorted({*state.nobodys, *complete})))
    return _end_turn(state) if state.step > SWAPS else state


def _solver(complete: list[str]) -> tuple[Seat, ...]:
    """The one player, once all six crates are complete (YT 6.1)."""
    return (0,) if len(complete) == len(LETTERS) else ()


def _owners(state: State, colours: list[str]) -> tuple[Seat, ...]:
    """The seats that own one of the colours, with their whole teams (YT 5.1 to YT 5.4)."""
    owners = {
        seat for seat, own in enumerate(state.terms.colours) if own is not None and not set(own).isdisjoint(colours)
    }
    for team in state.terms.teams or ():
        if not owners.isdisjoint(team):
            owners.update(team)
    return tuple(sorted(owners))


def scores(state: State) -> tuple[int, ...]:
    """One for each winner; alone, the turns so far (YT 5.5, YT 6.2)."""
    if state.solo:
        return (state.turns,)
    return tuple(int(seat in state.winners) for seat in range(len(state.terms.colours)))


def score_parts(state: State) -> ScoreParts:
    """What each winner completed, or whose team mate did; alone, the turns."""
    if state.solo:
        return ((ScorePart(phrase("yt.part_turns", turns=state.turns), state.turns, "YT 6.2"),),)
    return tuple((_won(state, seat),) if seat in state.winners else () for seat in range(len(state.terms.colours)))


def _won(state: State, seat: Seat) -> ScorePart:
    own = state.terms.colours[seat] or ()
    completed = tuple(colour for colour in sorted(complete_colours(state)) if colour in own)
    if completed:
        return ScorePart(phrase("yt.part_colours", colours=completed), 1, "YT 5.5")
    return ScorePart(phrase("yt.part_team"), 1, "YT 5.2")
