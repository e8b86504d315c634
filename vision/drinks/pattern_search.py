"""Minimisation of a cost over integer offsets by pattern search, from coarse steps to fine.

(R. Hooke and T. Jeeves, "Direct search", J. ACM 8, 1961: the neighbours of an offset are tried, and the best is the
next one until none is better.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

UNIT_PX = 0.25
STEPS_UNITS = (6, 3, 1)
"""The step sizes of the search in units of `UNIT_PX`, from coarse to fine."""

CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
SQUARE = (*CROSS, (-1, -1), (1, -1), (-1, 1), (1, 1))
NEIGHBOURHOODS = (SQUARE, CROSS, SQUARE)
"""The neighbours that are tried at each step size."""

Offset = tuple[int, int]
"""Units to the right and down of a nominal position."""

ShiftTrial = tuple[int, Offset]
"""The index of a hypothesis, and the offset from its nominal position."""

Costs = Callable[[Sequence[ShiftTrial]], npt.NDArray[np.floating]]
"""The costs (trials,) of some trials."""


def descend(costs: Costs, start: Mapping[int, Offset], step: int, around: Mapping[int, Offset], reach: int,
            neighbours: Sequence[Offset] = SQUARE) -> dict[int, tuple[float, Offset]]:
    """Descend from the start offset of each hypothesis to its best neighbour until there is none, within `reach` units
    of the nominal position, of the offset it is `around`, or of what lies between: the lowest cost of each, with its
    offset. All take their steps together, so that their costs are computed in batches."""
    known: dict[int, dict[Offset, float]] = {number: {} for number in start}
    limits = {number: (*_limits(around[number][0], reach), *_limits(around[number][1], reach)) for number in start}
    best, walking = dict(start), list(start)
    while walking:
        trials = [(number, at) for number in walking for at in _near(best[number], step, neighbours)
                  if at not in known[number] and (at == best[number] or _within(at, limits[number]))]
        for (number, at), cost in zip(trials, costs(trials).tolist() if trials else ()):
            known[number][at] = cost
        lowest = {number: min(known[number], key=known[number].__getitem__) for number in walking}
        walking = [number for number in walking if lowest[number] != best[number]]
        best |= lowest
    return {number: (known[number][at], at) for number, at in best.items()}


def _near(at: Offset, step: int, neighbours: Sequence[Offset]) -> list[Offset]:
    return [(at[0] + right * step, at[1] + down * step) for right, down in neighbours]


def _limits(far: int, reach: int) -> tuple[int, int]:
    """How far one may go along one axis: within reach of 0, of what is `far`, and of what lies between."""
    return min(far, 0) - reach, max(far, 0) + reach


def _within(at: Offset, limits: tuple[int, int, int, int]) -> bool:
    leftmost, rightmost, top, bottom = limits
    return leftmost <= at[0] <= rightmost and top <= at[1] <= bottom
