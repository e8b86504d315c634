"""The vending machine: what is in it, and what may come out (CW 3.5, CW 3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from random import Random

from companion.engine import Choose, Odds
from companion.games.crate_wars.actions import Action, Vended
from companion.games.crate_wars.state import Drinks, State, other

STICKS = Fraction(1, 4)
"""How likely a drink stays in the machine, each by itself (CW 3.6)."""


def choose_vended(state: State) -> Choose:
    """All answers that the machine can give, as one choice."""
    return Choose("vended", drinks_in_machine(state), None, (("crate", state.in_machine),), "returned")


def drinks_in_machine(state: State) -> Drinks:
    """What went in: what stood at the crate of the other seat."""
    return state.beside[other(state.on_turn)][(state.in_machine or 0) - 1]


def outcomes(state: State) -> Iterable[Odds[Action]]:
    """Every way the machine can answer, with its odds (CW 3.6)."""
    drinks = drinks_in_machine(state)
    for number in range(len(drinks) + 1):
        odds = (1 - STICKS) ** number * STICKS ** (len(drinks) - number)
        for returned in combinations(drinks, number):
            yield Vended(state.in_machine or 0, returned), odds


def sample(state: State, rng: Random) -> Action:
    """One answer of the machine (CW 3.6)."""
    stays = [rng.randrange(STICKS.denominator) < STICKS.numerator for _ in drinks_in_machine(state)]
    returned = tuple(drink for drink, stuck in zip(drinks_in_machine(state), stays) if not stuck)
    return Vended(state.in_machine or 0, returned)
