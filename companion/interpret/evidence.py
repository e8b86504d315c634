"""How well a placement explains a look: costs in nats, small where the eyes agree, never above `WORST_NATS` a piece.

One piece can never cost more than `WORST_NATS`, because a reading may be wrong for reasons that no likelihood knows
(a reflection, a crumb); with that bound no single misreading outvotes everything else on the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.interpret.matching import WORST_NATS, match
from companion.table import EMPTY, Appearance, Observation, Placement, Point, Sight, Spot

SAME_STAND_MM = 5.0
"""A piece seen this near to where one stood has not been moved; less than half a drink's width."""


@dataclass(frozen=True, slots=True)
class Track:
    """One thing standing in a zone, through all looks at which it stood there: mean costs by appearance, in nats."""

    spot: Spot
    at_mm: Point
    costs: Mapping[Appearance, float]
    looks: int = 1


def costs_of(sight: Sight) -> dict[Appearance, float]:
    """A sight's log-likelihoods as costs: 0 for the best appearance, at most `WORST_NATS`."""
    best = max(sight.loglik.values(), default=0.0)
    return {name: min(WORST_NATS, best - value) for name, value in sight.loglik.items()}


@dataclass(slots=True)
class Evidence:
    """One look, ready to price placements. `tracks` are the things in zones as they stood at the look before."""

    places: Mapping[Spot, Mapping[Appearance, float]]
    zones: Mapping[Spot, tuple[Track, ...]]
    tracks: Mapping[Spot, tuple[Track, ...]]
    covered: frozenset[Spot] = frozenset()
    """Places of which nothing is known at this look."""
    _links: dict[Spot, Linked] = field(default_factory=dict)
    _zone_costs: dict[tuple[Spot, tuple[Appearance, ...], tuple[Appearance, ...]], float] = field(default_factory=dict)

    def costs(self, before: Placement, after: Placement) -> dict[Spot, float]:
        """The cost of `after` by spot, when `before` stood at the look that `tracks` come from.

        Spots that were not seen are not there.
        """
        return {spot: self.spot_cost(spot, before, after) for spot in (*self.places, *self.zones)}

    def spot_cost(self, spot: Spot, before: Placement, after: Placement) -> float:
        """The same of one spot, 0 if it was not seen."""
        if spot in self.places:
            return self.place_cost(spot, after.get(spot, ()))
        return self.zone_cost(spot, before.get(spot, ()), after.get(spot, ())) if spot in self.zones else 0.0

    def place_cost(self, spot: Spot, pieces: Sequence[Appearance]) -> float:
        """The cost of the top piece of `pieces` at this place."""
        return self.places[spot].get(pieces[-1] if pieces else EMPTY, WORST_NATS)

    def zone_cost(self, zone: Spot, before: tuple[Appearance, ...], after: tuple[Appearance, ...]) -> float:
        """The cost of the best way to say which thing in the zone is which piece.

        Where as many things went and came as pieces left and arrived, each thing that stayed keeps its evidence of
        both looks, and the things that went must have been the pieces that left. Otherwise somebody rearranged the
        zone, and only what is seen now counts.
        """
        key = (zone, before, after)
        if key not in self._zone_costs:
            self._zone_costs[key] = sum(match(costs, pieces).cost for costs, pieces in self.groups(*key))
        return self._zone_costs[key]

    def groups(
        self, zone: Spot, before: tuple[Appearance, ...], after: tuple[Appearance, ...]
    ) -> list[tuple[tuple[Track, ...], list[Appearance]]]:
        """The things of a zone beside the pieces that they must be among themselves: stayed, went, came."""
        linked = self.linked(zone)
        was, now = Counter(before), Counter(after)
        left, arrived, stayed = list((was - now).elements()), list((now - was).elements()), list((was & now).elements())
        if len(linked.went) == len(left) and len(linked.came) == len(arrived):
            return [(linked.stayed, stayed), (linked.went, left), (linked.came, arrived)]
        return [(self.zones[zone], list(after))]

    def linked(self, zone: Spot) -> Linked:
        """Which things of the zone stayed since the look before, went, or came."""
        if zone not in self._links:
            self._links[zone] = link(self.tracks.get(zone, ()), self.zones[zone])
        return self._links[zone]


@dataclass(frozen=True, slots=True)
class Linked:
    """The things of a zone at two looks: `stayed` has the evidence of both, `went` the old, `came` the new."""

    stayed: tuple[Track, ...]
    went: tuple[Track, ...]
    came: tuple[Track, ...]


def link(old: Sequence[Track], new: Sequence[Track]) -> Linked:
    """Pair the things of two looks by place: the nearest first, at most `SAME_STAND_MM` apart."""
    near = sorted(
        (math.dist(a.at_mm, b.at_mm), i, j)
        for i, a in enumerate(old) for j, b in enumerate(new)
        if math.dist(a.at_mm, b.at_mm) <= SAME_STAND_MM
    )
    partner: dict[int, int] = {}
    for _, i, j in near:
        if i not in partner and j not in partner.values():
            partner[i] = j
    return Linked(
        stayed=tuple(_merged(old[i], new[j]) for i, j in sorted(partner.items())),
        went=tuple(track for i, track in enumerate(old) if i not in partner),
        came=tuple(track for j, track in enumerate(new) if j not in partner.values()),
    )


def _merged(old: Track, new: Track) -> Track:
    """One stand at two looks. Looks at a still table repeat their errors, so evidence is averaged, never added."""
    if new.looks == 0:  # the eyes repeated their earlier reading
        return Track(new.spot, new.at_mm, old.costs, old.looks)
    looks = old.looks + new.looks
    names = old.costs.keys() | new.costs.keys()
    costs = {
        name: (old.costs.get(name, WORST_NATS) * old.looks + new.costs.get(name, WORST_NATS) * new.looks) / looks
        for name in names
    }
    return Track(new.spot, new.at_mm, costs, looks)


def weigh(
    observation: Observation,
    tracks: Mapping[Spot, tuple[Track, ...]],
    bodies: frozenset[Spot] = frozenset(),
    all_places: frozenset[Spot] = frozenset(),
) -> Evidence:
    """An observation as evidence, beside the tracks of the look before. `bodies` carry places and prove nothing."""
    things: dict[Spot, list[Track]] = {zone: [] for zone in observation.zones}
    places: dict[Spot, Mapping[Appearance, float]] = {}
    for sight in observation.sights:
        if sight.spot in things:
            things[sight.spot].append(Track(sight.spot, sight.at_mm, costs_of(sight), int(sight.fresh)))
        elif sight.spot not in bodies:
            places[sight.spot] = costs_of(sight)
    zones = {zone: tuple(each) for zone, each in things.items()}
    return Evidence(places, zones, tracks, all_places - places.keys())
