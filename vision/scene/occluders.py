"""Occluders: drinks that were read, and bodies that are no drinks."""

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
"""Limits of the factor by which a drink that was read may be darker or lighter than it is drawn."""

MIN_SHARE = 0.05
"""The least share by which premultiplied colours are divided."""

HIDES = 0.2
"""A pixel of which a nearer drink covers more than this share is occluded for those behind it."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The rendering of a drink that was read: `colours` (h, w, 3) in a box, premultiplied by the `share` (h, w, 3) of
    each pixel's lightness and colours that it covers. `far_mm`: its distance from the point below the camera."""

    box: Box
    colours: Lab
    share: Lab
    far_mm: float

    def lay_over(self, ground: Lab, seen: Lab, box: Box) -> None:
        """Blend the drink into the ground (h, w, 3) in a box, in the light in which it is nearest to what is seen."""
        there, here = self.box.overlap(box)
        share, colours = self.share[there], self.colours[there]
        alone = (colours / np.maximum(share, MIN_SHARE)).astype(np.float32)
        whole = nearest_table(seen[here], alone, DRAWN_LIGHT)
        ground[here] += (whole - ground[here]) * share

    def hide(self, hidden: Mask, box: Box) -> None:
        """Mark (h, w) the pixels of a box that it occludes."""
        there, here = self.box.overlap(box)
        hidden[here] |= self.share[there][..., 1] > HIDES


@dataclass(frozen=True, eq=False)
class Obstacle:
    """An occluder that is no drink: its convex outline (n, 2) in px, and its height above the table."""

    outline_px: Floats
    height_mm: float

    @cached_property
    def box(self) -> Box:
        """The bounding box of its outline."""
        return box_around(self.outline_px, 1)

    def covers(self, view: View, box: Box, far_mm: float) -> Mask:
        """Where (h, w) in a box it occludes what stands at this distance from the point below the camera."""
        seen = np.zeros((box.height, box.width), np.uint8)
        fill_convex(seen, self.outline_px - (box.left, box.top), 1)
        rows, columns = np.nonzero(seen)
        if len(rows):
            px = np.column_stack([columns, rows]) + np.array([box.left, box.top], np.float64)
            off_mm = view.to_table(px, self.height_mm) - view.position_mm[:2]
            seen[rows, columns] = np.linalg.norm(off_mm, axis=1) < far_mm
        return seen > 0


def far_mm(view: View, foot_mm: Floats) -> float:
    """The distance of a foot (2,) or (3,) from the point below the camera: what is nearer occludes what is farther."""
    return float(np.linalg.norm(np.asarray(foot_mm)[:2] - view.position_mm[:2]))
