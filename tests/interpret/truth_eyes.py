"""What perfect eyes, or eyes with a known share of errors, would say of a picture set: made from its truth."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.table import (
    EMPTY,
    SHAPES,
    Appearance,
    Layout,
    Observation,
    Placement,
    Point,
    Sight,
    Spot,
    colour_of,
    shape_of,
    standing,
)

SEEN_ENOUGH = 0.3
SURE_NATS = 30.0
CANS = SHAPES[:3]
BOTTLES = SHAPES[4:]


@dataclass(frozen=True, slots=True)
class Noise:
    """How eyes err. The same error comes back while a thing stands where it stands."""

    seed: int = 0
    nats: float = 1.0
    """Standard deviation of each log-likelihood."""
    confused: float = 0.1
    """Share of the drinks that look as much like another shape of their family as like their own."""
    at_mm: float = 0.5
    turn_deg: float = 2.0
    missed: float = 0.01
    """Share of the drinks in zones that are not seen; flat pieces, which nothing hides, are missed ten times less."""
    extra: float = 0.005
    """Share of the zones in which a thing is seen that is none."""


@dataclass(slots=True)
class TruthEyes:
    """Observations of one set. `pieces` are those of `set.json`; `layout` has the spots of the game."""

    layout: Layout
    pieces: Sequence[Mapping[str, Any]]
    noise: Noise | None = None
    _last: dict[tuple[Any, ...], None] = field(default_factory=dict)

    def look(self, truth: Mapping[str, Any]) -> Observation:
        """What is seen of one free frame, given its line of `frames.jsonl`."""
        spots = {each.spot for part in (self.layout.bodies, self.layout.places, self.layout.zones) for each in part}
        found: dict[Spot, list[Mapping[str, Any]]] = {}
        for piece in truth["pieces"]:
            found.setdefault(our_spot(piece, spots), []).append(piece)
        now = standing(self.layout, {spot: (each[-1]["appearance"],) for spot, each in found.items()})
        to_table = rigid(self.layout, found)
        at_s = float(truth["frame"])
        rng = Random(f"{self.noise and self.noise.seed}/{truth['frame']}")
        sights = [
            self._sight(body.spot, found[body.spot][0], (body.appearance,))
            for body in now.bodies if body in self.layout.bodies and body.spot in found
        ]
        cells = [place for place in self.layout.places if any(place.spot == body.spot for body in now.bodies)]
        near = [place for place in self.layout.places if place.kinds == ("crate",) and any(
            math.dist(place.at_mm, cell.at_mm) < 100.0 for cell in cells
        )]
        for place in (*near, *now.places):
            sights += self._at_place(place, found, to_table)
        for zone in now.zones:
            sights += self._in_zone(zone, found.get(zone.spot, ()), to_table, rng)
        return Observation(at_s, tuple(sights), frozenset(zone.spot for zone in now.zones))

    def _at_place(self, place: Any, found: Mapping[Spot, list[Mapping[str, Any]]], to_table: Any) -> Iterator[Sight]:
        stack = found.get(place.spot, ())
        names = self._names(place.kinds)
        if stack:
            top = max(stack, key=lambda piece: piece["z"])
            if top["visible"] >= SEEN_ENOUGH:
                yield self._sight(place.spot, top, names)
        elif place.under is None or place.under not in found:
            yield self._sight(place.spot, {"appearance": EMPTY, "at": to_table(place.at_mm), "turn": None}, names)

    def _in_zone(self, zone: Any, there: Sequence[Mapping[str, Any]], to_table: Any, rng: Random) -> Iterator[Sight]:
        names = self._names(zone.kinds)
        noise = self.noise
        for piece in there:
            missed = 0.0 if noise is None else noise.missed / (1 if "/" in piece["appearance"] else 10)
            if piece["visible"] >= SEEN_ENOUGH and not rng.random() < missed:
                yield self._sight(zone.spot, piece, names)
        if noise and rng.random() < noise.extra and names:
            (x0, y0), _, (x1, y1), _ = zone.corners_mm
            at = to_table((rng.uniform(x0, x1), rng.uniform(y0, y1)))
            yield self._sight(zone.spot, {"appearance": rng.choice(names), "at": at, "turn": 0.0}, names)

    def _names(self, kinds: Sequence[str]) -> list[Appearance]:
        return [piece["name"] for piece in self.pieces if piece["kind"] in kinds]

    def _sight(self, spot: Spot, piece: Mapping[str, Any], names: Sequence[Appearance]) -> Sight:
        """One thing as these eyes see it; while it stays where it is, the same reading again, no longer fresh."""
        name, (x, y), turn = piece["appearance"], piece["at"], piece["turn"]
        rng = Random(f"{self.noise and self.noise.seed}/{spot}/{name}/{x:.2f}/{y:.2f}")
        noise = self.noise or Noise(nats=0.0, confused=0.0, at_mm=0.0, turn_deg=0.0)
        loglik = reading(name, names, noise, rng)
        at = (x + rng.gauss(0.0, noise.at_mm), y + rng.gauss(0.0, noise.at_mm))
        is_flat = "/" not in name and name != EMPTY
        key = (spot, name, x, y, turn)
        fresh = key not in self._last
        self._last[key] = None
        return Sight(spot, at, loglik, turn + rng.gauss(0.0, noise.turn_deg) if is_flat else None, fresh)


def reading(truth: Appearance, names: Sequence[Appearance], noise: Noise, rng: Random) -> dict[Appearance, float]:
    """Log-likelihoods of one thing."""
    family = next((each for each in (CANS, BOTTLES) if "/" in truth and shape_of(truth) in each), ())
    likely = {truth: 0.0}
    if family and rng.random() < noise.confused:
        other = rng.choice([shape for shape in family if shape != shape_of(truth)])
        likely[f"{colour_of(truth)}/{other}"] = rng.uniform(-2.0, 2.0)
    return {name: likely.get(name, -SURE_NATS) + rng.gauss(0.0, noise.nats) for name in dict.fromkeys([*names, EMPTY])}


def our_spot(piece: Mapping[str, Any], spots: set[Spot]) -> Spot:
    """The name that our layout has for where a piece of the truth lies."""
    kind, *rest = piece["spot"].split(":")
    if "xy" in piece:
        return "slot:{},{}".format(*piece["xy"])
    if piece["appearance"].startswith("packing:"):
        return f"packing_crate:{rest[0]}:{rest[1]}"
    if kind == "yen":
        return f"yen:{rest[0]}:{int(rest[1]) % 2}"
    name = piece["spot"]
    while name not in spots:
        name = name.rpartition(":")[0]
        if not name:
            raise ValueError(f"no spot of the layout is {piece['spot']}")
    return str(name)


def rigid(layout: Layout, found: Mapping[Spot, Sequence[Mapping[str, Any]]]) -> Any:
    """The turn and shift that carry the layout's frame onto the table, by all pieces that lie at places."""
    pairs = [
        (complex(*place.at_mm), complex(*found[place.spot][0]["at"]))
        for place in (*layout.bodies, *layout.places) if place.spot in found
    ]
    if not pairs:
        return lambda at_mm: at_mm
    here, there = (sum(each) / len(pairs) for each in zip(*pairs))
    spin = sum((b - there) * (a - here).conjugate() for a, b in pairs)
    turn = spin / abs(spin) if abs(spin) > 1e-9 else 1.0 + 0.0j

    def to_table(at_mm: Point) -> Point:
        at = there + turn * (complex(*at_mm) - here)
        return at.real, at.imag

    return to_table


