"""Pick & Pack from a table as it stands: grid, tiles, packing crates and rush orders lie open."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

from companion.engine import Seat
from companion.engine.form import CELLS
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.pick_and_pack import rules
from companion.games.pick_and_pack.layout import GRABBER, SEAT_COLOURS
from companion.games.pick_and_pack.setup import OF_EACH_TILE, TRAYS
from companion.games.pick_and_pack.state import (
    CRATES, EMPTY_CELL, ENDS, FACE_DOWN, PLAYED, SIZE, TILES, Crates, PackingCrate, Row, State, other,
)
from companion.table import Appearance, Placement, seat_phrase, spot_phrase

TRAY_BACK: Final = "tray:back"
ALL_PIECES: Final = (
    GRABBER,
    *(f"tray:{apples}" for apples, number in TRAYS.items() for _ in range(number)),
    *(f"tile:{colour}:{tile}" for colour in SEAT_COLOURS for tile in TILES for _ in range(OF_EACH_TILE)),
    *(TRAY_BACK,) * len(CELLS),
    *(f"tile:{colour}:{PLAYED}" for colour in SEAT_COLOURS for _ in range(OF_EACH_TILE * len(TILES))),
)
"""All trays and tiles, and as many that lie face down, and the grabber."""


def rearranged(_state: State, placement: Placement, seat: Seat) -> State:
    """The state in which this stands and the seat begins its turn; raises `IllegalError` for what lies where none of
    its kind can."""
    on_cells = [placement.get(f"grid:{cell}", ()) for cell in CELLS]
    found = [index for index, pieces in enumerate(on_cells) if GRABBER in pieces]
    if len(found) != 1:
        _refuse("PP 1.3", "no_grabber")
    tiles = _tiles(placement, 0), _tiles(placement, 1)
    crates = _crates(placement, 0), _crates(placement, 1)
    spent, stored = ((_rush(placement, 0, face), _rush(placement, 1, face)) for face in (PLAYED, "rush_order"))
    trays = tuple(_tray(pieces, cell) for pieces, cell in zip(on_cells, CELLS))
    now = State(seat, trays, found[0], tiles, crates, stored, spent, usable=stored[seat])
    if any(all(not crate.is_open for crate in crates) for crates in now.crates):
        return replace(now, over=rules.ALL_CLOSED)
    return now if rules.has_move(now, seat) else replace(now, over=rules.NO_MOVE)


def _tray(pieces: tuple[Appearance, ...], cell: str) -> int:
    match [each for each in pieces if each != GRABBER]:
        case []:
            return EMPTY_CELL
        case [tray]:
            return FACE_DOWN if tray == TRAY_BACK else int(tray.rpartition(":")[2])
    return _refuse("PP 1.2", "two_trays", cell=cell)


def _tiles(placement: Placement, owner: Seat) -> tuple[Row, Row]:
    def row(end: str) -> Row:
        return tuple(_tile(placement, owner, f"end:{end}:{line}") for line in range(1, SIZE + 1))

    first, second = ENDS[owner]
    return row(first), row(second)


def _tile(placement: Placement, owner: Seat, spot: str) -> str | None:
    pieces = placement.get(spot, ())
    if not pieces:
        return None
    _, colour, tile = pieces[-1].split(":")
    return tile if colour == SEAT_COLOURS[owner] else _refuse(
        "PP 1.4", "tile_of_other", spot=spot_phrase(spot), seat=seat_phrase(owner))


def _crates(placement: Placement, owner: Seat) -> Crates:
    return tuple(_crate(placement.get(f"packing:{owner}:{number}", ()), owner, number) for number in CRATES)


def _crate(pieces: tuple[Appearance, ...], owner: Seat, number: int) -> PackingCrate:
    """The trays, and on them the tile that closes the crate, if one does."""
    premium, wholesale = f"tile:{SEAT_COLOURS[owner]}:premium", f"tile:{SEAT_COLOURS[other(owner)]}:wholesale"
    closing = {premium: "premium", wholesale: "wholesale"}
    trays = pieces[:-1] if pieces and pieces[-1] in closing else pieces
    for each in trays:
        if not each.startswith("tray:") or each == TRAY_BACK:
            _refuse("PP 3.2", "packed", crate=number, seat=seat_phrase(owner))
    apples = tuple(int(each.rpartition(":")[2]) for each in trays)
    match closing.get(pieces[-1]) if pieces else None:
        case "premium":
            return PackingCrate(apples, "premium")
        case "wholesale":
            return PackingCrate(apples, "wholesale")
    return PackingCrate(apples)


def _rush(placement: Placement, owner: Seat, face: str) -> int:
    """How many tiles of this face lie among the rush orders; raises `IllegalError` for any others there."""
    pieces = placement.get(f"rush:{owner}", ())
    if set(pieces) - {f"tile:{SEAT_COLOURS[owner]}:{each}" for each in (PLAYED, "rush_order")}:
        _refuse("PP 3.5", "among_rush", seat=seat_phrase(owner))
    return pieces.count(f"tile:{SEAT_COLOURS[owner]}:{face}")


def _refuse(rule: str, reason: str, **args: PhraseArg) -> NoReturn:
    raise IllegalError(rule, phrase(f"pp.no.{reason}", **args))
