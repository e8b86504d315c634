"""Where a zone changed since it was read: drinks are sought there alone, whatever else is foreground."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.drinks.foreground import BinaryImage
from vision.imaging.arrays import Mask
from vision.imaging.box import Box


@dataclass(frozen=True, slots=True, eq=False)
class ZoneChanges:
    """What changed: a `mask` (h, w) in a `box` of the picture."""

    box: Box
    mask: Mask

    def near(self, box: Box, reach_px: int) -> BinaryImage:
        """What lies in another box (h, w) no farther than that from a change: 1 there, else 0."""
        around = Box(box.left - reach_px, box.top - reach_px, box.width + 2 * reach_px, box.height + 2 * reach_px)
        changed = np.zeros((around.height, around.width), np.uint8)
        if around.meets(self.box):
            here, there = around.overlap(self.box)
            changed[here] = self.mask[there]
        near = cv2.dilate(changed, np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8))
        return np.asarray(near[reach_px:reach_px + box.height, reach_px:reach_px + box.width], np.uint8)
