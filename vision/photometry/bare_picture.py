"""The picture of the bare table, from pictures in which pieces lie on it.

Pieces only take light away. So of the pictures that show a place, those count in which each colour is about as light as
in the lightest one: in the others it lies in a shadow. Where pieces may shade a place in every picture, it is lit up to
what the clear table around it would make it; the grain of the table stays. Holes are filled in from what is left beside
them: a lamp is reflected in less of the table than pieces are laid out on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.imaging.arrays import Mask, Values
from vision.imaging.frame import Image

SHRINK = 8
"""Light is compared in pictures downsampled by this factor, which reduces noise; exposures by those of their pixels
that lie wholly on the table."""

SHADED, UNSHADED = 0.8, 0.88
"""A place lies in a shadow when some colour has the first share of what it has in the lightest picture, or less, and
in none from the second on; in between a picture's weight rises evenly, so that there are no seams."""

ROWS_AT_ONCE = 64
"""Rows that are added up at a time: a whole picture of floats would need 36 MB for a moment."""

LEAST_WEIGHT = 0.05
"""What no picture shows with this weight is filled in."""

MOST_LIGHTER = 6.0
"""By so much at most is a place lit up."""

DEEP_SHADE, NARROWEST_PX, SHADE_EDGE_PX = 2.5, 3, 7
"""What would be so many times lighter in the light around it is a hole: of the reflection of a lamp nothing is left in
a deep shadow that could be lit up. None is narrower than so many pixels, and around it lies its soft edge."""

MOSTLY_SHOWN = 0.3
"""Holes are filled in from what is shown of the table by this share of a downsampled pixel, or more."""

SMOOTHED, SMOOTHED_PX = 40, 5
"""Rounds in which what is filled in is averaged with what is around it, and how far around."""


def bare_table(pictures: Sequence[Image], covered: Sequence[Mask], shaded: Sequence[Mask] = ()) -> Image:
    """The table without pieces, from pictures (h, w, 3) and masks (h, w) of where each is covered, and of where it may
    be `shaded` or covered; nowhere else, if these are not given. All count as if exposed like the first one."""
    size = (pictures[0].shape[1] // SHRINK, pictures[0].shape[0] // SHRINK)
    small = [np.asarray(cv2.resize(each, size, interpolation=cv2.INTER_AREA), np.float32) for each in pictures]
    shown = [~_anywhere(mask, size) for mask in covered]
    gains = [_gain(each, small[0], where & shown[0]) for each, where in zip(small, shown)]
    lights = [np.where(where[..., None], each * gain, 0) for each, gain, where in zip(small, gains, shown)]
    weights = [cv2.resize(lit, covered[0].shape[::-1], interpolation=cv2.INTER_LINEAR) for lit in _lit(lights, shown)]
    bare, count = _mean(pictures, gains, weights, covered)
    clear = np.logical_or.reduce([~_anywhere(mask, size) for mask in shaded or covered])
    return _lit_up(bare, count < LEAST_WEIGHT, np.asarray(clear, np.bool_))


def _anywhere(mask: Mask, size: tuple[int, int]) -> Mask:
    """The downsampled mask, set where any of its pixels is."""
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0, np.bool_)


def _gain(picture: Values, first: Values, both: Mask) -> Values:
    """The gain (3,) of each channel that gives a picture the exposure and white balance of the first one: the median
    ratio of the pixels (h, w) that show the table in both."""
    if not both.any():
        return np.ones(3, np.float32)
    return np.asarray(np.median(first[both] / np.maximum(picture[both], 1), axis=0), np.float32)


def _lit(lights: Sequence[Values], shown: Sequence[Mask]) -> list[Values]:
    """How much (h, w; 0 to 1) of each of these pictures (h, w, 3) is lit as in the lightest one."""
    lightest = np.maximum(np.maximum.reduce(list(lights)), 1)
    shares = [np.where(where, (light / lightest).min(axis=2), 1) for light, where in zip(lights, shown)]
    return [np.asarray(np.clip((share - SHADED) / (UNSHADED - SHADED), 0, 1), np.float32) for share in shares]


