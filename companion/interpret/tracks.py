"""Things on the table, followed from look to look: what each may be, where it lies, which one it was before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.interpret.matching import WORST_NATS
from companion.table import EMPTY, Appearance, Point, Sight, Spot

SAME_FOOT_TOLERANCE_MM = 5.0
"""A piece seen this near to where one stood has not been moved; less than half a drink's width."""
UNMOVED_MM = 1.0
"""What is seen this near to where it stood was not even touched: nobody sets a piece down just so."""


@dataclass(frozen=True, slots=True)
class Track:
    """One thing in a zone, or at a place, through all looks at which it was there: mean costs by appearance, in nats.

    `back_nats` says of appearances by how much their other side is likelier to show, `feet_mm` says where it stands if
    it is one of these. At so many turns (`folds`) it looks the same: `turn_deg` is one of them.
    `stray_nats` is what it costs at least, as any piece that is not known to stand elsewhere.
    """

    spot: Spot
    at_mm: Point
    costs: Mapping[Appearance, float]
    looks: int = 1
    turn_deg: float | None = None
    back_nats: Mapping[Appearance, float] = field(default_factory=dict)
    stray_nats: float = 0.0
    feet_mm: Mapping[Appearance, Point] = field(default_factory=dict)
    folds: int = 1

    def at_if(self, name: Appearance) -> Point:
        """Where it stands, if it is of this appearance."""
        return self.feet_mm.get(name, self.at_mm)


def costs_of(sight: Sight) -> dict[Appearance, float]:
    """A sight's log-likelihoods as costs: 0 for the best appearance, at most `WORST_NATS`; `NAME:back` is a `NAME`."""
    best = max(sight.loglik.values(), default=0.0)
    costs = {name: min(WORST_NATS, best - value) for name, value in sight.loglik.items()}
    for back in _other_sides(sight):
        name = back.removesuffix(":back")
        costs[name] = min(costs[name], costs.pop(back))
    return costs


def _other_sides(sight: Sight) -> list[Appearance]:
    """The `NAME:back` of this sight that are the other sides of its `NAME`."""
    return [name for name in sight.loglik if name.endswith(":back") and name.removesuffix(":back") in sight.loglik]


def track_of(sight: Sight) -> Track:
    """A sight as a thing on the table; `looks` is 0 while its reading is repeated."""
    names = [back.removesuffix(":back") for back in _other_sides(sight)]
    back_nats = {name: sight.loglik[f"{name}:back"] - sight.loglik[name] for name in names}
    return Track(sight.spot, sight.at_mm, costs_of(sight), int(sight.fresh), sight.turn_deg, back_nats,
                 feet_mm=sight.feet_mm, folds=sight.folds)


def cost_at(place: Track, pieces: Sequence[Appearance]) -> float:
    """What a place says against these pieces lying there: the top one shows."""
    return place.costs.get(pieces[-1] if pieces else EMPTY, WORST_NATS)


def likeliest_of(thing: Track) -> Appearance:
    """What a thing looks most like."""
    return min(thing.costs, key=lambda name: thing.costs[name])


@dataclass(frozen=True, slots=True)
class Linked:
    """The things of a zone at two looks: `stayed` has the evidence of both, `went` the old, `came` the new."""

    stayed: tuple[Track, ...]
    went: tuple[Track, ...]
    came: tuple[Track, ...]
    only_went: bool = False
    """Whether nothing came, and all that stayed stands where it stood: none of it was touched."""


def link(old: Sequence[Track], new: Sequence[Track]) -> Linked:
    """Pair the things of two looks by place: the nearest first, at most `SAME_FOOT_TOLERANCE_MM` apart."""
    pairs = nearest(old, new, SAME_FOOT_TOLERANCE_MM)
    was, now = {id(a) for a, _ in pairs}, {id(b) for _, b in pairs}
    return Linked(
        stayed=tuple(_merged(a, b) for a, b in pairs),
        went=tuple(track for track in old if id(track) not in was),
        came=tuple(track for track in new if id(track) not in now),
        only_went=len(pairs) == len(new) and all(math.dist(a.at_mm, b.at_mm) < UNMOVED_MM for a, b in pairs),
    )


def nearest(old: Sequence[Track], new: Sequence[Track], most_mm: float) -> list[tuple[Track, Track]]:
    """Things of two looks in pairs, the nearest first taken, in the order of the old ones."""
    near = sorted(
        (distance, i, j) for i, a in enumerate(old) for j, b in enumerate(new)
        if (distance := math.dist(a.at_mm, b.at_mm)) <= most_mm
    )
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in near:
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    return [(old[i], new[j]) for i, j in sorted(partner.items())]


def _merged(old: Track, new: Track) -> Track:
    """One stand at two looks. Looks at a still table repeat their errors, so evidence is averaged, never added. A flat
    piece may have been turned over where it lies: of it only what is seen now counts."""
    if old.turn_deg is not None or new.turn_deg is not None:  # a back shows no turn
        return new
    if new.looks == 0:  # the eyes repeated their earlier reading
        return replace(new, costs=old.costs, looks=old.looks)
    looks = old.looks + new.looks
    names = old.costs.keys() | new.costs.keys()
    costs = {
        name: (old.costs.get(name, WORST_NATS) * old.looks + new.costs.get(name, WORST_NATS) * new.looks) / looks
        for name in names
    }
    return replace(new, costs=costs, looks=looks)
