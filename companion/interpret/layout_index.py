"""What interpretation needs to know of a layout: how zones are heaped, what hides what, what stands on what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.table import Heap, Layout, Place, Placement, Spot, Zone


@dataclass(frozen=True, slots=True)
class LayoutIndex:
    """`over` names for a place the one whose pieces hide it, `carrier` the place on which its own carrier stands, and
    `carriers` are all those places. `zone_over` names for a flat place the zone in which it lies, where pieces stand: a
    crate that was won, on its card.

    `flat` are the spots on which nothing stands upright: what lies there hides nothing, and eyes tell its face.
    `quarter` are the spots whose pieces people lay straight, at any quarter turn (squares); others are round.
    """

    bodies: frozenset[Spot]
    places: frozenset[Spot]
    heaps: Mapping[Spot, Heap]
    over: Mapping[Spot, Spot]
    zone_over: Mapping[Spot, Spot]
    carrier: Mapping[Spot, Spot]
    carriers: frozenset[Spot]
    flat: frozenset[Spot]
    quarter: frozenset[Spot]

    def heap(self, zone: Spot) -> Heap:
        """How the pieces of a zone lie."""
        return self.heaps.get(zone, "spread")

    def is_built_over(self, place: Spot, after: Placement) -> bool:
        """Whether pieces stand where a flat place lies, and what carries them: nothing is known of it then."""
        return place in self.zone_over and bool(after.get(self.zone_over[place]))

    def beneath(self, changed: Collection[Spot]) -> frozenset[Spot]:
        """The flat places that changed zones may lie over."""
        return frozenset(place for place, zone in self.zone_over.items() if zone in changed)

    def is_out_of_sight(self, place: Spot, after: Placement) -> bool:
        """Whether nobody can see the place while the pieces stand like this, so that it needs no evidence."""
        over, carrier = self.over.get(place), self.carrier.get(place)
        return (over is not None and bool(after.get(over))) or (carrier is not None and not after.get(carrier))


def index_layout(layout: Layout) -> LayoutIndex:
    """The same for a layout."""
    places = frozenset(place.spot for place in layout.places)
    flat = frozenset(each.spot for part in (layout.places, layout.zones) for each in part
                     if all(layout.kind(name).stance == "flat" for name in each.kinds))
    return LayoutIndex(
        bodies=frozenset(body.spot for body in layout.bodies),
        places=places,
        heaps={zone.spot: zone.heap for zone in layout.zones},
        over={place.spot: place.under for place in layout.places if place.under is not None},
        zone_over={place.spot: zone.spot for place in layout.places for zone in layout.zones
                   if place.spot in flat and zone.spot not in flat and _lies_in(place, zone)},
        carrier={place.spot: place.on for place in layout.places if place.on in places and place.on is not None},
        carriers=frozenset(place.on for place in layout.places if place.on in places),
        flat=flat,
        quarter=frozenset(place.spot for place in layout.places if place.outline == "rect"),
    )


def _lies_in(place: Place, zone: Zone) -> bool:
    """Whether all of a place is within a zone, both as the layout draws them."""
    return all(min(corner[axis] for corner in zone.corners_mm) <= place.at_mm[axis] - place.size_mm[axis] / 2
               and place.at_mm[axis] + place.size_mm[axis] / 2 <= max(corner[axis] for corner in zone.corners_mm)
               for axis in (0, 1))