def _mean(pictures: Sequence[Image], gains: Sequence[Values], weights: Sequence[cv2.typing.MatLike],
          covered: Sequence[Mask]) -> tuple[Image, Values]:
    """The weighted mean (h, w, 3) of pictures where they are not covered, and the sum (h, w) of the weights."""
    total = np.zeros(pictures[0].shape, np.float32)
    count = np.zeros(pictures[0].shape[:2], np.float32)
    for picture, gain, weight, mask in zip(pictures, gains, weights, covered):
        weight[mask] = 0
        for rows in _batches(len(weight)):
            total[rows] += cv2.transform(picture[rows], np.diag(gain)) * weight[rows, :, None]
        count += weight
    total /= np.maximum(count, LEAST_WEIGHT)[..., None]
    return np.clip(total, 0, 255, out=total).astype(np.uint8), count


def _batches(rows: int) -> Iterator[slice]:
    return (slice(top, top + ROWS_AT_ONCE) for top in range(0, rows, ROWS_AT_ONCE))


def _lit_up(bare: Image, holes: Mask, clear: Mask) -> Image:
    """The table (h, w, 3) where it is `clear` (downsampled); elsewhere in the light that is there, which is filled in,
    and so are its holes (h, w)."""
    if clear.all() and not holes.any():
        return bare
    size = (bare.shape[1], bare.shape[0])
    light, shown = _light_of(bare, holes, clear.shape)
    around = _filled(light, clear & (shown == 1))
    lit_around = cv2.resize(around, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    holes = holes | _deeply_shaded(bare, lit_around, clear)
    light, shown = _light_of(bare, holes, clear.shape)
    lighter = np.asarray(np.clip(around / np.maximum(light, 1), 1, MOST_LIGHTER), np.float32)
    lighter[clear] = 1
    lighter = _filled(lighter, shown > LEAST_WEIGHT)
    lit = np.asarray(cv2.multiply(bare, cv2.resize(lighter, size, interpolation=cv2.INTER_LINEAR), dtype=cv2.CV_8U),
                     np.uint8)
    light, shown = _light_of(lit, holes, clear.shape)
    beside = _filled(light, shown > MOSTLY_SHOWN)
    lit[holes] = cv2.resize(beside, size, interpolation=cv2.INTER_LINEAR)[holes].astype(np.uint8)
    return lit


def _light_of(table: Image, holes: Mask, shape: tuple[int, ...]) -> tuple[Values, Values]:
    """The light (h, w, 3) of a table without its holes (h, w), downsampled to a `shape`, and how much (h, w; 0 to 1)
    of each pixel is shown. The holes of `table` are set to 0."""
    size = (shape[1], shape[0])
    shown = np.asarray(cv2.resize((~holes).astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)
    table[holes] = 0
    small = cv2.resize(table, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small / np.maximum(shown, LEAST_WEIGHT)[..., None], np.float32), shown


def _deeply_shaded(bare: Image, around: Image, clear: Mask) -> Mask:
    """Where (h, w) the table is not `clear` (downsampled) and is much darker than the light `around` (h, w, 3) would
    make it."""
    dark = np.asarray((cv2.convertScaleAbs(bare, alpha=DEEP_SHADE) < around).any(axis=2), np.uint8)
    opened = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((NARROWEST_PX, NARROWEST_PX), np.uint8))
    deep = cv2.dilate(opened, np.ones((SHADE_EDGE_PX, SHADE_EDGE_PX), np.uint8))
    shaded = cv2.resize((~clear).astype(np.uint8), bare.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(np.logical_and(deep, shaded), np.bool_)


def _filled(small: Values, known: Mask) -> Values:
    """A picture (h, w, 3) where it is known, and smoothly continued elsewhere: from ever coarser means of what is known
    (S. Gortler et al., "The Lumigraph", 1996), then averaged with what is around."""
    weight = known.astype(np.float32)
    levels: list[tuple[Values, Values]] = [(small * weight[..., None], weight)]
    while min(levels[-1][1].shape) > 1 and not (levels[-1][1] > 0).all():
        levels.append((_halved(levels[-1][0]), _halved(levels[-1][1])))
    found = _normed(*levels[-1])
    for summed, share in levels[-2::-1]:
        coarse = cv2.resize(found, share.shape[::-1], interpolation=cv2.INTER_LINEAR)
        found = np.where(share[..., None] > 0, _normed(summed, share), coarse).astype(np.float32)
    for _ in range(SMOOTHED):
        found = np.where(known[..., None], small, cv2.blur(found, (SMOOTHED_PX, SMOOTHED_PX))).astype(np.float32)
    return found


def _halved(image: Values) -> Values:
    size = (max(image.shape[1] // 2, 1), max(image.shape[0] // 2, 1))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)


def _normed(summed: Values, weight: Values) -> Values:
    return np.asarray(summed / np.maximum(weight, 1e-6)[..., None], np.float32)
