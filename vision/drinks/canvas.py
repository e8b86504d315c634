"""The canvas on which the hypotheses of one place are painted, at the scale of the picture and at half of it."""

from __future__ import annotations

from dataclasses import dataclass

from vision.drinks.crop import COARSE_FACTOR
from vision.drinks.drink_pose import DrinkPose, paint_rings
from vision.drinks.ring_raster import Painted
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats
from vision.imaging.box import Box


@dataclass(frozen=True, slots=True, eq=False)
class ShapePose:
    """A shape at one turn, with its rings (n, points, 2) in px of the picture; `small`: painted at half scale."""

    shape: str
    turn_deg: float
    rings_px: Floats
    small: Painted


class Canvas:
    """A box of the picture, and the same at half scale, to paint drinks on that may stand at a pose. `opening_px` (n,
    2) is that of its slot; `to_table` is as in `sectors_of`."""

    def __init__(self, pose: DrinkPose, opening_px: Floats | None, box: Box, to_table: Floats) -> None:
        self._pose, self.opening_px, self._box, self.to_table = pose, opening_px, box, to_table
        self._small_box = Box(0, 0, box.width // COARSE_FACTOR, box.height // COARSE_FACTOR)

    def paint(self, solid: Solid, rings_px: Floats) -> Painted:
        """Paint a solid with these rings in px of the picture."""
        return paint_rings(solid, self._pose, self._box, rings_px, self.opening_px)

    def paint_small(self, solid: Solid, rings_px: Floats) -> Painted:
        """The same at half scale."""
        opening = None if self.opening_px is None else self.small_px(self.opening_px)
        return paint_rings(solid, self._pose, self._small_box, self.small_px(rings_px), opening)

    def box_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box."""
        return points_px - (self._box.left, self._box.top)

    def small_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box at half scale; pixel centres have whole coordinates."""
        return (self.box_px(points_px) - (COARSE_FACTOR - 1) / 2) / COARSE_FACTOR
