"""The reading of a place at which a drink stands or may stand."""

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
    """The reading of one place. `costs` by drink and for EMPTY, over so many `pixels`, with those that the network
    `added` by shape and for EMPTY; `feet_mm` the foot of each drink in the table frame, by the `offsets`; `offset`
    and `turn_deg` those of the `best` drink."""

    pose: DrinkPose
    costs: Mapping[Appearance, float]
    feet_mm: Mapping[Drink, Point]
    best: Drink
    offset: Offset
    turn_deg: float
    pixels: int
    turns_deg: Mapping[str, float]
    """The best turn of each shape that was compared."""
    offsets: Mapping[str, Offset] = field(default_factory=dict)
    """The best offset of each shape; of one that was not compared, where its search would have begun, as far off as the
    best drink was from there."""
    strayed_px: float = 0.0
    """How far across or down the picture from where its search began the best drink was found."""

    added: Mapping[Appearance, float] = field(default_factory=dict)
    told: Mapping[Appearance, float] | None = None
    """What the network tells of the place, by shape and for EMPTY, in nats; None where it was not asked."""

    presence_nats: float = 0.0
    """By how much a drink is likelier than none, by the network alone; 0 where it was not asked."""

    def turn_of(self, shape: str) -> float:
        """The best turn of a shape; that of the pose where it was not compared."""
        return self.turns_deg.get(shape, self.pose.turn_deg)

    @property
    def at_mm(self) -> Point:
        """The foot of the best drink in the table frame."""
        return self.feet_mm[self.best]

    @property
    def gain(self) -> float:
        """The cost of the background less that of the best drink."""
        return self.costs[EMPTY] - self.costs[self.best]

    @property
    def rendered_costs(self) -> dict[Appearance, float]:
        """The costs without what the network added."""
        return {name: cost - self.added.get(kind_of(name), 0.0) for name, cost in self.costs.items()}

    @property
    def misfit(self) -> float:
        """What a pixel costs on the average by the best explanation: the more, the less of the picture is explained."""
        return min(self.rendered_costs.values()) / max(self.pixels, 1)

    @property
    def is_empty(self) -> bool:
        """Whether the background alone has the lowest cost."""
        return self.costs[EMPTY] <= self.costs[self.best]


@dataclass(frozen=True, slots=True, eq=False)
class DrinkPrior:
    """What is known of a drink before it is read, and the range of the search.

    `number`: its number in the scene; others that are drawn there are background or occluders. `taken_for`: the shape
    whose silhouette gave the foot. `like`: an earlier reading that gave the foot; `lid_only`: perhaps only the lid was
    seen of that. `before`: an earlier reading at this very pose: if it is confirmed, nothing else is searched;
    `stands_still`: the drink did not move since then, and is confirmed by being the likeliest where it stood. `seen`:
    what the network tells of the foot: shapes that it holds for unlikely, and that are not next to a likely one, are
    rendered only if no other is found, if much is left unexplained, or if it sees them where the drink was.
    `least_gain`: what a drink has to save: the search is given up if after its first step each costs so much more than
    the background instead. `must_gain`: whether a drink that saves less is of no use; then nothing is searched where
    none can save so much.
    """

    number: int = 0
    reach_mm: float = 0.8
    taken_for: str | None = None
    like: DrinkReading | None = None
    lid_only: bool = False
    before: DrinkReading | None = None
    stands_still: bool = False
    seen: Mapping[Appearance, float] | None = None
    least_gain: float = np.inf
    must_gain: bool = False

    @property
    def likely_shape(self) -> str | None:
        """The shape that it most likely has, None when nothing is known of it."""
        return self.taken_for if self.like is None else shape_of(self.like.best)


NO_PRIOR = DrinkPrior()


def kind_of(name: Appearance) -> Appearance:
    """What the network calls a drink, or EMPTY: its shape."""
    return EMPTY if name == EMPTY else shape_of(name)


def loglik(costs: Mapping[Appearance, float], cost_per_nat: float) -> dict[Appearance, float]:
    """Costs as log-likelihoods in nats, with the outlier model, which bounds them however clear the pixels are."""
    names = list(costs)
    nats = -np.array([costs[name] for name in names]) / cost_per_nat
    return {name: float(value) for name, value in zip(names, with_outliers(nats))}
