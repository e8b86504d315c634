"""The white reference of a look: from sRGB values to reflectance, and to the colour space of all comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image
from vision.imaging.picture import Picture
from vision.imaging.srgb import linear
from vision.photometry.card_patches import PatchId, SeenPatch

PAPER_REFLECTANCE = 0.8
"""The reflectance assigned to white paper; it leaves headroom for brighter things."""

GAMMA = 2.2

ROWS_PER_BATCH = 64
"""Rows that are converted at a time: what fits a processor's cache."""

OPPONENT = np.array([(0.114, 0.587, 0.299), (-0.0813, -0.4187, 0.5), (-0.5, 0.3313, 0.1687)],
                    np.float32) * np.array([(100,), (180,), (180,)], np.float32)
"""From gamma-coded B G R (3,) to lightness and two opponent colours (red, yellow), scaled about like L*a*b*."""

Reflectance = npt.NDArray[np.float32]
"""(h, w, 3) B G R linear, white paper at `PAPER_REFLECTANCE`."""


@dataclass(frozen=True, slots=True, eq=False)
class White:
    """The white reference of one look. `gains` (3 channels B G R, 3): a, b, c of `exp(a + b u + c v)` for pixel u, v;
    `steepness` (3,) is the exponent of the tone curve relative to sRGB's.

    `patches` are the measured patches of the cards; `first` is the look that later ones are compared with.
    `sharpened`: the amount of the camera's unsharp mask (`vision/photometry/unsharp.py`).
    """

    gains: Floats
    steepness: Floats
    patches: Mapping[PatchId, SeenPatch]
    first: White | None = None
    sharpened: float = 0.0

    def normalise(self, crop: Image, left: int = 0, top: int = 0) -> Reflectance:
        """A part of the picture (h, w, 3) uint8 B G R whose upper left pixel is `left`, `top`, as reflectance."""
        height, width = crop.shape[:2]
        across = np.exp(-self.gains[:, :1] - self.gains[:, 1:2] * np.arange(left, left + width))
        down = PAPER_REFLECTANCE * np.exp(-self.gains[:, 2:] * np.arange(top, top + height))
        table = linear(np.arange(256, dtype=np.uint8))[:, None] ** (1 / self.steepness)
        light = cv2.LUT(crop, table.astype(np.float32)[None])
        return np.asarray(light * (down.T.astype(np.float32) @ _spread(across)).reshape(crop.shape), np.float32)


def _spread(across: Floats) -> Values:
    """The gains of columns (3, w), arranged as (3, w * 3) so that the product with the gains of rows (h, 3) is that of
    each pixel: one BLAS call."""
    spread = np.zeros((3, across.shape[1], 3), np.float32)
    spread[0, :, 0], spread[1, :, 1], spread[2, :, 2] = across
    return spread.reshape(3, -1)


def to_opponent(white: White, crop: Image, left: int = 0, top: int = 0) -> Values:
    """A part of the picture as lightness (0 to 100) and two opponent colours (red, yellow; h, w, 3), white-referenced.

    These are linear in the gamma-coded channels, as in a JPEG: chroma subsampling mixes neighbouring colours linearly,
    and dimmed light scales all three by one factor. L*a*b* has neither property.
    """
    height, width = crop.shape[:2]
    across = np.exp((-white.gains[:, :1] - white.gains[:, 1:2] * np.arange(left, left + width)) / GAMMA)
    down = PAPER_REFLECTANCE ** (1 / GAMMA) * np.exp(-white.gains[:, 2:] * np.arange(top, top + height) / GAMMA)
    rows_down, spread = down.T.astype(np.float32), _spread(across)
    found = np.empty(crop.shape, np.float32)
    for rows in (slice(first, first + ROWS_PER_BATCH) for first in range(0, height, ROWS_PER_BATCH)):
        coded = np.asarray(cv2.LUT(crop[rows], _coded(white)), np.float32)
        coded *= (rows_down[rows] @ spread).reshape(coded.shape)
        cv2.transform(coded, OPPONENT, dst=found[rows])
    return found


@lru_cache(maxsize=4)
def _coded(white: White) -> Values:
    """The gamma-coded light (1, 256, 3) of each value of a channel, before the gain (a lookup table)."""
    table = linear(np.arange(256, dtype=np.uint8))[:, None] ** (1 / white.steepness / GAMMA)
    return np.asarray(table, np.float32)[None]


@dataclass(frozen=True, slots=True, eq=False)
class LitPicture(Picture):
    """A picture whose white reference is known."""

    white: White
