"""Where a cost is lowest, in whole steps from a start: pattern search, from coarse steps to fine.

(R. Hooke and T. Jeeves, "Direct search", J. ACM 8, 1961; the neighbours of a place are tried, and the best is the
next place until none is better.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

UNIT_PX = 0.25
STEPS_UNITS = (6, 3, 1)
"""Places are searched in units of `UNIT_PX`, from coarse steps to fine."""

CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
SQUARE = (*CROSS, (-1, -1), (1, -1), (-1, 1), (1, 1))
NEIGHBOURHOODS = (SQUARE, CROSS, SQUARE)
"""The neighbours that are tried with each step."""

Offset = tuple[int, int]
"""How many units to the right and down of a nominal place."""

ShiftTrial = tuple[int, Offset]
"""Which of some things, and at which offset from its nominal place."""

Costs = Callable[[Sequence[ShiftTrial]], npt.NDArray[np.floating]]
"""The costs (trials,) of some trials."""


def descend(costs: Costs, start: Mapping[int, Offset], step: int, around: Mapping[int, Offset], reach: int,
            neighbours: Sequence[Offset] = SQUARE) -> dict[int, tuple[float, Offset]]:
    """From where each thing starts, go to its lowest neighbour until there is none, at most `reach` units away from
    the place itself, from where it is `around`, or from what lies between: the lowest cost of each, with its offset.
    All take their steps together."""
    known: dict[int, dict[Offset, float]] = {number: {} for number in start}
    best, walking = dict(start), list(start)
    while walking:
        trials = [(number, at) for number in walking for at in _near(best[number], step, neighbours)
                  if at not in known[number] and (at == best[number] or _within(at, around[number], reach))]
        for (number, at), cost in zip(trials, costs(trials).tolist() if trials else ()):
            known[number][at] = cost
        lowest = {number: min(known[number], key=known[number].__getitem__) for number in walking}
        walking = [number for number in walking if lowest[number] != best[number]]
        best |= lowest
    return {number: (known[number][at], at) for number, at in best.items()}


def _near(at: Offset, step: int, neighbours: Sequence[Offset]) -> list[Offset]:
    return [(at[0] + right * step, at[1] + down * step) for right, down in neighbours]


def _within(at: Offset, around: Offset, reach: int) -> bool:
    return all(min(there, 0) - reach <= here <= max(there, 0) + reach for here, there in zip(at, around))
