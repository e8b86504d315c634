"""Upright boxes in the drawing frame: millimetres, x to the right, y down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, inf, radians, sin

from companion.table import Point

GAP_MM = 3.5
"""Between trays, and around everything."""


@dataclass(frozen=True, slots=True)
class Box:
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

    def grown(self, by_mm: float) -> Box:
        """The same box, larger on all four sides."""
        return Box(self.left - by_mm, self.top - by_mm, self.right + by_mm, self.bottom + by_mm)


NOWHERE = Box(inf, inf, -inf, -inf)
"""Holds nothing; grows by `merge`."""


def box_of(at_mm: Point, size_mm: Point, turn_deg: float) -> Box:
    """The upright box around a turned rectangle given in the layout's frame."""
    turn = radians(turn_deg)
    wide = abs(size_mm[0] * cos(turn)) + abs(size_mm[1] * sin(turn))
    deep = abs(size_mm[0] * sin(turn)) + abs(size_mm[1] * cos(turn))
    x, y = at_mm[0], -at_mm[1]
    return Box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2)


def around(boxes: Iterable[Box]) -> Box:
    """The box that holds all these; without any an empty one."""
    found = list(boxes)
    if not found:
        return Box(0, 0, 0, 0)
    return Box(min(b.left for b in found), min(b.top for b in found),
               max(b.right for b in found), max(b.bottom for b in found))


def merge(box: Box, at: Point, half_mm: float) -> Box:
    """The box grown to hold a square of half side `half_mm` around a point."""
    return Box(min(box.left, at[0] - half_mm), min(box.top, at[1] - half_mm),
               max(box.right, at[0] + half_mm), max(box.bottom, at[1] + half_mm))


def within(middle: float, half: float, low: float, high: float) -> float:
    """The middle, shifted so that the stretch of `half` to both sides stays between the ends, where it fits."""
    return (low + high) / 2 if high - low < 2 * half else min(max(middle, low + half), high - half)
