"""Bodies from above: their outlines, and the slots of crates with their openings."""

from __future__ import annotations

import numpy as np

from companion.table import Body, Point
from vision.camera import Floats, spin
from vision.crates import WALL_MM

FLOOR_MM = 1.2
"""Height of a crate's floor above the table."""

SLOTS = (2, 3)
"""Slots of a crate along its x and y."""


def slot_centres_mm(crate: Body) -> Floats:
    """Centres (6, 2) of a crate's slots in the frame the crate is given in: front row first, left to right."""
    across, deep = crate.size_mm[0], crate.size_mm[1]
    pitch = ((across - WALL_MM) / SLOTS[0], (deep - WALL_MM) / SLOTS[1])
    own = [((column - (SLOTS[0] - 1) / 2) * pitch[0], (row - (SLOTS[1] - 1) / 2) * pitch[1])
           for row in range(SLOTS[1]) for column in range(SLOTS[0])]
    return np.asarray(np.array(own) @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def opening_mm(crate: Body, centre_mm: Floats) -> Floats:
    """Corners (4, 2) of the opening of the slot with this centre."""
    half = [(size - WALL_MM) / slots / 2 - WALL_MM / 2 for size, slots in zip(crate.size_mm, SLOTS)]
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return np.asarray(corners @ spin(crate.turn_deg).T + centre_mm, np.float64)


def outline_mm(crate: Body) -> Floats:
    """Corners (4, 2) of a crate."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(crate.size_mm[:2]) / 2
    return np.asarray(corners @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def is_within(body: Body, at_mm: Point) -> bool:
    """Whether a point lies within the outline of a body."""
    off = np.subtract(at_mm, body.at_mm) @ spin(body.turn_deg)
    return bool((np.abs(off) < np.array(body.size_mm[:2]) / 2).all())
