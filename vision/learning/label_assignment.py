"""Assignment of labels: the things that people mean when they name what stands at a spot; and the certainty of
things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.table import EMPTY, SHAPES, Appearance, Layout, Place, Placement, Sight, Spot, shape_of

CERTAIN = 0.99
"""A reading with at least this probability is certain: as much as a ply must have to be given out unasked."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSight:
    """A sight with its label, and the place on which it lies; None in a zone."""

    sight: Sight
    name: Appearance
    place: Place | None = None

    @property
    def floor_mm(self) -> float:
        """The height of its foot above the table (mm)."""
        return 0.0 if self.place is None else self.place.floor_mm


def labelled_sights(sights: Iterable[Sight], layout: Layout, labels: Placement) -> Iterator[LabelledSight]:
    """The things that are named by what stands at some spots, as far as the assignment is unambiguous: what lies on top
    of a place, and in a zone the one thing that is left without those that are certain."""
    places = {place.spot: place for place in layout.places}
    piles = {zone.spot for zone in layout.zones if zone.heap == "pile"}
    zones = {zone.spot for zone in layout.zones}
    seen: dict[Spot, list[Sight]] = {}
    for sight in sights:
        if sight.likeliest != EMPTY or sight.spot not in zones:
            seen.setdefault(sight.spot, []).append(sight)
    for spot, pieces in labels.items():
        names = list(pieces[-1:] if spot in places or spot in piles else dict.fromkeys(pieces))
        things = seen.get(spot, [])
        if spot in zones:
            things, names = _unclear(things, names)
        if len(things) == len(names) == 1:
            yield LabelledSight(things[0], _side(things[0], names[0]), places.get(spot))


def _unclear(things: list[Sight], names: list[Appearance]) -> tuple[list[Sight], list[Appearance]]:
    """The things that are not certain, and the names that no certain thing has."""
    certain = {_plain(sight.likeliest) for sight in things if is_certain(sight)}
    return ([sight for sight in things if not (is_certain(sight) and _plain(sight.likeliest) in names)],
            [name for name in names if name not in certain])


def _side(sight: Sight, name: Appearance) -> Appearance:
    """The likelier side of a piece that may lie on either (`NAME:back`)."""
    back = f"{name}:back"
    return back if sight.loglik.get(back, -np.inf) > sight.loglik.get(name, -np.inf) else name


def _plain(name: Appearance) -> Appearance:
    return name.removesuffix(":back")


def is_certain(sight: Sight) -> bool:
    """Whether the probability of a thing's likeliest appearance is at least `CERTAIN`."""
    return bool(log_share(sight, sight.likeliest) >= np.log(CERTAIN))


def log_share(sight: Sight, name: Appearance) -> float:
    """The logarithm of the normalised likelihood of a name among all (uniform prior)."""
    return float(sight.loglik.get(name, -np.inf) - np.logaddexp.reduce(list(sight.loglik.values())))


def lead_nats(sight: Sight, name: Appearance) -> float:
    """The lead of a name in nats: its log-likelihood less that of the best other one."""
    others = [nats for other, nats in sight.loglik.items() if other != name]
    return float(sight.loglik.get(name, -np.inf) - max(others, default=-np.inf))


def is_drink(name: Appearance) -> bool:
    """Whether an appearance is a drink's: of those there is one each."""
    return shape_of(name) in SHAPES
