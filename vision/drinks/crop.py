"""A small part of the picture that drinks are compared with, at subpixel offsets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.domain import Domain
from vision.drinks.lightness import as_light
from vision.drinks.loss import cauchy_loss, convex_bound
from vision.drinks.pattern_search import UNIT_PX, Offset
from vision.imaging.arrays import Mask, Values
from vision.photometry.background_model import Lab
from vision.photometry.difference import LOOKS_ALIKE, misfit

COARSE_FACTOR = 2
"""The downsampling of the coarse level: it localises drinks as well as full resolution does."""

ROUNDING = 1.001
"""Room for the numerical error of sums over many pixels, as a factor."""

ROOM = 256
"""For so many offsets there is room at first: more than most searches try."""


class Crop:
    """A part of the picture to explain, downsampled by `shrunk`: `seen` and `background` (h, w, 3) Lab, the `mask` (h,
    w) of pixels that are compared, and where (h, w) it is `shown`, that is, not occluded by anything nearer."""

    def __init__(self, seen: Lab, background: Lab, mask: Mask, shown: Mask, shrunk: int = 1) -> None:
        self.domain, self.seen, self.background, self.shown, self.shrunk = Domain(mask), seen, background, shown, shrunk
        self._numbers: dict[Offset, int] = {}
        self._shifted = np.empty((8, 0, len(self.domain.flat)), np.float32)

    def halved(self) -> Crop:
        """The same, downsampled by `COARSE_FACTOR`; height and width must be even."""
        mask, shown = (_whole_blocks(each) for each in (self.domain.mask, self.shown))
        seen, background = (cv2.resize(layer, mask.shape[::-1], interpolation=cv2.INTER_AREA)
                            for layer in (self.seen, self.background))
        return Crop(np.asarray(seen, np.float32), np.asarray(background, np.float32), mask, shown, COARSE_FACTOR)

    @cached_property
    def empty(self) -> float:
        """The loss of the background alone: the cost of an empty place."""
        mask = self.domain.mask
        return float(cauchy_loss(self.seen[mask].T, self.background[mask].T).sum())

    def most_saved(self, low: Offset, high: Offset) -> float:
        """More than a drink can save at any offset from `low` to `high`, whichever it is: all of the background's loss
        that is shown, summed over the domain at each whole pixel (correlation)."""
        (left, top), (right, bottom) = np.floor(np.array(low) * UNIT_PX), np.ceil(np.array(high) * UNIT_PX)
        reach = int(max(-left, -top, right, bottom, 0))
        near_shown = cv2.dilate(self.shown.astype(np.float32), np.ones((3, 3), np.uint8))  # and what it is blended with
        loss = cv2.copyMakeBorder(convex_bound(self.seen - self.background) * near_shown, reach, reach, reach, reach,
                                  cv2.BORDER_REPLICATE)
        sums = cv2.matchTemplate(loss, self.domain.mask.astype(np.float32), cv2.TM_CCORR)
        within = np.s_[reach + int(top):reach + int(bottom) + 1, reach + int(left):reach + int(right) + 1]
        return ROUNDING * float(sums[within].max())

    @cached_property
    def _layers(self) -> Values:
        return np.concatenate([self.seen, self.background, self.shown[..., None]], axis=2, dtype=np.float32)

    def layers_at(self, offsets: Sequence[Offset]) -> tuple[npt.NDArray[np.intp], Values]:
        """Indices (offsets,) into layers (8, n, pixels) over the domain, resampled at each offset: L, a and b as seen;
        light, a and b of the background; the share of each pixel that is shown; and the loss of the background."""
        new = [offset for offset in dict.fromkeys(offsets) if offset not in self._numbers]
        if new:
            by = np.array(new, np.float32) * np.float32(UNIT_PX / self.shrunk)
            down, across = (at.astype(np.float32) + by[:, way:way + 1] for at, way in zip(self.domain.at, (1, 0)))
            self._keep(new, cv2.remap(self._layers, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        return np.array([self._numbers[offset] for offset in offsets], np.intp), self._shifted

    def _keep(self, offsets: Sequence[Offset], values: cv2.typing.MatLike) -> None:
        """Store the values (offsets, pixels, 7) of new offsets, in arrays that grow by doubling. What is not written
        yet takes no memory: there is room for most searches at once, and nothing is copied."""
        first, last = len(self._numbers), len(self._numbers) + len(offsets)
        if last > self._shifted.shape[1]:
            before = self._shifted
            self._shifted = np.empty((8, max(2 * last, ROOM), values.shape[1]), np.float32)
            self._shifted[:, :first] = before[:, :first]
        new = self._shifted[:, first:last]
        new[:7] = values.transpose(2, 0, 1)
        new[7] = cauchy_loss(new[:3], new[3:6])
        new[3] = as_light(new[3])
        self._numbers |= zip(offsets, range(first, last))


def _whole_blocks(mask: Mask) -> Mask:
    """The pixels (h / 2, w / 2) at half resolution whose four pixels are all in the mask."""
    return np.asarray(mask[::2, ::2] & mask[1::2, ::2] & mask[::2, 1::2] & mask[1::2, 1::2], np.bool_)


def background_share(crop: Crop, core: Mask) -> float:
    """The share of a core (h, w) that looks like the background."""
    seen, background = crop.seen[core].T, crop.background[core].T
    return float((misfit(seen, background) < LOOKS_ALIKE * LOOKS_ALIKE).mean()) if seen.size else 0.0
