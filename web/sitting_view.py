"""Who sits where, as the live parts of pages show it: the seats to sit down at, and phones that ask for a taken one."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import Seat
from web.sitting.asks import Ask
from web.sitting.seating import Seating


@dataclass(frozen=True, slots=True)
class SittingView:
    """Of one game. Equal ones look the same."""

    taken: frozenset[Seat]
    asks: tuple[Ask, ...]


def sitting_of(seating: Seating, key: str) -> SittingView:
    """Who sits where in the game with this key, now."""
    return SittingView(frozenset(seating.seats.phones(key)), seating.seats.asks.waiting(key))
