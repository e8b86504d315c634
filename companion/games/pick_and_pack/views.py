"""What stands where in Pick & Pack, what is said of the seats, and plies in words."""

from __future__ import annotations

from companion.engine import Ply, Seat
from companion.engine.form import CELLS
from companion.errors import Phrase, phrase
from companion.games.pick_and_pack.actions import Action, Activate, EndTurn, Grab, Rush
from companion.games.pick_and_pack.layout import GRABBER, SEAT_COLOURS
from companion.games.pick_and_pack.state import (
    CRATES,
    EMPTY_CELL,
    ENDS,
    FACE_DOWN,
    PLAYED,
    PackingCrate,
    State,
    cell_index,
    crossing_line,
    other,
)
from companion.table import Appearance, Placement, Spot, seat_phrase


def placement(state: State) -> Placement:
    """What stands where; in a packing crate the trays and on them the tile that closed it."""
    placed: dict[Spot, tuple[Appearance, ...]] = {}
    for index, (cell, apples) in enumerate(zip(CELLS, state.trays)):
        tray = () if apples == EMPTY_CELL else ("tray:back" if apples == FACE_DOWN else f"tray:{apples}",)
        placed[f"grid:{cell}"] = (*tray, GRABBER) if index == state.grabber else tray
    for seat in (0, 1):
        colour = SEAT_COLOURS[seat]
        for end, row in zip(ENDS[seat], state.tiles[seat]):
            for line, tile in enumerate(row, start=1):
                placed[f"end:{end}:{line}"] = () if tile is None else (f"tile:{colour}:{tile}",)
        for number, crate in zip(CRATES, state.crates[seat]):
            placed[f"packing:{seat}:{number}"] = _packed(seat, crate)
        used, waiting = f"tile:{colour}:{PLAYED}", f"tile:{colour}:rush_order"
        placed[f"rush:{seat}"] = (used,) * state.spent[seat] + (waiting,) * state.stored[seat]
    return {spot: pieces for spot, pieces in placed.items() if pieces}


def _packed(seat: Seat, crate: PackingCrate) -> tuple[Appearance, ...]:
    trays = tuple(f"tray:{apples}" for apples in crate.trays)
    if crate.closed is None:
        return trays
    owner = seat if crate.closed == "premium" else other(seat)
    return (*trays, f"tile:{SEAT_COLOURS[owner]}:{crate.closed}")


def facts(state: State) -> tuple[Phrase, ...]:
    """Who holds how many rush orders."""
    return tuple(
        phrase("pp.fact_rush" if number > 1 else "pp.fact_rush_one", seat=seat_phrase(seat), number=number)
        for seat, number in enumerate(state.stored) if number
    )


def say(state: State, ply: Ply[Action]) -> Phrase:
    """The ply in words, before it is applied."""
    match ply.action:
        case Grab(to, crate):
            return phrase("pp.grab", apples=state.trays[cell_index(to)], to=to, crate=crate)
        case Activate():
            return _say_tile(state, ply.action)
        case Rush():
            return phrase("pp.rush")
        case EndTurn():
            return phrase("pp.end")


def _say_tile(state: State, action: Activate) -> Phrase:
    seat = state.on_turn
    row = state.tiles[seat][ENDS[seat].index(action.end)]
    tile = row[crossing_line(seat, cell_index(action.to))] or ""
    match action:
        case Activate(tray=str(tray)):
            return phrase("pp.use_on_tray", tile=tile, to=action.to, end=action.end, tray=tray)
        case Activate(tile=(end, line)):
            return phrase("pp.use_on_tile", tile=tile, to=action.to, end=action.end, other_end=end, line=line)
        case Activate(from_=int(theirs), crate=int(mine)):
            return phrase("pp.use_taking", tile=tile, to=action.to, end=action.end, theirs=theirs, mine=mine)
        case Activate(theirs=int(theirs), mine=int(mine)):
            return phrase("pp.use_swapping", tile=tile, to=action.to, end=action.end, theirs=theirs, mine=mine)
        case Activate(crate=int(crate)):
            return phrase("pp.use_on_crate", tile=tile, to=action.to, end=action.end, crate=crate)
        case _:
            return phrase("pp.use", tile=tile, to=action.to, end=action.end)
