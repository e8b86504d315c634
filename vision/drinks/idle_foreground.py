"""Foreground in which no drink was found: a shadow, or what the rendering of a neighbour leaves over."""

from __future__ import annotations

import cv2
import numpy as np

from vision.drinks.foreground import BinaryImage
from vision.imaging.arrays import Mask
from vision.imaging.box import Box

NOISY_EDGE_PX = 2
"""Noise moves the edge of such foreground by this much."""


class IdleForeground:
    """Of one zone: it is not searched again until something near it changes. `mask` (h, w) in a `box`."""

    def __init__(self) -> None:
        self._box, self._mask = Box(0, 0, 0, 0), np.zeros((0, 0), np.uint8)

    def keep(self, box: Box, mask: BinaryImage) -> None:
        """What is idle now (h, w) in a box."""
        self._box, self._mask = box, mask

    def forget(self, box: Box, changed: Mask, reach_px: int) -> None:
        """Forget what is nearer than that to a change (h, w) in a box, and what lies outside."""
        near = cv2.dilate(changed.astype(np.uint8), np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8))
        rest = np.zeros_like(self._mask)
        if box.meets(self._box):
            there, here = box.overlap(self._box)
            rest[here] = self._mask[here] & (near[there] == 0)
        self._mask = rest

    def erase(self, mask: BinaryImage, box: Box) -> BinaryImage:
        """Erase from the foreground (h, w) in a box what is still idle, and give that: none but in the box that it was
        kept for."""
        if box != self._box:
            return np.zeros_like(mask)
        mask[cv2.dilate(self._mask, np.ones((2 * NOISY_EDGE_PX + 1, 2 * NOISY_EDGE_PX + 1), np.uint8)) > 0] = 0
        return self._mask
