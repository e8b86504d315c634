"""All drinks of one look decided together: each exists once, and one place holds at most one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.engine.assignment import FORBIDDEN_NATS, linear_assignment
from companion.table import EMPTY, Appearance, Point, Sight, Spot


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
    least, chosen = linear_assignment(costs)
    seen = []
    for row, column in enumerate(chosen):
        if column >= len(names):
            continue
        without = costs.copy()
        without[row, column] = FORBIDDEN_NATS
        margin = linear_assignment(without)[0] - least
        seen.append(JointReading(names[column], sights[row].at_mm, sights[row].spot, float(margin)))
    return tuple(seen)
