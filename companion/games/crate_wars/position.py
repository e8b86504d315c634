"""Crate Wars from a table as it stands. Crates that were counted are counted anew once both have passed."""

from __future__ import annotations

from dataclasses import replace

from companion.engine import Json, Seat
from companion.errors import IllegalError, phrase
from companion.games.crate_wars.layout import YEN_100, YEN_500
from companion.games.crate_wars.state import COINS, CRATES, Drinks, State
from companion.games.crate_wars.views import placement as placed
from companion.table import Appearance, Placement


def all_pieces(setup: Json) -> tuple[Appearance, ...]:
    """Drinks, coins and cards."""
    cards = tuple(f"card:{kind}" for kind in (*setup["colour_cards"], *setup["shape_cards"]))
    worth = (YEN_100,) * sum(CRATES)
    return (*setup["supplies"][0], *setup["supplies"][1], *(YEN_500,) * (2 * COINS), *worth, *cards)


def rearranged(state: State, placement: Placement, seat: Seat) -> State:
    """The state in which this stands and the seat acts, whether it had passed or not. Raises `IllegalError` where cards
    or the coins on the crates lie otherwise, or a crate is still counted."""
    if any(spot.startswith("won:") for spot in placement):
        raise IllegalError("CW 4.4", phrase("cw.no.counted"))
    for spot, pieces in placed(state).items():
        if spot.startswith(("card:", "yen:")) and placement.get(spot) != pieces:
            raise IllegalError("CW 1.3", phrase("cw.no.laid_out"))
    supplies, beside, coins = zip(*(_own(placement, owner) for owner in (0, 1)), strict=True)
    passed = (state.passed[0] and seat != 0, state.passed[1] and seat != 1)
    return replace(
        state, on_turn=seat, supplies=supplies, beside=beside, coins=coins, passed=passed, in_machine=None, decided=())


def _own(placement: Placement, owner: Seat) -> tuple[Drinks, tuple[Drinks, ...], int]:
    """A seat's supply, its drinks beside the crates, and its coins."""
    beside = tuple(tuple(sorted(placement.get(f"beside:{owner}:{crate}", ()))) for crate in CRATES)
    supply = tuple(sorted(placement.get(f"supply:{owner}", ())))
    return supply, beside, placement.get(f"coins:{owner}", ()).count(YEN_500)
