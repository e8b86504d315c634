"""The pose of a drink, and its painting there: on the open table, or in the slot of a crate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from companion.table import Point
from vision.drinks.ring_raster import Painted, blank, paint, paint_polygon, project_rings
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats
from vision.imaging.box import Box
from vision.imaging.camera import View

HALO_PX = 4
"""Pixels this near to a drink are compared as well."""


@dataclass(frozen=True, slots=True, eq=False)
class DrinkPose:
    """A pose at which a drink stands or may stand: its foot's centre x, y, z (3,) in mm and its turn in degrees. In a
    crate `opening_mm` (corners, 2) is the slot's opening at the height `rim_mm`; what is lower is visible through it
    alone."""

    foot_mm: Floats
    turn_deg: float
    opening_mm: Floats | None = None
    rim_mm: float = 0.0

    @property
    def in_slot(self) -> bool:
        """Whether it stands in a crate; else it stands on the open table, at any turn."""
        return self.opening_mm is not None

    def opening_px(self, view: View) -> Floats | None:
        """The opening's corners (n, 2) in px of the picture; None on the open table."""
        return None if self.opening_mm is None else view.project_at(self.opening_mm, self.rim_mm)


def moved_to(pose: DrinkPose, foot_mm: Floats) -> DrinkPose:
    """A pose, with its slot's opening, translated so that the foot's centre is at x, y (2,) in mm."""
    by = np.asarray(foot_mm, np.float64) - pose.foot_mm[:2]
    opening = None if pose.opening_mm is None else pose.opening_mm + by
    return replace(pose, foot_mm=np.array([*foot_mm, pose.foot_mm[2]]), opening_mm=opening)


def stands_near(foot: Point, others: Iterable[Point], within_mm: float) -> bool:
    """Whether a foot is nearer than this to any of the others."""
    return any(dist(foot, other) < within_mm for other in others)


def paint_drink(view: View, solid: Solid, pose: DrinkPose, box: Box) -> Painted:
    """The visible part of the drink, clipped by the walls of its slot."""
    rings = project_rings(view, solid, pose.foot_mm, pose.turn_deg)
    return paint_rings(solid, pose, box, rings, pose.opening_px(view))


def paint_rings(solid: Solid, pose: DrinkPose, box: Box, rings_px: Floats, opening_px: Floats | None) -> Painted:
    """The visible part of the drink with its rings (n, points, 2) at these pixels; below the rim clipped to the
    opening."""
    painted = blank(box)
    if opening_px is None:
        paint(painted, box, rings_px)
        return painted
    above = int(np.searchsorted(solid.heights_mm + pose.foot_mm[2], pose.rim_mm))
    paint(painted, box, rings_px, last=above)
    window = blank(box)
    paint_polygon(window, box, opening_px, 1)
    painted *= window
    paint(painted, box, rings_px, first=above)
    return painted


def image_to_table(view: View, at_mm: Floats) -> Floats:
    """The matrix (2, 2) from directions in the picture to directions on the table, at a point."""
    here, right, up = view.project(np.asarray(at_mm) + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))
    return np.asarray(np.linalg.inv(np.column_stack([right - here, up - here])), np.float64)
