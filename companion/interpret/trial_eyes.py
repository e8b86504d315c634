"""Eyes made from the truth, perfect or with a known share of errors: looks at games that were never pictured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.table import (
    EMPTY, SHAPES, Appearance, Layout, Observation, Place, Placement, Point, Sight, Spot, Zone, colour_of, shape_of,
    standing,
)

MIN_VISIBLE = 0.3
"""What is hidden more than this is not seen."""
SURE_NATS = 30.0
"""How much less likely every other name of a thing is."""
NEAR_MM = 100.0
"""Empty places for carriers are looked at as far from those that hold one."""
FAMILIES = (SHAPES[:3], SHAPES[4:])
"""Shapes that are easily taken for each other: cans, bottles."""


@dataclass(frozen=True, slots=True)
class TrialNoise:
    """How eyes err. The same error comes back while a thing stands where it stands.

    `nats` is the standard deviation of each log-likelihood, `at_mm` and `turn_deg` those of where things lie;
    `confused` is the share of the drinks that look as much like another shape of their family, `missed` that of the
    drinks in zones that are not seen (flat pieces, which nothing hides, are missed ten times less), `extra` that of
    the zones in which a thing is seen that is none.
    """

    seed: int = 0
    nats: float = 1.0
    confused: float = 0.1
    at_mm: float = 0.5
    turn_deg: float = 2.0
    missed: float = 0.01
    extra: float = 0.005


NO_NOISE = TrialNoise(nats=0.0, confused=0.0, at_mm=0.0, turn_deg=0.0, missed=0.0, extra=0.0)


@dataclass(frozen=True, slots=True)
class LaidThing:
    """A piece or a body as it lies on the table: where, how it is turned, how high (the higher hides the lower), and
    how much of it can be seen (0 to 1)."""

    spot: Spot
    appearance: Appearance
    at_mm: Point
    turn_deg: float | None = None
    height: float = 0.0
    visible: float = 1.0


Readings = Mapping[Appearance, Sequence[Mapping[Appearance, float]]]
"""Log-likelihoods with which things of an appearance were really seen."""


class TrialEyes:
    """Observations of one table. `names` are the appearances of each kind that a thing may be taken for. What has
    `readings` is seen as one of these."""

    def __init__(
        self, layout: Layout, names: Mapping[str, Sequence[Appearance]], noise: TrialNoise | None = None,
        readings: Readings | None = None,
    ) -> None:
        self._layout, self._names_of, self._noise, self._readings = layout, names, noise, readings or {}
        self._carriers = {place.on for place in layout.places}
        self._seen_before: set[tuple[Any, ...]] = set()

    def look(self, at_s: float, things: Sequence[LaidThing]) -> Observation:
        """What is seen of things that lie on spots of the layout; `at_s` tells looks apart."""
        found: dict[Spot, list[LaidThing]] = {}
        for thing in things:
            found.setdefault(thing.spot, []).append(thing)
        now = standing(self._layout, {spot: (each[-1].appearance,) for spot, each in found.items()})
        to_table = _frame_of(self._layout, found)
        sights = [self._sight(found[body.spot][0], (body.appearance,))
                  for body in now.bodies if body in self._layout.bodies and body.spot in found]
        for place in (*self._places_for_carriers(now), *now.places):
            sights += self._at_place(place, found, to_table)
        rng = Random(f"{self._seed}/{at_s:g}")
        for zone in now.zones:
            sights += self._in_zone(zone, found.get(zone.spot, ()), to_table, rng)
        return Observation(at_s, tuple(sights), frozenset(zone.spot for zone in now.zones))

    @property
    def _seed(self) -> int | None:
        return None if self._noise is None else self._noise.seed

    def _places_for_carriers(self, now: Layout) -> list[Place]:
        """Those on which carriers stand, and those near them."""
        held = {body.spot for body in now.bodies}
        places = [place for place in self._layout.places if place.spot in self._carriers]
        taken = [place.at_mm for place in places if place.spot in held]
        return [place for place in places if any(math.dist(place.at_mm, at) < NEAR_MM for at in taken)]

    def _at_place(
        self, place: Place, found: Mapping[Spot, Sequence[LaidThing]], to_table: Callable[[Point], Point]
    ) -> Iterator[Sight]:
        stack, names = found.get(place.spot, ()), self._names(place.kinds)
        if stack:
            top = max(stack, key=lambda thing: thing.height)
            if top.visible >= MIN_VISIBLE:
                yield self._sight(top, names)
        elif place.under is None or place.under not in found:
            yield self._sight(LaidThing(place.spot, EMPTY, to_table(place.at_mm)), names)

    def _in_zone(
        self, zone: Zone, things: Sequence[LaidThing], to_table: Callable[[Point], Point], rng: Random
    ) -> Iterator[Sight]:
        names, noise = self._names(zone.kinds), self._noise or NO_NOISE
        for thing in things:
            missed = noise.missed / (1 if _is_drink(thing.appearance) else 10)
            if thing.visible >= MIN_VISIBLE and not rng.random() < missed:
                yield self._sight(thing, names)
        if self._noise and rng.random() < noise.extra and names:
            (x0, y0), _, (x1, y1), _ = zone.corners_mm
            at = to_table((rng.uniform(x0, x1), rng.uniform(y0, y1)))
            yield self._sight(LaidThing(zone.spot, rng.choice(names), at, 0.0), names)

    def _names(self, kinds: Sequence[str]) -> list[Appearance]:
        return [name for kind, names in self._names_of.items() if kind in kinds for name in names]

    def _sight(self, thing: LaidThing, names: Sequence[Appearance]) -> Sight:
        """One thing as these eyes see it; while it stays where it is, the same reading again, no longer fresh."""
        name, (x, y), noise = thing.appearance, thing.at_mm, self._noise or NO_NOISE
        rng = Random(f"{self._seed}/{thing.spot}/{name}/{x:.2f}/{y:.2f}")
        readings = self._readings.get(name)
        loglik = _as_read(rng.choice(readings), names) if readings else loglik_of(name, names, noise, rng)
        at = (x + rng.gauss(0.0, noise.at_mm), y + rng.gauss(0.0, noise.at_mm))
        turn = None
        if thing.turn_deg is not None and not _is_drink(name):
            turn = thing.turn_deg + rng.gauss(0.0, noise.turn_deg)
        key = (thing.spot, name, x, y, thing.turn_deg)
        fresh = key not in self._seen_before
        self._seen_before.add(key)
        return Sight(thing.spot, at, loglik, turn, fresh)


def _is_drink(name: Appearance) -> bool:
    return shape_of(name) in SHAPES


def loglik_of(
    truth: Appearance, names: Sequence[Appearance], noise: TrialNoise, rng: Random
) -> dict[Appearance, float]:
    """Log-likelihoods of one thing."""
    family = next((each for each in FAMILIES if shape_of(truth) in each), ())
    likely = {truth: 0.0}
    if family and rng.random() < noise.confused:
        other = rng.choice([shape for shape in family if shape != shape_of(truth)])
        likely[f"{colour_of(truth)}/{other}"] = rng.uniform(-2.0, 2.0)
    return {name: likely.get(name, -SURE_NATS) + rng.gauss(0.0, noise.nats) for name in dict.fromkeys([*names, EMPTY])}


def _as_read(reading: Mapping[Appearance, float], names: Sequence[Appearance]) -> dict[Appearance, float]:
    """A reading, for what may lie there; what it says nothing of is as unlikely as its unlikeliest."""
    least = min(reading.values())
    return {name: reading.get(name, least) for name in dict.fromkeys([*names, EMPTY])}


def _frame_of(layout: Layout, found: Mapping[Spot, Sequence[LaidThing]]) -> Callable[[Point], Point]:
    """The turn and shift that carry the layout's frame onto the table, by all things that lie at places (least
    squares in the complex plane)."""
    expected = [(body.spot, body.at_mm) for body in layout.bodies]
    expected += [(place.spot, place.at_mm) for place in layout.places]
    pairs = [(complex(*at_mm), complex(*found[spot][0].at_mm)) for spot, at_mm in expected if spot in found]
    if not pairs:
        return lambda at_mm: at_mm
    here, there = (sum(each) / len(pairs) for each in zip(*pairs))
    spin = sum((b - there) * (a - here).conjugate() for a, b in pairs)
    turn = spin / abs(spin) if abs(spin) > 1e-9 else 1.0 + 0.0j

    def to_table(at_mm: Point) -> Point:
        at = there + turn * (complex(*at_mm) - here)
        return at.real, at.imag

    return to_table


def lay_tidily(layout: Layout, placement: Placement, changed: Mapping[Spot, int] | None = None) -> list[LaidThing]:
    """A placement as a tidy person lays it out.

    How a piece lies comes of where, and as which piece of its stack, so that a stack that changed looks so; `changed`
    tells the ply that last changed a spot, for stacks that are built anew.
    """
    zones, places = {zone.spot: zone for zone in layout.zones}, {place.spot: place for place in layout.places}
    things = [LaidThing(body.spot, body.appearance, body.at_mm, body.turn_deg) for body in layout.bodies]
    for spot, stack in placement.items():
        when = (changed or {}).get(spot, 0)
        if spot in places:
            is_covered = bool(placement.get(places[spot].under or ""))
            things += _on_place(places[spot], stack, is_covered, when)
        else:
            things += _in_zone(zones[spot], stack, when)
    return things


def _on_place(place: Place, stack: Sequence[Appearance], is_covered: bool, when: int) -> Iterator[LaidThing]:
    for height, name in enumerate(stack):
        is_top = height == len(stack) - 1
        yield _laid(place.spot, name, place.at_mm, height, f"{height}/{len(stack)}/{when}/{is_top}",
                    is_top and not is_covered)


def _in_zone(zone: Zone, stack: Sequence[Appearance], when: int) -> Iterator[LaidThing]:
    columns: dict[Appearance, int] = {}
    for height, name in enumerate(stack):
        column = _column(zone, name, height, columns)
        at = zone.corners_mm[0][0] + 8.0 + 37.0 * (column % 40), zone.corners_mm[0][1] + 8.0 + column // 40
        is_top = zone.heap == "spread" or name not in stack[height + 1:]
        is_seen = is_top and not (zone.heap == "pile" and height < len(stack) - 1)
        layer = str(stack.count(name)) if zone.heap == "alike" else f"{height}/{len(stack)}/{when}"
        yield _laid(zone.spot, name, at, height, f"{layer}/{is_top}", is_seen)


def _column(zone: Zone, name: Appearance, height: int, columns: dict[Appearance, int]) -> int:
    """Which of the points of a zone a piece lies at: equal ones on one pile, drinks each always at its own."""
    if zone.heap == "alike":
        return columns.setdefault(name, len(columns))
    if zone.heap == "pile":
        return 0
    return Random(f"{zone.spot}/{name}").randrange(1000) if _is_drink(name) else height


def _laid(spot: Spot, name: Appearance, at: Point, height: int, layer: str, is_seen: bool) -> LaidThing:
    """A piece, up to a millimetre off its point and turned somehow, always the same in the same layer."""
    rng = Random(f"{spot}/{name}/{layer}")
    at = at[0] + rng.uniform(-1.0, 1.0), at[1] + rng.uniform(-1.0, 1.0)
    return LaidThing(spot, name, at, rng.uniform(-180.0, 180.0), float(height), float(is_seen))
