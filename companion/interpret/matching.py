"""Which thing is which piece: the cheapest one-to-one assignment, and how sure each pair in it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.engine.assignment import FORBIDDEN_NATS, linear_assignment
from companion.table import EMPTY, Appearance

WORST_NATS = 15.0
"""The most that one piece may cost."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a zone's disagreements cost in nats: `missing`, a piece that should be there and is not seen; `ghost`, a
    thing that is no piece of it."""

    missing: float
    ghost: float


STANDING_PRICES = Prices(missing=6.0, ghost=6.0)
"""A bottle hides a can, a drink is put aside, a shadow looks like one: zones are less sure than places."""
PILED_PRICES = Prices(missing=9.0, ghost=9.0)
"""Nothing hides a pile, and flat things cast no shadows."""
SPREAD_PRICES = Prices(missing=9.0, ghost=6.0)
"""Nor does anything hide flat pieces that lie side by side, but the shadow of a hand or a pile may look like one."""
SPARE_NATS = 1.0
"""How much more than they say the names of all things may cost without the eyes being too sure of themselves."""


class Thing(Protocol):
    """Something seen, with its costs by appearance in nats."""

    @property
    def costs(self) -> Mapping[Appearance, float]:
        """0 for the likeliest appearance."""

    @property
    def stray_nats(self) -> float:
        """The least cost among the pieces that are not known to stand elsewhere."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """`pieces[i]` is what thing `i` is, None: no piece at all. `cost` in nats, missing pieces included."""

    cost: float
    pieces: tuple[Appearance | None, ...]


def assign(
    things: Sequence[Thing], pieces: Sequence[Appearance], optional: Sequence[Appearance] = (),
    prices: Prices = STANDING_PRICES,
) -> Assignment:
    """The cheapest assignment of pieces to things; a thing may be nothing, a piece may be missing, at a price. The
    `optional` pieces may be missing for nothing."""
    every = (*pieces, *optional)
    if not things or not every:
        nothing = sum(_nothing(thing, prices) for thing in things)
        return Assignment(nothing + prices.missing * len(pieces), (None,) * len(things))
    missing = [prices.missing] * len(pieces) + [0.0] * len(optional)
    cost, columns = linear_assignment(_table(things, every, missing, prices))
    return Assignment(cost, tuple(every[c] if c < len(every) else None for c in columns[: len(things)]))


def overconfidence(matched: Iterable[tuple[Thing, Appearance | None]]) -> float:
    """By how much the costs of these things are too sure of themselves, 1 if they are not: what the names that were
    given to them cost, beside what true names cost on average if the costs are honest. The dearest one does not count:
    one reading may be wrong for reasons of its own."""
    paid, honest = [0.0], SPARE_NATS
    for thing, name in matched:
        if name is not None:
            weights = [math.exp(-cost) for cost in thing.costs.values()]
            honest += sum(w * cost for w, cost in zip(weights, thing.costs.values(), strict=True)) / sum(weights)
            paid.append(thing.costs.get(name, WORST_NATS))
    return max(1.0, (sum(paid) - max(paid)) / honest)


def possible_names(
    things: Sequence[Thing], pieces: Sequence[Appearance], margin_nats: float
) -> list[tuple[Appearance, ...]]:
    """For each thing the pieces that it can be in an assignment at most `margin_nats` dearer than the best one,
    the best assignment's own first. One name means that there is no doubt."""
    best = assign(things, pieces)
    missing = [STANDING_PRICES.missing] * len(pieces)
    table = _table(things, pieces, missing, STANDING_PRICES) if things and pieces else []
    answers: list[tuple[Appearance, ...]] = []
    for i, own in enumerate(best.pieces):
        names = [] if own is None else [own]
        for name in dict.fromkeys(pieces):
            column = pieces.index(name)
            if name != own and table[i][column] <= best.cost + margin_nats:
                only = [cost if c == column else FORBIDDEN_NATS for c, cost in enumerate(table[i])]
                if linear_assignment([*table[:i], only, *table[i + 1 :]])[0] <= best.cost + margin_nats:
                    names.append(name)
        answers.append(tuple(names))
    return answers


def _table(
    things: Sequence[Thing], pieces: Sequence[Appearance], missing: Sequence[float], prices: Prices
) -> list[list[float]]:
    """(things + pieces, pieces + things) costs: real pairs first, then things that are nothing, pieces that miss at
    their own price. Lists, so that a service whose games have no zones need not load numpy."""
    t, p = len(things), len(pieces)
    table = [[thing.costs.get(name, WORST_NATS) for name in pieces] + [FORBIDDEN_NATS] * t for thing in things]
    for i, thing in enumerate(things):
        table[i][p + i] = _nothing(thing, prices)
    for j, price in enumerate(missing):
        table.append([FORBIDDEN_NATS] * p + [0.0] * t)
        table[t + j][j] = price
    return table


def _nothing(thing: Thing, prices: Prices) -> float:
    ghost = min(WORST_NATS, prices.ghost + thing.stray_nats)
    return min(ghost, thing.costs.get(EMPTY, ghost))
