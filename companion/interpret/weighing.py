"""From an observation to evidence: things in zones and at places, beside what was on the table at a look before."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.handling import STILL_SD_MM
from companion.interpret.layout_index import LayoutIndex
from companion.interpret.matching import WORST_NATS
from companion.interpret.tracks import Track, likeliest_of, track_of
from companion.table import EMPTY, Appearance, Observation, Placement, Spot

GONE_NATS = 9.0
"""A carrier is gone, with all that it may carry, where its place is so surely seen empty."""


def with_strays(evidence: Evidence, before: Placement) -> Evidence:
    """The same evidence with what each thing in a zone costs as a piece that is not known to stand elsewhere: there is
    but one of most pieces, and where as many things are seen as pieces stood, none of those went astray."""
    whole = {spot for spot, things in evidence.zones.items() if len(things) >= len(before.get(spot, ()))}
    whole |= {spot for spot in evidence.places if evidence.likeliest(spot)}
    many = Counter(name for pieces in before.values() for name in pieces)
    homes = {name: spot for spot in whole for name in before.get(spot, ()) if many[name] == 1}
    zones = {
        zone: tuple(replace(thing, stray_nats=_stray_nats(thing, homes)) for thing in things)
        for zone, things in evidence.zones.items()
    }
    return replace(evidence, zones=zones)


def _stray_nats(thing: Track, homes: Mapping[Appearance, Spot]) -> float:
    strays = (
        cost for name, cost in thing.costs.items() if name != EMPTY and homes.get(name, thing.spot) == thing.spot
    )
    return min(strays, default=WORST_NATS)


def weigh(observation: Observation, last: TableTracks, index: LayoutIndex) -> Evidence:
    """An observation as evidence, beside what was on the table at a look before. Bodies prove nothing."""
    things: dict[Spot, list[Track]] = {zone: [] for zone in observation.zones}
    places: dict[Spot, Track] = {}
    glimpsed: dict[Spot, list[Track]] = {}
    for sight in observation.sights:
        if sight.spot in things:
            things[sight.spot].append(track_of(sight))
        elif sight.spot in index.heaps:
            glimpsed.setdefault(sight.spot, []).append(track_of(sight))
        elif sight.spot not in index.bodies:
            places[sight.spot] = track_of(sight)
    for place, carrier in index.carrier.items():
        there = places.get(carrier)
        if place not in places and there is not None and likeliest_of(there) == EMPTY:
            places[place] = _uncarried(place, there, observation)
    zones = {zone: tuple(each) for zone, each in things.items()}
    partly = {zone: tuple(each) for zone, each in glimpsed.items()}
    return Evidence(places, zones, last, index, covered=index.places - places.keys(), glimpsed=partly)


def _uncarried(place: Spot, carrier: Track, observation: Observation) -> Track:
    """A place whose carrier is not seen: it is empty. Where that is doubtful, the carrier's own place says so, and what
    it may carry was not looked at."""
    if min((cost for name, cost in carrier.costs.items() if name != EMPTY), default=WORST_NATS) >= GONE_NATS:
        return Track(place, carrier.at_mm, {EMPTY: 0.0})
    names = {name for sight in observation.sights for name in sight.loglik}
    return Track(place, carrier.at_mm, {EMPTY: 0.0} | dict.fromkeys(sorted(names), 0.0))


def is_repeated(earlier: Observation, now: Observation) -> bool:
    """Whether the eyes say again what they said at an earlier look."""
    return earlier.zones == now.zones and len(earlier.sights) == len(now.sights) and all(
        (was.spot, was.loglik, was.turn_deg) == (each.spot, each.loglik, each.turn_deg)
        and math.dist(was.at_mm, each.at_mm) < STILL_SD_MM
        for was, each in zip(earlier.sights, now.sights, strict=True)
    )
