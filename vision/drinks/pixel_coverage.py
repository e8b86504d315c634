"""The share of each pixel that each band of a solid covers, after the blur of lens and sensor.

Only the pixels of a domain are computed; arrays over them have one entry a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.directional_shading import shade_pixels
from vision.drinks.domain import Domain, PlacedSolid
from vision.drinks.ring_raster import OVERSAMPLING, Painted
from vision.imaging.arrays import Floats, Values
from vision.photometry.background_model import COLOUR_BLUR_PX

BLUR_PX = 0.6
"""The point spread function of lens and sensor (standard deviation of a Gaussian); that of chroma is `COLOUR_BLUR_PX`.
"""

BLUR_REACH_PX = 6
"""Beyond this distance the blur is neglected."""

CLEAR_COVER = 0.04
"""A pixel with a smaller coverage counts as background."""


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """The coverage of a domain by each of some solids.

    `cover` (2, solids, pixels, bands): the share of each pixel's light, and of its chroma, that comes from each band.
    `shade` (solids, pixels) and `side` (solids, 2, pixels): as `shade_pixels` gives them. `parts` (solids, parts,
    bands): which bands belong to each part with a gain of its own. `beside` (solids, pixels): the index of the nearest
    pixel that is not covered.
    """

    cover: Values
    shade: Values
    side: Values
    parts: Values
    beside: npt.NDArray[np.intp]

    @classmethod
    def of(cls, several: Sequence[Coverage]) -> Coverage:
        """The coverage by the solids of several coverages, in their order."""
        if len(several) == 1:
            return several[0]
        return cls(np.concatenate([each.cover for each in several], axis=1),
                   np.concatenate([each.shade for each in several]), np.concatenate([each.side for each in several]),
                   np.concatenate([each.parts for each in several]), np.concatenate([each.beside for each in several]))

    def some(self, which: Sequence[int]) -> Coverage:
        """The coverage by some of the solids."""
        at = list(which)
        return Coverage(self.cover[:, at], self.shade[at], self.side[at], self.parts[at], self.beside[at])


def cover_pixels(shapes: Sequence[PlacedSolid], domain: Domain, to_table: Floats, shrunk: int = 1) -> Coverage:
    """The coverage by solids with equally many bands in a picture downsampled by `shrunk`. `to_table` is as in
    `sectors_of`."""
    cover = np.empty((2, len(shapes), len(domain.flat), len(shapes[0].solid.cap)), np.float32)
    for number, shape in enumerate(shapes):
        _cover(shape, domain, shrunk, cover[:, number])
    whole = cover[0] @ np.ones(cover.shape[3], np.float32)
    return Coverage(cover, *shade_pixels(shapes, domain, to_table), np.stack([shape.solid.parts for shape in shapes]),
                    np.stack([_nearest_clear(each, domain) for each in whole]))


def _cover(shape: PlacedSolid, domain: Domain, shrunk: int, cover: Values) -> None:
    """Writes the shares (2, pixels, bands) of the pixels of a domain that come from the bands of a solid."""
    left, top, right, bottom = _extent(shape.painted)
    part = (slice(top, bottom), slice(left, right))
    painted = shape.painted[top * OVERSAMPLING:bottom * OVERSAMPLING, left * OVERSAMPLING:right * OVERSAMPLING]
    sharp = _shares(painted, shape.solid.bands)
    whole = np.zeros((*domain.mask.shape, cover.shape[2]), np.float32)
    for share, blur in zip(cover, (BLUR_PX, COLOUR_BLUR_PX)):
        whole[part] = cv2.GaussianBlur(sharp, (0, 0), blur / shrunk).reshape(sharp.shape)
        np.take(whole.reshape(-1, cover.shape[2]), domain.flat, axis=0, out=share)


def _shares(painted: Painted, bands: npt.NDArray[np.intp]) -> Values:
    """The share (h, w, bands) of each pixel that each band of a painted solid covers."""
    height, width = painted.shape[0] // OVERSAMPLING, painted.shape[1] // OVERSAMPLING
    count = int(bands.max()) + 2
    band_of_ring = np.zeros(256, np.uint8)
    band_of_ring[1:len(bands) + 1] = bands + 1
    bins = _first_bins(height, width, count) + cv2.LUT(painted, band_of_ring)
    samples = np.bincount(bins.ravel(), minlength=height * width * count).reshape(height, width, count)
    return np.asarray(samples[..., 1:].astype(np.float32) / np.float32(OVERSAMPLING * OVERSAMPLING), np.float32)


@lru_cache(maxsize=2)  # each a hundred kilobytes
def _first_bins(height: int, width: int, count: int) -> npt.NDArray[np.intp]:
    """The index of the pixel that each sample of an oversampled picture lies in, times `count`."""
    numbers = np.arange(0, height * width * count, count).reshape(height, width)
    return numbers.repeat(OVERSAMPLING, axis=0).repeat(OVERSAMPLING, axis=1)


def _extent(painted: Painted) -> tuple[int, int, int, int]:
    """Left, top, right and bottom, in pixels, of where a painted solid may be seen once it is blurred."""
    left, top, width, height = cv2.boundingRect(painted)
    rows, columns = (size // OVERSAMPLING for size in painted.shape)
    return (max(left // OVERSAMPLING - BLUR_REACH_PX, 0), max(top // OVERSAMPLING - BLUR_REACH_PX, 0),
            min((left + width) // OVERSAMPLING + 1 + BLUR_REACH_PX, columns),
            min((top + height) // OVERSAMPLING + 1 + BLUR_REACH_PX, rows))


def _nearest_clear(cover: Values, domain: Domain) -> npt.NDArray[np.intp]:
    """For each pixel of a domain the index (pixels,) of the nearest one that is not covered."""
    clear = np.flatnonzero(cover < CLEAR_COVER)
    if not len(clear):
        return np.arange(len(cover))
    covered = np.ones(domain.mask.shape, np.uint8)
    covered.reshape(-1)[domain.flat[clear]] = 0
    _, nearest = cv2.distanceTransformWithLabels(covered, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    labels = np.asarray(nearest).reshape(-1)[domain.flat]
    number = np.zeros(len(clear) + 1, np.intp)
    number[labels[clear]] = clear
    return np.asarray(number[labels], np.intp)
