"""Things that a look showed where a set-up is being read, and which of them a person is asked about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine import Json
from companion.table import EMPTY, Observation, Point, Spot

CLEAR_NATS = 7.0
"""A thing is clear when every other name for it is a thousand times less likely."""
ASK_WITHIN_NATS = 2.3
"""Asked about are the unclear things that may be one of the choices, unless another is ten times as likely one."""


@dataclass(frozen=True, slots=True)
class SeenThing:
    """A thing that was seen: where it lies in the table frame, and log-likelihoods of all that it may be."""

    at_mm: Point
    nats: Mapping[str, float]

    def nats_of(self, choices: Sequence[Json]) -> float:
        """How likely it is one of the choices, where it is not clear what it is; else minus infinity."""
        names = () if len(self.nats) < 2 else self.nats.keys() & {str(value) for value in choices}
        return max((self.nats[name] for name in names), default=-math.inf)


def marked(things: Sequence[SeenThing], choices: Sequence[Json]) -> tuple[tuple[Point, bool], ...]:
    """Where each thing lies, and whether it is clear, or clear that it is none of the choices."""
    nats = [each.nats_of(choices) for each in things]
    most = max(nats, default=-math.inf)
    if most == -math.inf:  # the choices are no names of things
        return tuple((each.at_mm, len(each.nats) < 2) for each in things)
    return tuple((each.at_mm, most - its > ASK_WITHIN_NATS) for each, its in zip(things, nats, strict=True))


def things_of(observation: Observation) -> dict[Spot, tuple[SeenThing, ...]]:
    """What is seen, by spot."""
    found: dict[Spot, tuple[SeenThing, ...]] = {}
    for sight in observation.sights:
        most = max(sight.loglik.values(), default=0.0)
        if sight.loglik and sight.loglik.get(EMPTY, -math.inf) < most:
            likely = {name: nats for name, nats in sight.loglik.items() if most - nats < CLEAR_NATS}
            found[sight.spot] = (*found.get(sight.spot, ()), SeenThing(sight.at_mm, likely))
    return found
