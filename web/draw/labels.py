"""What words call a body, a column or a row by, written beside the board."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.table import Body, Layout, Point
from web.draw.extents import Extent, extent_of, union

AXIS_SHARE = 0.062
"""How large letters and figures along a grid are, by its width."""
CELL_SPOT = re.compile(r"^[^:]+:([a-z])(\d)$")
"""A cell of a grid, such as `grid:c4`."""
NUMBERED_SPOT = re.compile(r"^\D.*:(\d)$")
"""A body with a number, such as `crate:2`."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text around a point, `size_mm` high."""

    text: str
    at: Point
    size_mm: float

    @property
    def extent(self) -> Extent:
        """The room it takes."""
        return Extent(*self.at, *self.at).grown(0.55 * self.size_mm)


def axes(layout: Layout) -> tuple[Label, ...]:
    """Column letters and row figures along a grid whose cells are named like `c4`."""
    cells = [(cell[1], cell[2], place) for place in layout.places if (cell := CELL_SPOT.match(place.spot))]
    if not cells:
        return ()
    edge = union([extent_of(place.at_mm, place.size_mm, place.turn_deg) for _, _, place in cells])
    size = edge.width * AXIS_SHARE
    columns = {column: place.at_mm[0] for column, _, place in cells}
    rows = {row: -place.at_mm[1] for _, row, place in cells}
    low = [Label(name, (x, edge.bottom + 0.95 * size), size) for name, x in columns.items()]
    left = [Label(name, (edge.left - 0.9 * size, y), size) for name, y in rows.items()]
    return (*low, *left)


def numbers(bodies: tuple[Body, ...], layout: Layout, core: Extent, size_mm: float) -> tuple[Label, ...]:
    """Numbers of bodies whose places have no names of their own: outside of the board, or beside what lies amidst."""
    celled = {place.on for place in layout.places if CELL_SPOT.match(place.spot)}
    found = [(match[1], body) for body in bodies
             if body.spot not in celled and (match := NUMBERED_SPOT.match(body.spot))]
    return tuple(Label(number, _beside(body, core, size_mm), size_mm) for number, body in found)


def _beside(body: Body, core: Extent, size_mm: float) -> Point:
    """Where a body's number stands."""
    own, middle = extent_of(body.at_mm, body.size_mm[:2], body.turn_deg), (core.top + core.bottom) / 2
    x, y = (own.left + own.right) / 2, (own.top + own.bottom) / 2
    if abs(y - middle) < core.height / 4:
        return own.left - 0.6 * size_mm, y
    return x, own.bottom + 0.75 * size_mm if y > middle else own.top - 0.75 * size_mm
