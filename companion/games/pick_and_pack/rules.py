"""The rules of Pick & Pack, in the order of RULES.md: whose turn it is, what is legal, what a ply does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

from companion.engine import Over, Ply, ScorePart, ScoreParts, Seat, ToMove, Turn
from companion.engine.form import CELLS
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.pick_and_pack.actions import Action, Activate, EndTurn, Grab, Rush
from companion.games.pick_and_pack.state import (
    CRATES,
    EMPTY_CELL,
    ENDS,
    FACE_DOWN,
    PackingCrate,
    State,
    cell_index,
    crossing_line,
    emptiest_crates,
    is_unplayed,
    other,
    unplayed_ends,
    way,
    with_crate,
    with_one,
    with_seat,
)
from companion.games.pick_and_pack.tiles import POWERS, aims, use
from companion.table import seat_phrase

ALL_CLOSED, NO_MOVE = "all crates closed", "no legal move"
"""The reasons for which the game ends."""


# PP 2: the turn

def turn(state: State) -> Turn:
    """Who acts now, or how the game ended."""
    if state.over:
        points = scores(state)
        return Over(tuple(seat for seat in (0, 1) if points[seat] == max(points)), state.over)
    return ToMove((state.on_turn,), phrase("pp.ask_rush" if state.may_rush else "pp.ask_move"))


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply."""
    if state.over:
        return
    seat = state.on_turn
    if state.may_rush:
        yield Ply(seat, Rush())
        yield Ply(seat, EndTurn())
        return
    emptiest = emptiest_crates(state, seat)
    for cell in way(seat, state.grabber):
        if state.trays[cell] > 0:
            for crate in emptiest:
                yield Ply(seat, Grab(CELLS[cell], crate))
        elif state.trays[cell] == EMPTY_CELL:
            for end in unplayed_ends(state, seat, cell):
                for target in aims(state, _tile(state, cell, end)):
                    yield Ply(seat, Activate(CELLS[cell], end, **target))


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after a ply; raises `IllegalError` when a rule forbids it."""
    if state.over:
        _forbid("PP 5.6", "over")
    if ply.player != state.on_turn:
        _forbid("PP 2.2", "not_on_turn")
    action = ply.action
    if isinstance(action, Rush | EndTurn):
        if not state.may_rush:
            _forbid("PP 3.6", "no_rush")
        return _rush(state) if isinstance(action, Rush) else _end_turn(state)
    if state.may_rush:
        _forbid("PP 3.6", "rush_or_end")
    moved = _grab(state, action) if isinstance(action, Grab) else _activate(state, action)
    return _after_move(moved)


def has_move(state: State, seat: Seat) -> bool:
    """Whether the seat can move the grabber from where it is (PP 2.3, PP 2.4)."""
    return any(
        state.trays[cell] > 0 or (state.trays[cell] == EMPTY_CELL and unplayed_ends(state, seat, cell))
        for cell in way(seat, state.grabber)
    )


def _tile(state: State, cell: int, end: str) -> str:
    """The tile of the seat on turn at this end of the crossing line."""
    seat = state.on_turn
    return state.tiles[seat][ENDS[seat].index(end)][crossing_line(seat, cell)] or ""


def _forbid(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"pp.no.{reason}", **args))


# PP 3: moves

def _landing(state: State, to: str) -> int:
    """The cell that the grabber goes to, if it may stand there at all (PP 2.1, PP 2.5)."""
    cell = cell_index(to)
    if cell not in way(state.on_turn, state.grabber):
        _forbid("PP 2.1", "not_in_line", to=to, at=CELLS[state.grabber], seat=seat_phrase(state.on_turn))
    if state.trays[cell] == FACE_DOWN:
        _forbid("PP 2.5", "face_down", to=to)
    return cell


def _grab(state: State, action: Grab) -> State:
    seat, cell = state.on_turn, _landing(state, action.to)
    apples = state.trays[cell]
    if apples == EMPTY_CELL:
        _forbid("PP 3.1", "nothing_to_grab", to=action.to)
    _check_emptiest(state, action.crate)
    crate = state.crates[seat][action.crate - 1]
    return replace(
        state, grabber=cell, trays=with_one(state.trays, cell, EMPTY_CELL),
        crates=with_crate(state, seat, action.crate, PackingCrate((*crate.trays, apples))),
    )


def _check_emptiest(state: State, number: int) -> None:
    """A tray goes into the own open crate with the fewest trays (PP 3.2)."""
    if not state.crates[state.on_turn][number - 1].is_open:
        _forbid("PP 3.2", "closed", crate=number)
    if number not in emptiest_crates(state, state.on_turn):
        _forbid("PP 3.2", "not_emptiest", crate=number)


def _activate(state: State, action: Activate) -> State:
    seat, cell = state.on_turn, _landing(state, action.to)
    if state.trays[cell] != EMPTY_CELL:
        _forbid("PP 3.3", "tray_there", to=action.to)
    if action.end not in ENDS[seat]:
        _forbid("PP 1.4", "not_own_end", end=action.end)
    tile = _tile(state, cell, action.end)
    if not is_unplayed(tile or None):
        _forbid("PP 2.4", "no_tile", to=action.to, end=action.end)
    if not any(action == Activate(action.to, action.end, **target) for target in aims(state, tile)):
        _forbid_target(state, tile, action)
    return use(replace(state, grabber=cell), tile, action)


def _forbid_target(state: State, tile: str, action: Activate) -> NoReturn:
    """Says what the tile can be aimed at, or that there is nothing for it now."""
    if aims(state, tile) == [{}] and tile != "rush_order":
        _forbid("PP 4.9", "no_target", tile=tile)
    if tile == "quality_control" and action.crate is not None:
        _check_emptiest(state, action.crate)
    _forbid(POWERS[tile].rule, tile)


# PP 3.4 to PP 3.6: more moves in one turn

def _after_move(state: State) -> State:
    """The game is over, or the seat may rush, or the turn ends by itself."""
    if any(all(not crate.is_open for crate in crates) for crates in state.crates):
        return replace(state, over=ALL_CLOSED)
    if state.usable and has_move(state, state.on_turn):
        return replace(state, may_rush=True)
    return _end_turn(state)


def _rush(state: State) -> State:
    seat = state.on_turn
    return replace(
        state, may_rush=False, usable=state.usable - 1,
        stored=with_seat(state.stored, seat, state.stored[seat] - 1),
        spent=with_seat(state.spent, seat, state.spent[seat] + 1),
    )


def _end_turn(state: State) -> State:
    seat = other(state.on_turn)
    over = "" if has_move(state, seat) else NO_MOVE
    return replace(state, on_turn=seat, usable=state.stored[seat], may_rush=False, over=over)


# PP 5: scores

def scores(state: State) -> tuple[int, ...]:
    """Apples, twice in premium crates, half in wholesale ones, each crate by itself (PP 5.3)."""
    return tuple(sum(_worth(crate) for crate in crates) for crates in state.crates)


def score_parts(state: State) -> ScoreParts:
    """What each crate that holds a tray is worth."""
    return tuple(
        tuple(_part(number, crate) for number, crate in zip(CRATES, crates) if crate.trays) for crates in state.crates
    )


def _part(number: int, crate: PackingCrate) -> ScorePart:
    said = phrase(f"pp.part_{crate.closed or 'open'}", crate=number, apples=sum(crate.trays))
    return ScorePart(said, _worth(crate), "PP 5.3")


def _worth(crate: PackingCrate) -> int:
    apples = sum(crate.trays)
    if crate.closed == "premium":
        return 2 * apples
    return apples // 2 if crate.closed == "wholesale" else apples
