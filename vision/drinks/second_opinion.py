"""What the network adds to a reading: which shapes are rendered, a second opinion on the shape, and on whether a drink
is there at all.

It knows nothing of the enrolment, and renderings know nothing of other tables, so they seldom err together. But both
look at the same pixels: neither counts whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.table import EMPTY, SHAPES, Appearance, shape_of
from vision.drinks.coarse_to_fine import cheapest
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading, kind_of
from vision.drinks.models import Models
from vision.scene.scene import Scene
from vision.shapes.shape_net import presence_nats, shape_nats

RENDERED_SHARE, NETWORK_SHARE = 0.7, 0.7
"""What renderings say of the shape counts so much once the network is asked, and what that says."""

OTHER_FOOT_NATS = 3.0
"""On the open table each shape was found at a foot of its own, where its lid is seen: what the network sees around
those of shapes that renderings put no further behind is averaged, for around the best one alone it would but repeat
it."""

LEFT_OUT_NATS, UNSEEN_NATS = 4.0, 100.0
"""A shape that the network holds for less likely than another by the first is not rendered, unless it is the next
higher or lower than a likely one, for which that may be taken; by rendering it is put behind the others by the second.
"""

SURELY_THERE_NATS = 2.0
SAVED_SHARES = ((2.0, 0.5), (4.0, 0.0))
"""Where the network sees a drink by so many nats it need only save this share of what others have to."""


def is_there(reading: DrinkReading, min_gain: float) -> bool:
    """Whether a drink stands on the open table: it saves enough, and the network does not see that there is none."""
    share = min((share for nats, share in SAVED_SHARES if reading.presence_nats >= nats), default=1.0)
    return reading.presence_nats >= 0 and reading.gain >= min_gain * share


def is_surely_seen(reading: DrinkReading) -> bool:
    """Whether the network surely sees a drink."""
    return reading.presence_nats >= SURELY_THERE_NATS


def seen_in_slot(scene: Scene, pose: DrinkPose, models: Models) -> dict[Appearance, float] | None:
    """What the network tells of a slot; None for drinks that it was not made for."""
    return shape_nats(scene.picture, pose.foot_mm, in_slot=True) if models.network_knows else None


def is_seen(seen: Mapping[Appearance, float] | None) -> bool:
    """Whether a drink is seen rather than none, by what the network tells of a place; not where it was not asked."""
    return seen is not None and presence_nats(seen) > 0


def is_surely_unseen(seen: Mapping[Appearance, float] | None) -> bool:
    """Whether surely none is seen, by what the network tells of a place; not where it was not asked."""
    return seen is not None and presence_nats(seen) <= -SURELY_THERE_NATS


def likely_shapes(seen: Mapping[Appearance, float], models: Models) -> list[str]:
    """The shapes that the network holds for possible if a drink is there, shortest first."""
    least = max(seen[shape] for shape in models.by_height) - LEFT_OUT_NATS
    return [shape for shape in models.by_height if seen[shape] > least]


def possible_shapes(seen: Mapping[Appearance, float] | None, models: Models) -> frozenset[str]:
    """The shapes to be rendered: those that the network holds for likely and the next ones; all if it was not asked."""
    if seen is None:
        return frozenset(models.solids)
    shapes, likely = models.by_height, likely_shapes(seen, models)
    beside = zip(shapes, [*shapes[1:], ""], ["", *shapes])
    return frozenset(shape for shape, *others in beside if not {shape, *others}.isdisjoint(likely))


def unlikely(seen: Mapping[Appearance, float] | None, models: Models) -> dict[str, float]:
    """The cost by which each shape is behind the likeliest by what the network tells; none where it was not asked."""
    if seen is None:
        return {}
    best = max(seen[shape] for shape in models.solids)
    return {shape: models.cost_per_nat * (best - seen[shape]) for shape in models.solids}


def with_shapes(scene: Scene, reading: DrinkReading, models: Models, seen: Mapping[Appearance, float] | None
                ) -> DrinkReading:
    """A reading with what the network tells of the slot that was read, which is known if it was `seen`, or of where the
    best drinks were found; as it was for drinks that the network was not made for."""
    if not models.network_knows:
        return reading
    per_nat = models.effective_cost_per_nat(reading)
    rendered = _shapes(reading, per_nat)
    each = [seen] if seen is not None and reading.pose.in_slot else _told(scene, reading, rendered)
    told = {kind: float(np.logaddexp.reduce([nats[kind] for nats in each]) - np.log(len(each)))
            for kind in (EMPTY, *SHAPES)}
    added = {EMPTY: -per_nat * NETWORK_SHARE * told[EMPTY]}
    for shape, nats in rendered.items():
        added[shape] = -per_nat * (NETWORK_SHARE * told[shape] - (1 - RENDERED_SHARE) * nats)
    costs = with_added(reading.costs, added)
    best = cheapest({drink: cost for drink, cost in costs.items() if drink != EMPTY})
    shape = shape_of(best)
    return replace(reading, costs=costs, added=added, told=told, best=best, offset=reading.offsets[shape],
                   turn_deg=reading.turn_of(shape), presence_nats=max(map(presence_nats, each)))


def with_added(costs: Mapping[Appearance, float], added: Mapping[Appearance, float]) -> dict[Appearance, float]:
    """Costs with what was added for each shape, and for EMPTY."""
    return {name: cost + added.get(kind_of(name), 0.0) for name, cost in costs.items()}


def _shapes(reading: DrinkReading, per_nat: float) -> dict[str, float]:
    """What renderings say of each shape if a drink is there: log-likelihoods in nats that sum to 1."""
    nats: dict[str, float] = {}
    for drink, cost in reading.costs.items():
        if drink != EMPTY:
            shape = shape_of(drink)
            nats[shape] = float(np.logaddexp(nats.get(shape, -np.inf), -cost / per_nat))
    total = float(np.logaddexp.reduce(list(nats.values())))
    return {shape: each - total for shape, each in nats.items()}


def _told(scene: Scene, reading: DrinkReading, rendered: Mapping[str, float]) -> list[dict[Appearance, float]]:
    """What the network tells, in nats, of each place where the drink may stand."""
    if reading.pose.in_slot:
        return [shape_nats(scene.picture, reading.pose.foot_mm, in_slot=True)]
    likely = max(rendered.values())
    feet = {reading.feet_mm[drink] for drink in reading.feet_mm
            if rendered[shape_of(drink)] > likely - OTHER_FOOT_NATS}
    height_mm = float(reading.pose.foot_mm[2])
    return [shape_nats(scene.picture, np.array([*foot, height_mm]), in_slot=False) for foot in sorted(feet)]
