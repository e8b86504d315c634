"""A rough value of an unfinished game, for bots: how many steps each colour still needs to be together in a crate."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from operator import add

from companion.engine import Over, Seat
from companion.games.yuzu_twist import rules
from companion.games.yuzu_twist.state import DEEP, SWAPS, WIDE, Cell, State, slots_of
from companion.table import Drink, colour_of

NEAR = 4.0
"""A colour that needs so many steps counts e times less than one that is complete."""
SHARES = (1.0, 0.25, 0.1)
"""How much a seat's best, second and third colour count."""
LEAD = 5.0
"""How much the difference between the sides adds to the log of the odds."""
A_PLY = 0.2
"""What a good ply changes in that difference."""
ALONE = 25.0
"""Steps of all colours together at which a solo game is worth e to −1."""
REMEMBERED = 4096

Steps = dict[str, list[int]]
"""By colour: the steps that its six drinks need, one swap each, to be in crate A … F."""


def evaluate(state: State, seat: Seat) -> float:
    """From 0 (lost) to 1 (won) for the seat; a draw is 0.5, and alone it is the shorter way that counts."""
    match rules.turn(state):
        case Over(winners):
            return 0.5 if not winners and not state.solo else float(seat in winners)
    steps = _steps(state)
    if state.solo:
        return exp(-_sorted_out(steps) / ALONE)
    own = _team(state, seat)
    mine = _worth(steps, state, own)
    theirs = _worth(steps, state, [each for each in range(len(state.terms.colours)) if each not in own])
    return 1 / (1 + exp(-LEAD * (mine - theirs + _to_come(state, own))))


def _to_come(state: State, own: tuple[Seat, ...]) -> float:
    """What the rest of this turn brings, over half a turn: so the value is the same whoever is to move."""
    left = A_PLY * (SWAPS + 1 - state.step - (SWAPS + 1) / 2)
    return left if state.on_turn in own else -left


def _team(state: State, seat: Seat) -> tuple[Seat, ...]:
    return next((team for team in state.terms.teams or () if seat in team), (seat,))


def _worth(steps: Steps, state: State, seats: Iterable[Seat]) -> float:
    """How near the seats' best colours are to completion, the best counting most; the last steps count more."""
    colours = [colour for seat in seats for colour in state.terms.colours[seat] or ()]
    needed = sorted(min(steps[colour]) for colour in colours if colour in steps)
    return sum(share * exp(-need / NEAR) for share, need in zip(SHARES, needed))


def _sorted_out(steps: Steps) -> int:
    """The steps until each crate has its own colour, the crates given out to the colours that are nearest first."""
    pairs = sorted((need, colour, crate) for colour, needs in steps.items() for crate, need in enumerate(needs))
    total, colours, crates = 0, set[str](), set[int]()
    for need, colour, crate in pairs:
        if colour not in colours and crate not in crates:
            colours.add(colour)
            crates.add(crate)
            total += need
    return total


def _steps(state: State) -> Steps:
    total: dict[str, list[int]] = {}
    for cell, turned, drinks in zip(state.cells, state.turned, state.drinks):
        for colour, steps in _steps_from(state.cells, cell, turned, drinks):
            total[colour] = list(map(add, total[colour], steps)) if colour in total else list(steps)
    return total


@lru_cache(REMEMBERED)
def _steps_from(
    cells: tuple[Cell, ...], here: Cell, turned: bool, drinks: tuple[Drink, ...]
) -> tuple[tuple[str, list[int]], ...]:
    """The steps of the drinks in one crate, by colour. Remembered: a swap changes two crates at most."""
    total: dict[str, list[int]] = {}
    for drink, slot in zip(reversed(drinks) if turned else drinks, slots_of(here)):
        steps = [_distance(slot, cell) for cell in cells]
        colour = colour_of(drink)
        total[colour] = list(map(add, total[colour], steps)) if colour in total else steps
    return tuple(total.items())


@lru_cache(16 * REMEMBERED)
def _distance(slot: tuple[int, int], cell: Cell) -> int:
    """The steps from a slot, also slanted ones, to the nearest slot of a cell."""
    (x, y), (left, front) = slot, (WIDE * cell[0], DEEP * cell[1])
    return max(left - x, x - (left + WIDE - 1), front - y, y - (front + DEEP - 1), 0)
