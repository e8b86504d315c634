"""What is seen where no drink stands: the bare table and the crates, and how shadows may change them.

A shadow takes light away. So the background is never one colour: it is the colour nearest to what is seen among those
that the bare thing can take on in more or less light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Floats
from vision.shadows import GREY, Shadow

Lab = npt.NDArray[np.float32]
"""(height, width, 3) white-referenced lightness and two opponent colours, as `to_opponent` gives them."""

TABLE_LIGHT = (0.15, 1.06)
"""The bare table's lightness can fall to this share of what it was, or rise to that."""

CRATE_BINS = 20


@dataclass(frozen=True, slots=True, eq=False)
class CrateColours:
    """How crates look. `chroma` (CRATE_BINS, 2): their a and b over lightness from 0 to 100; `inside` and `rim`: lowest
    and highest lightness inside an empty slot and on the rim."""

    chroma: Floats
    inside: tuple[float, float]
    rim: tuple[float, float]

    def nearest(self, seen: Lab, on_rim: npt.NDArray[np.bool_], on_wall: npt.NDArray[np.bool_]) -> Lab:
        """For each pixel the crate's colour nearest to what is seen there; an outer wall is lit in any way."""
        low = np.where(on_rim, self.rim[0], self.inside[0])
        high = np.where(on_rim | on_wall, self.rim[1], self.inside[1])
        light = np.clip(seen[..., 0], low, high).astype(np.float32)
        middles = (np.arange(CRATE_BINS) + 0.5) * 100 / CRATE_BINS
        a, b = (np.interp(light, middles, self.chroma[:, channel]) for channel in (0, 1))
        return np.stack([light, a, b], axis=-1).astype(np.float32)


def learn_crate_colours(inside: Lab, rim: Lab) -> CrateColours:
    """From pixels (n, 3) inside empty slots and on rims."""
    pixels = np.concatenate([inside, rim])
    bins = np.clip(pixels[:, 0] * CRATE_BINS / 100, 0, CRATE_BINS - 1).astype(int)
    seen = [index for index in range(CRATE_BINS) if np.sum(bins == index) >= 12]
    medians = np.array([np.median(pixels[bins == index, 1:], axis=0) for index in seen])
    chroma = np.column_stack([np.interp(range(CRATE_BINS), [-1, *seen], [0.0, *medians[:, channel]])
                              for channel in (0, 1)])
    low, high = np.percentile(inside[:, 0], (1, 97))
    rim_low, rim_high = np.percentile(rim[:, 0], (4, 98))
    return CrateColours(chroma, (float(low) * 0.6, float(high)), (float(rim_low) * 0.75, float(rim_high) * 1.04))


def nearest_table(seen: Lab, bare: Lab, light: tuple[float, float] = TABLE_LIGHT, shadow: Shadow = GREY) -> Lab:
    """For each pixel the bare table's colour, in more or less light, that is nearest to what is seen there."""
    low, high = light
    lit = np.clip(seen[..., 0], bare[..., 0] * low, bare[..., 0] * high)
    share = lit / np.maximum(bare[..., 0], 1)
    near = bare * share[..., None]
    if not shadow.is_grey:
        near += cv2.transform(bare, shadow.tint) * (1 - share)[..., None]
    return np.asarray(near, np.float32)


def bare_table(pictures: list[npt.NDArray[np.uint8]], covered: list[npt.NDArray[np.bool_]]) -> npt.NDArray[np.uint8]:
    """The table without pieces from pictures (h, w, 3) and where each is covered; filled in where all of them are."""
    total = np.zeros(pictures[0].shape, np.float32)
    count = np.zeros(pictures[0].shape[:2], np.float32)
    for picture, mask in zip(pictures, covered):
        total += np.where(mask[..., None], 0, picture)
        count += ~mask
    bare = (total / np.maximum(count, 1)[..., None]).astype(np.uint8)
    holes = (count == 0).astype(np.uint8)
    if not holes.any():
        return bare
    small = cv2.resize(bare, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_NEAREST)
    small_holes = cv2.dilate(cv2.resize(holes, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST),
                             np.ones((5, 5), np.uint8))
    filled = cv2.resize(cv2.inpaint(small, small_holes, 5, cv2.INPAINT_TELEA), (bare.shape[1], bare.shape[0]))
    return np.asarray(np.where(holes[..., None] > 0, filled, bare), np.uint8)
