"""The crate that the drinks come in: its dimensions in millimetres, and the positions of its slots."""

from __future__ import annotations

from typing import Final

from companion.table.pieces import Point

CRATE_MM: Final = (31.0, 46.0, 12.0)
WALL_MM: Final = 1.5
"""All walls, those between slots as those outside."""
FLOOR_MM: Final = 1.2
"""Height of the floor above the table."""
RIM_MM: Final = CRATE_MM[2]
"""Height of the rim above the table."""

SLOTS: Final = (2, 3)
"""Slots along a crate's x and y."""

PITCH_MM: Final = ((CRATE_MM[0] - WALL_MM) / SLOTS[0], (CRATE_MM[1] - WALL_MM) / SLOTS[1])
"""From one slot's centre to the next along x and y: a slot and one wall."""
SLOT_MM: Final = (PITCH_MM[0] - WALL_MM, PITCH_MM[1] - WALL_MM)
"""The opening of a slot along x and y."""


def slot_mm(column: int, row: int) -> Point:
    """The centre of a slot (mm) in the frame of its crate. Columns and rows are counted from 0 at the front left."""
    return (column - (SLOTS[0] - 1) / 2) * PITCH_MM[0], (row - (SLOTS[1] - 1) / 2) * PITCH_MM[1]
