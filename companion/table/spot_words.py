"""Spots and seats as people call them."""

from __future__ import annotations

from companion.errors import Phrase, phrase
from companion.table.pieces import Spot

SEAT_LETTERS = "ABCDEF"


def seat_letter(seat: int) -> str:
    """The letter of a seat; a game with more seats begins anew with A."""
    return SEAT_LETTERS[seat % len(SEAT_LETTERS)]


def seat_phrase(seat: int) -> Phrase:
    """Who sits there: the name, where names are known (`Words.calling`), else player A."""
    return phrase(f"seat.{SEAT_LETTERS[seat]}")


def spot_phrase(spot: Spot) -> Phrase:
    """A spot as people call it: `grid:c4` is c4, `beside:1:2` player B's side of crate 2."""
    kind, _, rest = spot.partition(":")
    seat, _, at = rest.partition(":")
    if seat.isdigit() and int(seat) < len(SEAT_LETTERS):
        return phrase(f"spot.{kind}", at=at or rest, seat=seat_phrase(int(seat)))
    return phrase(f"spot.{kind}", at=rest.replace(":", " "), seat=seat)
