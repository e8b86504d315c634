"""Looks in which some things are misread, and stay misread: what eyes do with a red can on a red cloth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from companion.table import EMPTY, Appearance, Layout, Observation, Point, Sight, Spot


@dataclass(frozen=True, slots=True)
class LastingFaults:
    """`unseen` pieces are never found at these spots, `mistaken` ones are taken for another, in `ghosts` zones stands a
    thing that is none, `stuck` places look the same whatever lies there."""

    unseen: frozenset[tuple[Appearance, Spot]] = frozenset()
    mistaken: Mapping[Appearance, Appearance] = field(default_factory=dict)
    ghosts: tuple[tuple[Spot, Point, Appearance], ...] = ()
    stuck: Mapping[Spot, Appearance] = field(default_factory=dict)

    def seen(self, look: Observation, first: bool) -> Observation:
        """A look with these faults; `first`: nothing was seen before."""
        sights = [each for sight in look.sights for each in self._seen(sight, look)]
        for spot, at_mm, name in self.ghosts:
            if spot in look.zones:
                names = {*(each for sight in look.sights if sight.spot == spot for each in sight.loglik), name, EMPTY}
                loglik = {each: 0.0 if each == name else -8.0 if each == EMPTY else -30.0 for each in sorted(names)}
                sights.append(Sight(spot, at_mm, loglik, fresh=first))
        return replace(look, sights=tuple(sights))

    def _seen(self, sight: Sight, look: Observation) -> list[Sight]:
        if sight.spot in self.stuck:
            loglik = dict.fromkeys(sight.loglik, -30.0) | {self.stuck[sight.spot]: 0.0}
            return [replace(sight, loglik=loglik)]
        name = max(sight.loglik, key=lambda each: sight.loglik[each], default=EMPTY)
        if (name, sight.spot) in self.unseen:
            if sight.spot in look.zones:
                return []
            empty, own = sight.loglik.get(EMPTY, -30.0), sight.loglik[name]
            return [replace(sight, loglik={**sight.loglik, EMPTY: own, name: empty})]
        if name in self.mistaken:
            other = self.mistaken[name]
            own, its = sight.loglik[name], sight.loglik.get(other, -30.0)
            return [replace(sight, loglik={**sight.loglik, name: its, other: own})]
        return [sight]


def faults_of(
    layout: Layout, look: Observation, seed: int, unseen: int = 0, mistaken: int = 0, ghosts: int = 0, stuck: int = 0
) -> LastingFaults:
    """So many faults of each kind, at a table whose first look this is."""
    rng = Random(f"faults/{seed}")
    names = sorted({_likeliest(each) for each in look.sights if "/" in _likeliest(each)})
    chosen = rng.sample(names, min(len(names), unseen + 2 * mistaken))
    pairs = list(zip(chosen[unseen::2], chosen[unseen + 1 :: 2], strict=False))
    zones = [zone for zone in layout.zones if zone.heap == "spread" and zone.spot in look.zones]
    strange = [_ghost(zone.spot, zone.corners_mm, look.sights, names, rng) for zone in rng.sample(
        zones, min(len(zones), ghosts)) if names]
    bodies = {body.spot for body in layout.bodies}
    places = sorted(each.spot for each in look.sights if each.spot not in look.zones and each.spot not in bodies)
    at = {spot: next(each for each in look.sights if each.spot == spot) for spot in rng.sample(
        places, min(len(places), stuck))}
    at_first = frozenset((_likeliest(each), each.spot) for each in look.sights if _likeliest(each) in chosen[:unseen])
    return LastingFaults(
        at_first, dict(pairs), tuple(strange),
        {spot: rng.choice([each for each in sorted(sight.loglik) if each != _likeliest(sight)])
         for spot, sight in at.items()})


def _likeliest(sight: Sight) -> Appearance:
    return max(sight.loglik, key=lambda name: sight.loglik[name], default=EMPTY)


def _ghost(
    spot: Spot, corners_mm: Sequence[Point], sights: Sequence[Sight], names: Sequence[Appearance], rng: Random
) -> tuple[Spot, Point, Appearance]:
    there = [each.at_mm for each in sights if each.spot == spot]
    x, y = there[0] if there else corners_mm[0]
    return spot, (x + 20.0 + rng.uniform(0, 5), y + 17.0), rng.choice(names)
