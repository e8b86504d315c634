"""A rough value of an unfinished game, for bots: how many steps each colour still needs to be together in a crate."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from companion.engine import Over, Seat
from companion.games.yuzu_twist import rules
from companion.games.yuzu_twist.state import DEEP, SLOTS, WIDE, Cell, State, slots_of
from companion.table import colour_of

STEP = 0.5
"""A lead of so many steps for a seat's best colour makes the odds of winning e to 1; for the next ones see `SHARES`."""
SHARES = (1.0, 0.25, 0.1)
"""How much a seat's best, second and third colour count."""
ALONE = 25.0
"""Steps of all colours together at which a solo game is worth e to −1."""
REMEMBERED = 4096

Steps = dict[str, tuple[int, ...]]
"""By colour: the steps that its six drinks need, one swap each, to be in crate A … F."""


def promise(state: State, seat: Seat) -> float:
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
    return 1 / (1 + exp(STEP * (mine - theirs)))


def _team(state: State, seat: Seat) -> tuple[Seat, ...]:
    return next((team for team in state.terms.teams or () if seat in team), (seat,))


def _worth(steps: Steps, state: State, seats: tuple[Seat, ...] | list[Seat]) -> float:
    """The steps that the seats' best colours need, the best counting most."""
    colours = [colour for seat in seats for colour in state.terms.colours[seat] or ()]
    needed = sorted(min(steps[colour]) for colour in colours if colour in steps)
    return sum(share * need for share, need in zip(SHARES, needed)) if needed else float(WIDE * SLOTS)


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
    ways: dict[str, list[tuple[int, ...]]] = {}
    for cell, turned, drinks in zip(state.cells, state.turned, state.drinks):
        rows = _distances(state.cells, cell)
        for drink, row in zip(reversed(drinks) if turned else drinks, rows):
            ways.setdefault(colour_of(drink), []).append(row)
    return {colour: tuple(map(sum, zip(*rows))) for colour, rows in ways.items()}


@lru_cache(REMEMBERED)
def _distances(cells: tuple[Cell, ...], here: Cell) -> tuple[tuple[int, ...], ...]:
    """For each slot of the cell `here`: the steps, also slanted ones, to the nearest slot of each crate."""
    return tuple(tuple(_distance(slot, cell) for cell in cells) for slot in slots_of(here))


def _distance(slot: tuple[int, int], cell: Cell) -> int:
    (x, y), (left, front) = slot, (WIDE * cell[0], DEEP * cell[1])
    return max(left - x, x - (left + WIDE - 1), front - y, y - (front + DEEP - 1), 0)
