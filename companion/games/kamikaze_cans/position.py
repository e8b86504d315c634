"""Kamikaze Cans from a table as it stands: the grid and the stocks are all there is to it."""

from __future__ import annotations

from dataclasses import replace

from companion.engine import Seat
from companion.engine.form import CELLS
from companion.errors import IllegalError, phrase
from companion.games.kamikaze_cans.state import State, height
from companion.table import Placement, colour_of, seat_phrase


def rearranged(state: State, placement: Placement, seat: Seat) -> State:
    """The state in which this stands and the seat is to move; raises `IllegalError` for a drink in another's stock."""
    for owner, colour in enumerate(state.rules.colours):
        for drink in placement.get(f"stock:{owner}", ()):
            if colour_of(drink) != colour:
                raise IllegalError("KC 1.3", phrase("kc.not_own_stock", drink=drink, seat=seat_phrase(owner)))
    stocks = tuple(
        tuple(sorted(placement.get(f"stock:{owner}", ()), key=height)) for owner in range(len(state.stocks)))
    grid = tuple(next(iter(placement.get(f"grid:{cell}", ())), None) for cell in CELLS)
    return replace(state, seat=seat, grid=grid, stocks=stocks, moves_in_row=0)
