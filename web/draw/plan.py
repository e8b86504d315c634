"""Where everything is drawn: bodies and places where the layout has them, zones as trays around them (`trays.py`).

What says nothing is left away, so that the board is large on a phone: bodies that carry nothing, and what a board has
beyond its outermost places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.table import Appearance, Body, Layout, Placement, Spot, Zone
from web.draw.drawn_pieces import DrawnPiece, draw_pieces, room_in, smallest_sizes
from web.draw.extents import TRAY_GAP_MM, Extent, extent_of, union
from web.draw.labels import Label, axes, numbers
from web.draw.trays import Surroundings, Tray, make_trays

BODY_MARGIN_MM = 9.0
"""How much of a body is drawn around its outermost places."""
NUMBER_SHARE = 1 / 24
"""How large the numbers of bodies are, by the drawing's width."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole drawing: `view` is its outer extent, `core` that of bodies and places."""

    view: Extent
    core: Extent
    bodies: tuple[Body, ...]
    trays: tuple[Tray, ...]
    pieces: tuple[DrawnPiece, ...]
    labels: tuple[Label, ...]

    def find(self, spot: Spot | None, appearance: Appearance) -> DrawnPiece | None:
        """That piece as drawn, the top one of a stack, or None."""
        found = [each for each in self.pieces if each.spot == spot and each.appearance == appearance]
        return max(found, key=lambda each: each.level, default=None)


def make_plan(layout: Layout, placement: Placement) -> Plan:
    """Plan the drawing of `placement` on `layout`."""
    bodies = tuple(_trimmed(body, layout) for body in layout.bodies if _says_something(body, layout, placement))
    core, inside = _core(layout, bodies)
    beside = axes(layout)
    framed = union([core, *(each.extent for each in beside)])
    sizes = smallest_sizes(layout)
    rooms = {zone.spot: room_in(zone, layout, sizes) for zone in layout.zones}
    trays = make_trays(layout, placement, Surroundings(core, framed, inside), rooms)
    whole = union([framed, *(tray.extent for tray in trays)])
    labels = (*beside, *numbers(bodies, layout, core, whole.width * NUMBER_SHARE))
    view = union([whole, *(each.extent for each in labels)]).grown(TRAY_GAP_MM)
    return Plan(view, core, bodies, trays, draw_pieces(layout, placement, trays, rooms), labels)


def _says_something(body: Body, layout: Layout, placement: Placement) -> bool:
    return body.spot in placement or any(place.on == body.spot for place in layout.places)


def _trimmed(body: Body, layout: Layout) -> Body:
    """The body no larger than its places and a margin; one that lies askew stays as it is."""
    on_it = [place for place in layout.places if place.on == body.spot]
    extents = [extent_of(place.at_mm, place.size_mm, place.turn_deg) for place in on_it]
    if body.turn_deg % 90 or not extents:
        return body
    own, whole = union(extents).grown(BODY_MARGIN_MM), extent_of(body.at_mm, body.size_mm[:2], body.turn_deg)
    left, right = max(own.left, whole.left), min(own.right, whole.right)
    top, bottom = max(own.top, whole.top), min(own.bottom, whole.bottom)
    at_mm = ((left + right) / 2, -(top + bottom) / 2)
    return replace(body, at_mm=at_mm, size_mm=(right - left, bottom - top, body.size_mm[2]), turn_deg=0.0)


def _core(layout: Layout, bodies: tuple[Body, ...]) -> tuple[Extent, set[Spot]]:
    """The extent of bodies, places and the zones between them, and these zones."""
    extents = [extent_of(body.at_mm, body.size_mm[:2], body.turn_deg) for body in bodies]
    extents += [extent_of(place.at_mm, place.size_mm, place.turn_deg) for place in layout.places]
    core = union(extents)
    inside = [zone for zone in layout.zones if _lies_in(zone, core)]
    return union([core, *(_extent_of_zone(zone) for zone in inside)]), {zone.spot for zone in inside}


def _lies_in(zone: Zone, core: Extent) -> bool:
    """Whether the zone is between bodies and places, not at a side of them."""
    x, y = sum(x for x, _ in zone.corners_mm) / 4, -sum(y for _, y in zone.corners_mm) / 4
    return core.left < x < core.right and core.top < y < core.bottom


def _extent_of_zone(zone: Zone) -> Extent:
    return union([Extent(x, -y, x, -y) for x, y in zone.corners_mm])
