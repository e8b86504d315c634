"""What stands before other things: drinks that were read, and bodies that are no drinks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.imaging.arrays import Floats, Mask
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.polygons import fill_convex
from vision.photometry.background_model import Lab, nearest_table

DRAWN_LIGHT = (0.75, 1.3)
"""By these factors a drink that was read may be seen darker or lighter than it is drawn."""

MIN_SHARE = 0.05
"""The colours of a drink are not worked out from a smaller share of a pixel."""

HIDES = 0.2
"""A pixel of which a nearer drink covers more than this tells nothing of one behind it."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A drink that was read, as it should look: `colours` (h, w, 3) in a box, times the `share` (h, w, 3) of each
    pixel's lightness and colours that it covers. `far_mm`: how far from the point below the camera it stands."""

    box: Box
    colours: Lab
    share: Lab
    far_mm: float

    def lay_over(self, ground: Lab, seen: Lab, box: Box) -> None:
        """Put the drink on the ground (h, w, 3) in a box, in the light in which it is nearest to what is seen there."""
        there, here = self.box.overlap(box)
        share, colours = self.share[there], self.colours[there]
        alone = (colours / np.maximum(share, MIN_SHARE)).astype(np.float32)
        whole = nearest_table(seen[here], alone, DRAWN_LIGHT)
        ground[here] += (whole - ground[here]) * share

    def hide(self, hidden: Mask, box: Box) -> None:
        """Mark (h, w) in a box what is hidden behind it."""
        there, here = self.box.overlap(box)
        hidden[here] |= self.share[there][..., 1] > HIDES


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Something that is no drink: its convex outline (n, 2) as it is seen, and how high it is."""

    outline_px: Floats
    height_mm: float

    @cached_property
    def box(self) -> Box:
        """The part of the picture in which it is seen."""
        return box_around(self.outline_px, 1)

    def covers(self, view: View, box: Box, far_mm: float) -> Mask:
        """Where (h, w) in a box it is seen before what stands so far from the point below the camera."""
        seen = np.zeros((box.height, box.width), np.uint8)
        fill_convex(seen, self.outline_px - (box.left, box.top), 1)
        rows, columns = np.nonzero(seen)
        if len(rows):
            px = np.column_stack([columns, rows]) + np.array([box.left, box.top], np.float64)
            off_mm = view.to_table(px, self.height_mm) - view.position_mm[:2]
            seen[rows, columns] = np.linalg.norm(off_mm, axis=1) < far_mm
        return seen > 0


def far_mm(view: View, foot_mm: Floats) -> float:
    """How far from the point below the camera something stands: what is nearer hides what is farther."""
    return float(np.linalg.norm(np.asarray(foot_mm)[:2] - view.position_mm[:2]))
