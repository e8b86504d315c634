"""Footprints of bodies on the table: their outlines, and the slots of crates with their openings."""

from __future__ import annotations

import numpy as np

from companion.table import Body, Point
from companion.table.crate import RIM_MM, SLOT_MM, SLOTS, slot_mm
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin

BLOCK_MM = 1.6 * RIM_MM
"""Slots are looked at up to this height above the table."""


def slot_centres_mm(crate: Body) -> Floats:
    """Centres (6, 2) in mm of a crate's slots, in the frame the crate is given in: front row first, left to right."""
    own = np.array([slot_mm(column, row) for row in range(SLOTS[1]) for column in range(SLOTS[0])])
    return np.asarray(own @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def opening_mm(crate: Body, centre_mm: Floats) -> Floats:
    """Corners (4, 2) in mm of the opening of the slot with this centre (2,)."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(SLOT_MM) / 2
    return np.asarray(corners @ spin(crate.turn_deg).T + centre_mm, np.float64)


def outline_mm(crate: Body) -> Floats:
    """Corners (4, 2) in mm of a crate's footprint."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(crate.size_mm[:2]) / 2
    return np.asarray(corners @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def is_within(body: Body, at_mm: Point) -> bool:
    """Whether a point lies within the footprint of a body."""
    off = np.subtract(at_mm, body.at_mm) @ spin(body.turn_deg)
    return bool((np.abs(off) < np.array(body.size_mm[:2]) / 2).all())
