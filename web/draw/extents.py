"""Upright rectangles in the drawing frame: millimetres, x to the right, y down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, inf, radians, sin

from companion.table import Point

TRAY_GAP_MM = 3.5
"""Between trays, and around everything."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Millimetres across."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Millimetres down."""
        return self.bottom - self.top

    def grown(self, by_mm: float) -> Extent:
        """The same, larger on all four sides."""
        return Extent(self.left - by_mm, self.top - by_mm, self.right + by_mm, self.bottom + by_mm)


NOWHERE = Extent(inf, inf, -inf, -inf)
"""Holds nothing; grows by `with_square`."""


def extent_of(at_mm: Point, size_mm: Point, turn_deg: float) -> Extent:
    """The extent of a turned rectangle given in the layout's frame."""
    turn = radians(turn_deg)
    wide = abs(size_mm[0] * cos(turn)) + abs(size_mm[1] * sin(turn))
    deep = abs(size_mm[0] * sin(turn)) + abs(size_mm[1] * cos(turn))
    x, y = at_mm[0], -at_mm[1]
    return Extent(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2)


def union(extents: Iterable[Extent]) -> Extent:
    """The least extent that holds all these; without any an empty one."""
    found = list(extents)
    if not found:
        return Extent(0, 0, 0, 0)
    return Extent(min(e.left for e in found), min(e.top for e in found),
                  max(e.right for e in found), max(e.bottom for e in found))


def with_square(extent: Extent, at: Point, half_mm: float) -> Extent:
    """The extent grown to hold a square of half side `half_mm` around a point."""
    return Extent(min(extent.left, at[0] - half_mm), min(extent.top, at[1] - half_mm),
                  max(extent.right, at[0] + half_mm), max(extent.bottom, at[1] + half_mm))


def within(middle: float, half: float, low: float, high: float) -> float:
    """The middle, shifted so that the stretch of `half` to both sides stays between the ends, where it fits."""
    return (low + high) / 2 if high - low < 2 * half else min(max(middle, low + half), high - half)
