"""An explanation of a look: plies from a root state, and what they cost and leave unexplained, in nats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine import CHANCE
from companion.interpret.outcome import Plies
from companion.table import Placement, Spot

PLY_NATS = 2.0
"""Price of each ply: of two explanations that fit alike the shorter one is likelier."""
CONTRADICTED_NATS = 1.0
"""A spot that costs so much more than at the look before is worth a ply's try."""
EXPLAINED_NATS = 5.0
"""What may stay unexplained for a search to stop at this depth: less than one piece that is missing."""
LEFT_OVER_NATS = 6.5
"""The same once some plies are found: one thing in a zone that is none, or one piece that is not seen there."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Plies from a root state, the state they lead to, and the cost of the look under it, in nats, plies included.

    `excess` is what it leaves unexplained: how much more the spots cost than at the look before; `flat` is the part of
    it where flat pieces lie, which nothing hides and which show that they were handled.
    `handled` are the spots at which pieces came or went since that look, `emptied` those from which all of them had
    gone in between. `faint` says that one of the plies left no trace of its own, nor did one that could only follow it.
    `suspects` are the spots where the look disagrees with it more than with what stood before. `rarity` is what makes
    its plies unlikely besides, in nats, whatever the look shows.
    """

    plies: Plies
    state: Any
    cost: float
    excess: float
    flat: float = 0.0
    taken_back: int = 0
    handled: frozenset[Spot] = frozenset()
    faint: bool = False
    suspects: frozenset[Spot] = frozenset()
    rarity: float = 0.0
    emptied: frozenset[Spot] = frozenset()

    @property
    def nats(self) -> float:
        """How unlikely it is in all."""
        return self.cost + self.rarity


@dataclass(frozen=True, slots=True)
class Root:
    """Where explanations start: a believed state, the placement that stood at the look before, what each spot cost
    then (`floor`, nats): what the eyes misread all along is no news; and the spots that were `handled` and `emptied`
    since."""

    state: Any
    before: Placement
    floor: Mapping[Spot, float] = field(default_factory=dict)
    handled: frozenset[Spot] = frozenset()
    taken_back: int = 0
    price_nats: float = 0.0
    emptied: frozenset[Spot] = frozenset()


def made(plies: Plies) -> int:
    """How many of these plies players made."""
    return sum(ply.player != CHANCE for ply in plies)


def differing(a: Placement, b: Placement) -> set[Spot]:
    """The spots at which two placements differ."""
    if list(a) == list(b):  # as after most plies: that is quick to compare
        return {spot for spot, was, now in zip(a, a.values(), b.values(), strict=True) if was != now}
    changed = {spot for spot, pieces in a.items() if b.get(spot, ()) != pieces}
    return changed.union(spot for spot in b.keys() - a.keys() if b[spot])


def shares(explanations: Sequence[Explanation]) -> list[float]:
    """The probability of each explanation among these."""
    best = min(each.nats for each in explanations)
    weights = [math.exp(best - each.nats) for each in explanations]
    total = sum(weights)
    return [weight / total for weight in weights]
