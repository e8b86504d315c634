"""The six action tiles: a table of what each may be aimed at and what it does (PP 4).

A *target* is the further keys of an `activate`, by the names of its fields; `{}` for a tile that has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.form import CELLS
from companion.games.pick_and_pack.actions import Activate
from companion.games.pick_and_pack.state import (
    ENDS,
    FACE_DOWN,
    PLAYED,
    SIZE,
    PackingCrate,
    State,
    cell_index,
    emptiest_crates,
    is_unplayed,
    open_crates,
    other,
    with_crate,
    with_one,
    with_seat,
    with_tile,
)

Target = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Power:
    """What a tile can do: its possible targets now, and its effect on one of them."""

    rule: str
    targets: Callable[[State], Iterator[Target]]
    effect: Callable[[State, Activate], State]
    leaves: bool = False
    """It is taken away from its end; other tiles stay there, face down."""


def aims(state: State, tile: str) -> list[Target]:
    """All ways to aim a tile now; one empty target where there is none (PP 4.9)."""
    return list(POWERS[tile].targets(state)) or [{}]


def use(state: State, tile: str, action: Activate) -> State:
    """The tile does what it does, unless there is no target for it, and lies face down or is gone."""
    power = POWERS[tile]
    has_target = next(power.targets(state), None) is not None
    after = power.effect(state, action) if has_target else state
    seat, cell = state.on_turn, cell_index(action.to)
    line = cell % SIZE if seat == 0 else cell // SIZE
    left = None if power.leaves and has_target else PLAYED
    return replace(after, tiles=with_tile(after, seat, action.end, line, left))


# PP 4.3: premium

def _premium_targets(state: State) -> Iterator[Target]:
    return ({"crate": number} for number in open_crates(state, state.on_turn))


def _premium(state: State, action: Activate) -> State:
    return _close(state, state.on_turn, action.crate or 0, "premium")


# PP 4.4: wholesale

def _wholesale_targets(state: State) -> Iterator[Target]:
    return ({"crate": number} for number in open_crates(state, other(state.on_turn)))


def _wholesale(state: State, action: Activate) -> State:
    return _close(state, other(state.on_turn), action.crate or 0, "wholesale")


def _close(state: State, seat: int, number: int, closed: Any) -> State:
    crate = replace(state.crates[seat][number - 1], closed=closed)
    return replace(state, crates=with_crate(state, seat, number, crate))


# PP 4.5: rush order

def _rush_order_targets(_: State) -> Iterator[Target]:
    return iter([{}])


def _rush_order(state: State, _: Activate) -> State:
    seat = state.on_turn
    return replace(state, stored=with_seat(state.stored, seat, state.stored[seat] + 1))


# PP 4.6: quality control

def _quality_control_targets(state: State) -> Iterator[Target]:
    emptiest = emptiest_crates(state, state.on_turn)
    return (
        {"from_": theirs, "crate": mine}
        for theirs in open_crates(state, other(state.on_turn), with_tray=True) for mine in emptiest
    )


def _quality_control(state: State, action: Activate) -> State:
    me, you = state.on_turn, other(state.on_turn)
    theirs, mine = state.crates[you][(action.from_ or 0) - 1], state.crates[me][(action.crate or 0) - 1]
    taken = replace(state, crates=with_crate(state, you, action.from_ or 0, PackingCrate(theirs.trays[:-1])))
    got = PackingCrate((*mine.trays, theirs.trays[-1]))
    return replace(taken, crates=with_crate(taken, me, action.crate or 0, got))


# PP 4.7: order mix-up

def _order_mixup_targets(state: State) -> Iterator[Target]:
    own = open_crates(state, state.on_turn, with_tray=True)
    return (
        {"theirs": theirs, "mine": mine}
        for theirs in open_crates(state, other(state.on_turn), with_tray=True) for mine in own
    )


def _order_mixup(state: State, action: Activate) -> State:
    me, you = state.on_turn, other(state.on_turn)
    theirs, mine = state.crates[you][(action.theirs or 0) - 1].trays, state.crates[me][(action.mine or 0) - 1].trays
    given = with_crate(state, you, action.theirs or 0, PackingCrate((*theirs[:-1], mine[-1])))
    return replace(
        state, crates=with_crate(
            replace(state, crates=given), me, action.mine or 0, PackingCrate((*mine[:-1], theirs[-1]))
        )
    )


# PP 4.8: malfunction

def _malfunction_targets(state: State) -> Iterator[Target]:
    for cell, apples in zip(CELLS, state.trays):
        if apples > 0:
            yield {"tray": cell}
    you = other(state.on_turn)
    for end, row in zip(ENDS[you], state.tiles[you]):
        for line, tile in enumerate(row, start=1):
            if is_unplayed(tile):
                yield {"tile": (end, line)}


def _malfunction(state: State, action: Activate) -> State:
    if action.tray is not None:
        return replace(state, trays=with_one(state.trays, cell_index(action.tray), FACE_DOWN))
    end, line = action.tile or ("", 0)
    return replace(state, tiles=with_tile(state, other(state.on_turn), end, line - 1, PLAYED))


POWERS: Mapping[str, Power] = {
    "premium": Power("PP 4.3", _premium_targets, _premium, leaves=True),
    "wholesale": Power("PP 4.4", _wholesale_targets, _wholesale, leaves=True),
    "rush_order": Power("PP 4.5", _rush_order_targets, _rush_order, leaves=True),
    "quality_control": Power("PP 4.6", _quality_control_targets, _quality_control),
    "order_mixup": Power("PP 4.7", _order_mixup_targets, _order_mixup),
    "malfunction": Power("PP 4.8", _malfunction_targets, _malfunction),
}
