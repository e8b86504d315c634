"""The frozen values of Crate Wars. Crates are numbered from 1, tuples by crate hold crate 1 first."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import Seat
from companion.table import Drink

COLOUR_PLAYER = 0
SHAPE_PLAYER = 1
COINS = 4
COIN_YEN = 500
CRATE_YEN = 100
CRATES = range(1, 7)
CRATE_HOLDS = 6

Drinks = tuple[Drink, ...]
"""In alphabetical order."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes in a game: the cards at the crates, and how points are counted."""

    cards: tuple[tuple[str, ...], tuple[str, ...]]
    """By seat: the colours, the shapes, at crate 1 … 6."""
    global_points: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """A crate that was looked at in the scoring: who won it (None: nobody), and the drinks that are in it."""

    winner: Seat | None
    drinks: Drinks


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table. `beside[seat][k - 1]` lies on the seat's side of crate k."""

    terms: Terms
    on_turn: Seat
    supplies: tuple[Drinks, Drinks]
    beside: tuple[tuple[Drinks, ...], tuple[Drinks, ...]]
    coins: tuple[int, int] = (COINS, COINS)
    passed: tuple[bool, bool] = (False, False)
    in_machine: int | None = None
    """The crate whose drinks, those of the seat that is not on turn, are in the machine."""
    decided: tuple[Decided, ...] = ()
    """The crates looked at so far, crate 1 first; they are looked at once both have passed."""


def other(seat: Seat) -> Seat:
    """The other player's seat."""
    return 1 - seat


def at_crate(state: State, crate: int) -> Drinks:
    """All drinks on both sides of a crate."""
    return tuple(sorted(state.beside[0][crate - 1] + state.beside[1][crate - 1]))