def placed(layout: Layout, placement: Placement, changes: Mapping[Spot, int] | None = None) -> list[dict[str, Any]]:
    """Truth pieces for a placement, laid out as a tidy person would: for games that were never pictured.

    A piece's turn is told by where and as which piece of its stack it lies, so that a stack that changed looks so;
    `changes` tells the ply that last changed a spot, for stacks that are built anew.
    """
    zones = {zone.spot: zone for zone in layout.zones}
    places = {place.spot: place for place in layout.places}
    pieces = [
        {"appearance": body.appearance, "at": body.at_mm, "turn": body.turn_deg, "spot": body.spot, "z": 0.0,
         "visible": 1.0}
        for body in layout.bodies
    ]
    for spot, stack in placement.items():
        slots: dict[Appearance, int] = {}
        for height, name in enumerate(stack):
            if spot in places:
                x, y = places[spot].at_mm
                is_top = height == len(stack) - 1
                under = places[spot].under
                seen = is_top and not (under and placement.get(under))
            else:
                zone = zones[spot]
                column = slots.setdefault(name, len(slots)) if zone.heap == "alike" else height
                if zone.heap == "spread":
                    column = Random(f"{spot}/{name}").randrange(1000) if "/" in name else height
                column = 0 if zone.heap == "pile" else column
                x, y = zone.corners_mm[0][0] + 8.0 + 37.0 * (column % 40), zone.corners_mm[0][1] + 8.0 + column // 40
                is_top = zone.heap == "spread" or name not in stack[height + 1 :]
                seen = is_top and not (zone.heap == "pile" and height < len(stack) - 1)
            is_alike = spot in zones and zones[spot].heap == "alike"
            layer = stack.count(name) if is_alike else f"{height}/{len(stack)}/{(changes or {}).get(spot, 0)}"
            rng = Random(f"{spot}/{name}/{layer}/{is_top}")
            pieces.append({
                "appearance": name, "at": (x + rng.uniform(-1.0, 1.0), y + rng.uniform(-1.0, 1.0)),
                "turn": rng.uniform(-180.0, 180.0), "spot": spot, "z": 1.0 * height, "visible": 1.0 if seen else 0.0,
            })
    return pieces


def free_frames(folder: Path) -> list[dict[str, Any]]:
    """The lines of the free frames of a set."""
    with (folder / "frames.jsonl").open(encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if line["free"]]
