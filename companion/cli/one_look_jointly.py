"""All drinks of one look decided together: each exists once, and one place holds at most one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table import EMPTY, Appearance, Point, Sight, Spot
from vision.imaging.arrays import Floats

FORBIDDEN_NATS = 1e6


@dataclass(frozen=True, slots=True)
class JointReading:
    """What stands at a place by one look alone. `margin` (nats): how much worse the best decision without it is."""

    appearance: Appearance
    at_mm: Point
    spot: Spot
    margin: float


def decide(sights: Sequence[Sight]) -> tuple[JointReading, ...]:
    """The likeliest way to give each sight its own appearance, or none. Empty places are left out."""
    if not sights:
        return ()
    names = sorted({name for sight in sights for name in sight.loglik if name != EMPTY})
    costs = np.full((len(sights), len(names) + len(sights)), FORBIDDEN_NATS)
    for row, sight in enumerate(sights):
        for name, value in sight.loglik.items():
            costs[row, len(names) + row if name == EMPTY else names.index(name)] = -value
    least, chosen = _assign(costs)
    seen = []
    for row, column in enumerate(chosen):
        if column >= len(names):
            continue
        without = costs.copy()
        without[row, column] = FORBIDDEN_NATS
        margin = _assign(without)[0] - least
        seen.append(JointReading(names[column], sights[row].at_mm, sights[row].spot, float(margin)))
    return tuple(seen)


def _assign(costs: Floats) -> tuple[float, list[int]]:
    """The lowest total and the column of each row."""
    import lap

    total, columns, _ = lap.lapjv(costs, extend_cost=True)
    return float(total), [int(column) for column in columns]
