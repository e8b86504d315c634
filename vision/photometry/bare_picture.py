"""The picture of the bare table, from pictures in which pieces lie on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Mask, Values
from vision.imaging.frame import Image

SHRINK = 8
"""Light is compared in pictures downsampled by this factor, which reduces noise; exposures by those of their pixels
that lie wholly on the table."""

SHADED, UNSHADED = 0.8, 0.88
"""A place lies in a shadow when it has the first share of the lightness that it has in the lightest picture, or less,
and in none from the second on; in between a picture's weight rises evenly, so that there are no seams."""

ROWS_ADDED_AT_ONCE = 64
"""Rows that are added up at a time: a whole picture of floats would need 36 MB for a moment."""

LEAST_WEIGHT = 0.05
"""What no picture shows with this weight is filled in."""


def bare_table(pictures: Sequence[Image], covered: Sequence[Mask]) -> Image:
    """The table without pieces, from pictures (h, w, 3) and masks of where each is covered; inpainted where all are.

    Pieces only take light away. So of the pictures that show a place, those count in which it is about as light as in
    the lightest one: in the others it lies in a shadow. All count as if exposed like the first one.
    """
    size = (pictures[0].shape[1] // SHRINK, pictures[0].shape[0] // SHRINK)
    small = [np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_AREA), np.float32) for each in pictures]
    whole = [cv2.resize(np.where(mask, np.uint8(0), np.uint8(255)), size, interpolation=cv2.INTER_AREA) == 255
             for mask in covered]
    gains = [_gain(each, small[0], shown & whole[0]) for each, shown in zip(small, whole)]
    lights = [np.where(shown, (each * gain).mean(axis=2), 0) for each, gain, shown in zip(small, gains, whole)]
    lightest = np.maximum(np.maximum.reduce(lights), 1)
    total = np.zeros(pictures[0].shape, np.float32)
    count = np.zeros(pictures[0].shape[:2], np.float32)
    for picture, gain, light, mask in zip(pictures, gains, lights, covered):
        lit = np.where(light == 0, 1, np.clip((light / lightest - SHADED) / (UNSHADED - SHADED), 0, 1))
        weight = cv2.resize(lit.astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_LINEAR)
        weight[mask] = 0
        for rows in (slice(top, top + ROWS_ADDED_AT_ONCE) for top in range(0, len(weight), ROWS_ADDED_AT_ONCE)):
            total[rows] += cv2.transform(picture[rows], np.diag(gain)) * weight[rows, :, None]
        count += weight
    total /= np.maximum(count, LEAST_WEIGHT)[..., None]
    bare = np.clip(total, 0, 255, out=total).astype(np.uint8)
    holes = (count < LEAST_WEIGHT).astype(np.uint8)
    return _inpainted(bare, holes) if holes.any() else bare


def _gain(picture: Values, first: Values, both: Mask) -> Values:
    """The gain (3,) of each channel that gives a picture the exposure and white balance of the first one: the median
    ratio of the pixels (h, w) that show the table in both."""
    if not both.any():
        return np.ones(3, np.float32)
    return np.asarray(np.median(first[both] / np.maximum(picture[both], 1), axis=0), np.float32)


def _inpainted(bare: Image, holes: npt.NDArray[np.uint8]) -> Image:
    """The table with its holes (h, w; 1 where there is one) inpainted at a quarter of the scale (A. Telea, "An Image
    Inpainting Technique Based on the Fast Marching Method", 2004)."""
    small = cv2.resize(bare, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_NEAREST)
    small_holes = cv2.dilate(cv2.resize(holes, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST),
                             np.ones((5, 5), np.uint8))
    filled = cv2.resize(cv2.inpaint(small, small_holes, 5, cv2.INPAINT_TELEA), (bare.shape[1], bare.shape[0]))
    return np.asarray(np.where(holes[..., None] > 0, filled, bare), np.uint8)
