"""The background model: the bare table and the crates, and how shadows change them.

A shadow takes light away. So the background of a pixel is not one colour but a set: those that the bare surface takes
on in more or less light. A pixel is compared with the nearest of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats, Mask, Values
from vision.photometry.shadow_tint import DEEPEST_SHADOW, GREY_SHADOW, LampShadow, Shadow

Lab = npt.NDArray[np.float32]
"""(height, width, 3) white-referenced lightness and two opponent colours, as `to_opponent` gives them."""

MAX_TABLE_LIGHT = 1.06
"""The bare table may be lighter than enrolled by at most this factor."""

LIGHTNESS_BINS, MIN_BIN_PIXELS = 20, 12
"""Bins of lightness for which a crate's colours are learned, from at least this many pixels."""

DARKER_BESIDE, BRIGHTER = 0.3, 1.04
"""Limits, as factors: how much darker a slot is beside what it holds than an empty one, and how much lighter a rim is
than enrolled."""

COLOUR_BLUR_PX = 2.1
"""The blur of chroma in pictures that keep it at half resolution (standard deviation of a Gaussian)."""

MAX_COLOUR_OFF = 30.0
"""A pixel whose chroma (a, b) is farther from that of table and crates shows something else."""


@dataclass(frozen=True, slots=True, eq=False)
class CrateColours:
    """The colours of crates. `chroma` (LIGHTNESS_BINS, 2): a and b as a function of lightness from 0 to 100. Limits of
    lightness: nothing in a crate is darker than `darkest`, nothing inside a slot lighter than `inside`, and no rim
    lighter than `rim`."""

    chroma: Floats
    darkest: float
    inside: float
    rim: float

    def nearest(self, seen: Lab, on_top: Mask) -> Lab:
        """For each pixel the crate's colour nearest to what is `seen` (h, w, 3), inside a slot or `on_top` (h, w): on
        the rim or an outer wall."""
        light = np.clip(seen[..., 0], self.darkest, np.where(on_top, self.rim, self.inside)).astype(np.float32)
        at = np.clip(light * np.float32(LIGHTNESS_BINS / 100) - np.float32(0.5), 0, LIGHTNESS_BINS - 1)
        low = at.astype(np.intp)
        between = (at - low.astype(np.float32))[..., None]
        here = self.chroma.astype(np.float32)
        further = np.append(np.diff(here, axis=0), np.zeros((1, 2), np.float32), axis=0)
        return np.dstack([light, np.take(here, low, axis=0) + np.take(further, low, axis=0) * between])


def learn_crate_colours(inside: Lab, rim: Lab, beside: Lab) -> CrateColours:
    """Learned from pixels (n, 3) inside empty slots, on rims, and `beside` what crates hold, where they are darker."""
    pixels = np.concatenate([inside, rim, beside])
    bins = np.clip(pixels[:, 0] * LIGHTNESS_BINS / 100, 0, LIGHTNESS_BINS - 1).astype(int)
    seen = [index for index in range(LIGHTNESS_BINS) if np.sum(bins == index) >= MIN_BIN_PIXELS]
    medians = np.array([np.median(pixels[bins == index, 1:], axis=0) for index in seen])
    chroma = np.column_stack([np.interp(range(LIGHTNESS_BINS), [-1, *seen], [0.0, *medians[:, channel]])
                              for channel in (0, 1)])
    low, high = np.percentile(inside[:, 0], (1, 97))
    return CrateColours(chroma, float(low) * DARKER_BESIDE, float(high), float(np.percentile(rim[:, 0], 98)) * BRIGHTER)


def spread_colours(ground: Lab, seen: Lab) -> Lab:
    """The `ground` (table and crates, h, w, 3) with its chroma blurred as in a picture that keeps it at half
    resolution. Pixels that show something else have weight 0: a normalised convolution (H. Knutsson and C.-F. Westin,
    CVPR 1993)."""
    off = np.abs(seen[..., 1:] - _blurred(ground[..., 1:]))
    weight = (off[..., 0] + off[..., 1] < MAX_COLOUR_OFF).astype(np.float32) + np.float32(1e-3)
    spread = _blurred(ground[..., 1:] * weight[..., None]) / _blurred(weight)[..., None]
    return np.dstack([ground[..., :1], spread])


def _blurred(colours: Values) -> Values:
    return np.asarray(cv2.GaussianBlur(colours, (0, 0), COLOUR_BLUR_PX), np.float32)


def nearest_table(seen: Lab, bare: Lab, light: tuple[float, float] = (DEEPEST_SHADOW, MAX_TABLE_LIGHT),
                  shadow: Shadow = GREY_SHADOW) -> Lab:
    """For each pixel the bare table's colour, in more or less light, that is nearest to what is seen there; `light` are
    the limits of that factor. Under lamps of two colours, it may be in the shadow of either, or of both in part."""
    low, high = light
    lit = np.clip(seen[..., 0], bare[..., 0] * low, bare[..., 0] * high)
    share = lit / np.maximum(bare[..., 0], 1)
    near = np.asarray(bare * share[..., None], np.float32)
    if shadow.lamps is not None:
        _shade(near, seen, bare, np.asarray(1 - share, np.float32), shadow.lamps)
    elif not shadow.is_grey:
        near += cv2.transform(bare, shadow.tint) * (1 - share)[..., None]
    return near


def _shade(near: Lab, seen: Lab, bare: Lab, taken: Values, lamps: tuple[LampShadow, LampShadow]) -> None:
    """Adds to the dimmed table `near` (h, w, 3) the tint of the shadows of two lamps which together have `taken` (h, w)
    a share of its lightness: parted between them, each within its limit, as fits best to what is seen."""
    one, other = lamps
    most_of_one = np.clip(taken, 0, one.most)
    least_of_one = np.clip(taken - other.most, 0, most_of_one)
    tint, other_tint = cv2.transform(bare, one.tint), cv2.transform(bare, other.tint)
    near += most_of_one[..., None] * tint + np.clip(taken - most_of_one, 0, other.most)[..., None] * other_tint
    step = (most_of_one - least_of_one)[..., None] * (other_tint - tint)
    squares = np.square(step).sum(axis=-1)
    part = ((seen - near) * step).sum(axis=-1) / np.maximum(squares, np.float32(1e-6))
    near += np.clip(part, 0, 1)[..., None] * step
