"""The light of a blob's pixels, as a share of white's, and what of it is merely shade."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.imaging.frame import Image
from vision.imaging.srgb import linear
from vision.presence.blobs import Blob
from vision.presence.play_area import PlayArea

NOISE_LIGHT = 0.002
"""Added to numerator and denominator of a ratio of light."""

MIN_WHITE_LIGHT, WHITE_PERCENTILE = 0.02, 92
"""White is that percentile of the values on the tag cards, and at least that much light."""

SHADE_TINT = 1.3
"""What is darker is merely shade if it lost no more than so many times as much light in one channel as in another."""


def light_of(blob: Blob, before: Image, area: PlayArea) -> tuple[Values, Values]:
    """The linear light (3, n: B G R) of a blob's pixels, in the order of its mask within its box, and of the same ones
    of the reference (180, 320, 3) in the same light."""
    shares = linear(np.arange(256, dtype=np.uint8)) / _white_light(blob.image, area)[:, None] + np.float32(NOISE_LIGHT)
    table, at = np.ascontiguousarray(shares.T[:, None]), np.flatnonzero(blob.mask[blob.part])

    def light(image: Image) -> Values:
        planes = cv2.split(cv2.LUT(image[blob.part], table))
        return np.stack([np.asarray(plane, np.float32).ravel()[at] for plane in planes])

    return light(blob.image), light(before)


def shade_tint(now: Values, then: Values) -> Values:
    """How many times as much light of one channel as of another was taken from each pixel (3, n: light of B G R), if it
    can be shade: if none became lighter. Else infinite (n,)."""
    ratio = now / then
    most = ratio.max(axis=0)
    return np.asarray(np.where(most < 1.05, most / ratio.min(axis=0), np.inf))


def _white_light(image: Image, area: PlayArea) -> Values:
    """The light (3,) of white in a small picture: of its cards."""
    counts = [np.cumsum(cv2.calcHist([image], [channel], area.cards, [256], (0, 256))) for channel in range(3)]
    pixels = int(counts[0][-1])
    white = [np.searchsorted(count, WHITE_PERCENTILE / 100 * (pixels - 1) // 1, "right") if pixels else 255
             for count in counts]
    return np.maximum(linear(np.array(white, np.uint8)), MIN_WHITE_LIGHT)
