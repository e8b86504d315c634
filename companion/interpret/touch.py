"""Handled or left alone: what a flat piece's place and turn tell, when the face on top is the same at two looks.

Nobody lays a piece down exactly as another lay. So a stack that was handled shows another turn or another centre, even
where its face is the same: a coin on a coin of its kind, a tray on an equal one, the next coin of a supply.
"""

from __future__ import annotations

import math
from typing import Protocol

from companion.table import Point

SAME_MM, SAME_DEG = 0.5, 2.0
"""Standard deviations of what eyes measure of a piece that nobody touched."""
NUDGED_MM, NUDGED_DEG = 1.8, 5.0
"""The same of a piece that a sleeve brushed."""
NUDGED_SHARE = 0.02
"""So often a piece is nudged between two looks: about once in fifty."""
LIFTED_SHARE = 0.0005
"""So often one is taken up and put back by someone who only wants to look at it."""
LAID_MM = 2.0
"""Standard deviation of where a piece is laid on a stack."""
QUARTER_DEG = 4.0
"""The same of the turn of square pieces from the nearest quarter turn."""


class Laid(Protocol):
    """Something flat, where it was measured."""

    @property
    def at_mm(self) -> Point:
        """Its centre in the table frame."""

    @property
    def turn_deg(self) -> float | None:
        """Its turn, None where it cannot be seen."""


def touch_nats(was: Laid, now: Laid, quarter: bool) -> tuple[float, float]:
    """The costs in nats of "left alone" and of "handled", the smaller of them 0. Both are 0 where no turn is known.

    `quarter`: square pieces, which people lay straight.
    """
    if was.turn_deg is None or now.turn_deg is None:
        return 0.0, 0.0
    moved_mm = math.dist(was.at_mm, now.at_mm)
    turned_deg = abs((now.turn_deg - was.turn_deg + 180.0) % 360.0 - 180.0)
    handled = _plane(moved_mm, LAID_MM) * _laid_turn(turned_deg, quarter)
    alone = (
        (1.0 - NUDGED_SHARE - LIFTED_SHARE) * _plane(moved_mm, SAME_MM) * _line(turned_deg, SAME_DEG)
        + NUDGED_SHARE * _plane(moved_mm, NUDGED_MM) * _line(turned_deg, NUDGED_DEG)
        + LIFTED_SHARE * handled
    )
    ratio = math.log(alone / handled) if handled > 1e-30 else 0.0
    return max(0.0, -ratio), max(0.0, ratio)


def _plane(distance_mm: float, sigma_mm: float) -> float:
    """Density of a normal distribution in the plane."""
    return math.exp(-((distance_mm / sigma_mm) ** 2) / 2) / (2 * math.pi * sigma_mm**2)


def _line(offset: float, sigma: float) -> float:
    return math.exp(-((offset / sigma) ** 2) / 2) / (math.sqrt(2 * math.pi) * sigma)


def _laid_turn(turned_deg: float, quarter: bool) -> float:
    """Density of the turn between two pieces laid one after the other: any; of squares, mostly by quarters."""
    if not quarter:
        return 1.0 / 360.0
    off = abs((turned_deg + 45.0) % 90.0 - 45.0)
    return 0.2 / 360.0 + 0.8 * _line(off, QUARTER_DEG) / 4.0
