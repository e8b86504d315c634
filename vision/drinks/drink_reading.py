"""What was read where a drink stands or may stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.table import EMPTY, Appearance, Drink, Point, shape_of
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.pattern_search import Offset
from vision.imaging.likelihood import with_outliers


@dataclass(frozen=True, slots=True, eq=False)
class DrinkReading:
    """What one place looks like. `costs` by drink and for EMPTY; `feet_mm` where each drink would stand best, `offset`
    and `turn_deg` how the `best` does."""

    pose: DrinkPose
    costs: Mapping[Appearance, float]
    feet_mm: Mapping[Drink, Point]
    best: Drink
    offset: Offset
    turn_deg: float
    turns_deg: Mapping[str, float]
    """How each shape would be turned best."""
    offsets: Mapping[str, Offset] = field(default_factory=dict)
    """Where each shape would stand best."""

    @property
    def at_mm(self) -> Point:
        """Where the best drink stands."""
        return self.feet_mm[self.best]

    @property
    def gain(self) -> float:
        """How much of the cost of the background the best drink saves."""
        return self.costs[EMPTY] - self.costs[self.best]

    @property
    def is_empty(self) -> bool:
        """Whether the background alone explains the place best."""
        return self.costs[EMPTY] <= self.costs[self.best]


@dataclass(frozen=True, slots=True, eq=False)
class DrinkPrior:
    """What is known of a drink before it is read, and where it is sought.

    `number`: its number in the scene; others that are drawn there are taken into account. `taken_for`: the shape as
    which its foot was found. `like`: an earlier reading by which its foot was found; `lid_only`: perhaps only the lid
    was seen of that. `before`: what was read at this very pose: if it still is what is seen, nothing else is searched.
    """

    number: int = 0
    reach_mm: float = 0.8
    taken_for: str | None = None
    like: DrinkReading | None = None
    lid_only: bool = False
    before: DrinkReading | None = None

    @property
    def likely_shape(self) -> str | None:
        """The shape that it most likely has."""
        return self.taken_for if self.like is None else shape_of(self.like.best)


NO_PRIOR = DrinkPrior()


def loglik(costs: Mapping[Appearance, float], cost_per_nat: float) -> dict[Appearance, float]:
    """Costs as log-likelihoods in nats. However sure the pixels are, something unforeseen may have fooled them."""
    names = list(costs)
    nats = -np.array([costs[name] for name in names]) / cost_per_nat
    return {name: float(value) for name, value in zip(names, with_outliers(nats))}
