"""Where a layout lies on the real table, as people said: all of it moved and turned, and zones put elsewhere.

    laid = Laid(at_mm=(210.0, 150.0), turn_deg=3.0, moved={"stock:0": corners})
    areas(layout, laid)     # corners by spot, in the table frame: of zones, bodies, and the block
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.table.layout import Layout
from companion.table.pieces import Point, Spot

Corners = tuple[Point, Point, Point, Point]
"""Those of an area in millimetres, anticlockwise from the front left."""
FRONT_DEG: Final = -90.0
"""The direction in which seat 0 sits of a layout that is not turned."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The layout's middle lies at `at_mm` of the table frame, turned anticlockwise by `turn_deg`. Zones in `moved` have
    corners of their own, in the table frame; all others lie as the layout has them."""

    at_mm: Point
    turn_deg: float = 0.0
    moved: Mapping[Spot, Corners] = field(default_factory=dict)

    def of(self, layout: Layout, at_mm: Point) -> Point:
        """A point of the layout, in the table frame."""
        x, y = (here - middle for here, middle in zip(at_mm, middle_of(layout)))
        return _placed(self.at_mm, self.turn_deg, x, y)

    def directions(self, seats: int) -> dict[int, float]:
        """The direction in degrees in which each of so many players sits, anticlockwise from seat 0."""
        return {seat: (FRONT_DEG + self.turn_deg + 360.0 * seat / seats) % 360.0 for seat in range(seats)}


def as_drawn(layout: Layout) -> Laid:
    """As it is taken to lie before anybody says anything: its front left corner at the first tag card."""
    return Laid(middle_of(layout))


def middle_of(layout: Layout) -> Point:
    """The point of the layout that it turns about: the middle of its bodies, or of all that it draws."""
    if not layout.bodies:
        return layout.size_mm[0] / 2, layout.size_mm[1] / 2
    count = len(layout.bodies)
    return (sum(body.at_mm[0] for body in layout.bodies) / count, sum(body.at_mm[1] for body in layout.bodies) / count)


def areas(layout: Layout, laid: Laid) -> dict[Spot, Corners]:
    """All areas that the layout names, in the table frame: its zones, its bodies, and the block in which they stand."""
    found = {spot: _moved(layout, laid, corners) for spot, corners in unmoved(layout).items()}
    return found | {spot: corners for spot, corners in laid.moved.items() if spot in found}


def unmoved(layout: Layout) -> dict[Spot, Corners]:
    """The same areas in the layout's own frame; what carries others comes first."""
    found = {body.spot: _box(body.at_mm, body.size_mm[:2], body.turn_deg) for body in layout.bodies}
    if layout.block is not None and layout.block not in found:
        found = {layout.block: _block(layout), **found}
    return found | {zone.spot: zone.corners_mm for zone in layout.zones}


def _block(layout: Layout) -> Corners:
    """Around all bodies and places, with the layout's middle in its middle."""
    x, y = middle_of(layout)
    reach = [(body.at_mm, body.size_mm[:2]) for body in layout.bodies]
    reach += [(place.at_mm, place.size_mm) for place in layout.places]
    wide = max((abs(at[0] - x) + size[0] / 2 for at, size in reach), default=x)
    deep = max((abs(at[1] - y) + size[1] / 2 for at, size in reach), default=y)
    return _box((x, y), (2 * wide, 2 * deep), 0.0)


def _box(at_mm: Point, size_mm: Point, turn_deg: float) -> Corners:
    w, d = size_mm[0] / 2, size_mm[1] / 2
    a, b, c, e = (_placed(at_mm, turn_deg, x, y) for x, y in ((-w, -d), (w, -d), (w, d), (-w, d)))
    return a, b, c, e


def _placed(at_mm: Point, turn_deg: float, x_mm: float, y_mm: float) -> Point:
    """Where a point of something lies that lies there, turned so."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return at_mm[0] + x_mm * cos - y_mm * sin, at_mm[1] + x_mm * sin + y_mm * cos


def _moved(layout: Layout, laid: Laid, corners: Corners) -> Corners:
    a, b, c, d = (laid.of(layout, corner) for corner in corners)
    return a, b, c, d
