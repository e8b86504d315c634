"""Yuzu Twist from a table as it stands: the crates and what is in them. Which crate is which is not seen on a table:
those that stand where one stood are the same, and the others follow in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.engine import Json, Seat
from companion.errors import IllegalError, phrase
from companion.games.yuzu_twist.layout import CARD_BACK, CRATE, shown_shift
from companion.games.yuzu_twist.rules import look_for_end
from companion.games.yuzu_twist.state import LETTERS, Cell, State, connected, slots_of
from companion.games.yuzu_twist.views import placement as placed
from companion.table import Appearance, Drink, Placement, colour_of


def all_pieces(setup: Json) -> tuple[Appearance, ...]:
    """Six crates, all drinks, and a card of each colour, open or not: which of them the seats have may be hidden."""
    drinks = [drink for crate in setup["crates"].values() for drink in crate["slots"]]
    colours = sorted({colour_of(drink) for drink in drinks})
    return (*(CRATE,) * len(LETTERS), *drinks, *(f"card:{colour}" for colour in colours), *(CARD_BACK,) * len(colours))


def rearranged(state: State, placement: Placement, seat: Seat) -> State:
    """The state in which this stands and the seat moves a crate; a crate that is complete so ends the game. Raises
    `IllegalError` unless six full crates hang together and the cards lie as they did."""
    cells = [_cell(spot) for spot in placement if spot.startswith("cell:")]
    if len(cells) != len(LETTERS) or not connected(cells):
        raise IllegalError("YT 3.1", phrase("yt.no.six_crates", crates=len(cells)))
    if any(placement.get(spot) != pieces for spot, pieces in placed(state).items() if spot.startswith("cards:")):
        raise IllegalError("YT 1.4", phrase("yt.no.other_cards"))
    right, back = shown_shift(state.cells)
    ordered = _as_they_were([(i + right, j + back) for i, j in state.cells], cells)
    drinks = tuple(_drinks(placement, cell, turned) for cell, turned in zip(ordered, state.turned))
    return look_for_end(replace(state, on_turn=seat, step=0, cells=ordered, drinks=drinks, winners=()))


def _cell(spot: str) -> Cell:
    i, _, j = spot.partition(":")[2].partition(",")
    return int(i), int(j)


def _as_they_were(old: Iterable[Cell], now: list[Cell]) -> tuple[Cell, ...]:
    """The cells of the crates in the order of their letters."""
    was = list(old)
    others = iter(sorted(set(now) - set(was)))
    return tuple(cell if cell in now else next(others) for cell in was)


def _drinks(placement: Placement, cell: Cell, turned: bool) -> tuple[Drink, ...]:
    """The drinks of a crate, by its own slots."""
    found = [drink for x, y in slots_of(cell) for drink in placement.get(f"slot:{x},{y}", ())]
    if len(found) != len(slots_of(cell)):
        raise IllegalError("YT 1.3", phrase("yt.no.full_crates"))
    return tuple(reversed(found) if turned else found)
