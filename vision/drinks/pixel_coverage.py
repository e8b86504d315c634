"""Drinks as they cover the pixels of a small part of the picture, and painted with their enrolled colours.

Only the pixels of a domain are looked at; arrays over them have one entry a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.ring_solid import OVERSAMPLING, Painted, Solid, at_centres
from vision.imaging.arrays import Floats, Mask, Values
from vision.photometry.background_model import COLOUR_BLUR_PX, Lab

BLUR_PX = 0.6
"""The lens and the sensor spread a point by about this (standard deviation); its colour is spread farther."""

BLUR_REACH_PX = 6
"""Blurred, nothing is seen farther away."""

GAIN_SD, CHROMA_SD, PIXEL_ERROR = 0.4, 0.3, 10.0
"""How much lighter than enrolled a part mostly is (standard deviation), and how much richer in colour besides. A single
pixel tells neither better than to `OFF`, for what is off in one is off in many."""

FULL_COVER = 0.9
"""A part covers a pixel whole when it covers more than this of it."""

CLEAR_COVER = 0.04
"""A pixel of which a solid covers less shows what is behind it."""

SECTORS = 12
"""Light falls on a drink from one side; its shading is learned by so many directions."""



@dataclass(frozen=True, eq=False)
class Domain:
    """The pixels of a box (h, w) that are compared, in order of rows."""

    mask: Mask

    @cached_property
    def at(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows and columns (pixels,)."""
        rows, columns = np.nonzero(self.mask)
        return rows, columns

    @cached_property
    def flat(self) -> npt.NDArray[np.intp]:
        """Where each pixel lies in the box, row after row (pixels,)."""
        return np.flatnonzero(self.mask)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSolid:
    """A solid as it is painted: `shading` (bands, SECTORS), how brightly each band is lit from each side, and its rings
    (n, points, 2) in px from the upper left of the domain."""

    solid: Solid
    painted: Painted
    shading: Values | None
    rings_px: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Solids as each of them covers the domain: `cover` (2, solids, pixels, bands) is the share of each pixel's light
    and of its colour that comes from each band, `shade` (solids, pixels) how brightly the pixel is lit, `parts`
    (solids, parts, bands) which bands belong to each part that may have a light of its own, `beside` (solids, pixels)
    the nearest pixel that is not covered."""

    cover: Values
    shade: Values
    parts: Values
    beside: npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Renderings:
    """Drinks ready to be compared, of one form or of several.

    `painted` (3, drinks, parts, pixels): L, a, b of each part times the share of the pixel that it covers; `light`
    (drinks, parts, pixels): the same of the light it sends. `enrolled` (3, drinks, pixels): the light, a and b of all
    parts together, as light as enrolled. `solve` (drinks, 2 parts, 2 parts) turns what is off along each part's
    colours, and along its hue, into how much lighter and how much richer each part is. `clear` (3, drinks, pixels): the
    share of L, a, b not covered; `beside` (drinks, pixels): as of the form.
    """

    painted: Values
    light: Values
    enrolled: Values
    solve: Values
    clear: Values
    beside: npt.NDArray[np.intp]

    @classmethod
    def of(cls, forms: Sequence[Renderings]) -> Renderings:
        """All drinks of several forms, in their order."""
        return cls(np.concatenate([each.painted for each in forms], axis=1),
                   np.concatenate([each.light for each in forms]),
                   np.concatenate([each.enrolled for each in forms], axis=1),
                   np.concatenate([each.solve for each in forms]),
                   np.concatenate([each.clear for each in forms], axis=1),
                   np.concatenate([each.beside for each in forms]))

    def some(self, rows: Sequence[int]) -> Renderings:
        """Some of the drinks; what follows itself at even steps need not be copied."""
        step = rows[1] - rows[0] if len(rows) > 1 else 1
        is_even = step > 0 and list(rows) == list(range(rows[0], rows[-1] + 1, step))
        which = slice(rows[0], rows[-1] + 1, step) if is_even else np.array(rows)
        return Renderings(self.painted[:, which], self.light[which], self.enrolled[:, which], self.solve[which],
                        self.clear[:, which], self.beside[which])


def cover_pixels(shapes: Sequence[PlacedSolid], domain: Domain, to_table: Floats, shrunk: int = 1) -> Coverage:
    """What solids of equally many bands cover, in a picture so many times `shrunk`. `to_table` is as in `sectors_of`.
    """
    cover = np.empty((2, len(shapes), len(domain.flat), len(shapes[0].solid.cap)), np.float32)
    for number, shape in enumerate(shapes):
        _cover(shape, domain, shrunk, cover[:, number])
    whole = cover[0] @ np.ones(cover.shape[3], np.float32)
    return Coverage(cover, _shade(shapes, domain, to_table), np.stack([shape.solid.parts for shape in shapes]),
                np.stack([beside(each, domain) for each in whole]))


def _cover(shape: PlacedSolid, domain: Domain, shrunk: int, cover: Values) -> None:
    """Writes the shares (2, pixels, bands) of the pixels of a domain that come from the bands of a solid."""
    left, top, right, bottom = _around(shape.painted)
    part = (slice(top, bottom), slice(left, right))
    shown = shape.painted[top * OVERSAMPLING:bottom * OVERSAMPLING, left * OVERSAMPLING:right * OVERSAMPLING]
    small = _shares(shown, shape.solid.bands)
    whole = np.zeros((*domain.mask.shape, cover.shape[2]), np.float32)
    for share, blur in zip(cover, (BLUR_PX, COLOUR_BLUR_PX)):
        whole[part] = cv2.GaussianBlur(small, (0, 0), blur / shrunk).reshape(small.shape)
        np.take(whole.reshape(-1, cover.shape[2]), domain.flat, axis=0, out=share)


def _shade(shapes: Sequence[PlacedSolid], domain: Domain, to_table: Floats) -> Values:
    """How brightly (solids, pixels) the pixels of a domain are lit that show solids."""
    rows, columns = domain.at
    shade = np.ones((len(shapes), len(rows)), np.float32)
    shaded = [(number, shape) for number, shape in enumerate(shapes) if shape.shading is not None]
    if not shaded:
        return shade
    numbers = np.stack([at_centres(shape.painted)[rows, columns] for _, shape in shaded])
    which, pixels = np.nonzero(numbers)
    first = np.cumsum([0, *(len(shape.solid) for _, shape in shaded)])
    rings = first[which] + numbers[which, pixels] - 1
    sectors = sectors_of(rings, np.column_stack([columns[pixels], rows[pixels]]),
                         np.concatenate([shape.rings_px for _, shape in shaded]), to_table)
    low = sectors.astype(np.intp)
    between = sectors - low.astype(np.float32)
    of_ring = np.concatenate([shape.shading[shape.solid.bands] for _, shape in shaded if shape.shading is not None])
    round_ = of_ring[:, [*range(SECTORS), 0, 1]]  # rounding may make it a whole turn, and there is one beyond that
    at = rings * round_.shape[1] + low
    lit = np.take(round_, at) * (1 - between) + np.take(round_, at + 1) * between
    shade[np.array([number for number, _ in shaded])[which], pixels] = lit
    return shade


def _shares(shown: Painted, bands: npt.NDArray[np.intp]) -> Values:
    """The share (h, w, bands) of each pixel that each band of a painted solid covers."""
    height, width = shown.shape[0] // OVERSAMPLING, shown.shape[1] // OVERSAMPLING
    count = int(bands.max()) + 2
    table = np.zeros(256, np.uint8)
    table[1:len(bands) + 1] = bands + 1
    cells = _cells(height, width, count) + cv2.LUT(shown, table)
    points = np.bincount(cells.ravel(), minlength=height * width * count).reshape(height, width, count)
    return np.asarray(points[..., 1:].astype(np.float32) / np.float32(OVERSAMPLING * OVERSAMPLING), np.float32)


@lru_cache(maxsize=8)  # each a hundred kilobytes
def _cells(height: int, width: int, count: int) -> npt.NDArray[np.intp]:
    """The number of the pixel that each point of an oversampled picture lies in, times `count`."""
    numbers = np.arange(0, height * width * count, count).reshape(height, width)
    return numbers.repeat(OVERSAMPLING, axis=0).repeat(OVERSAMPLING, axis=1)


def sectors_of(rings: npt.NDArray[np.integer], at_px: npt.NDArray[np.number], rings_px: Floats, to_table: Floats
               ) -> Values:
    """For pixels at (n, 2) that show the rings with these numbers (n,), from 0, in which direction from the axis they
    lie, in sectors of the table from 0 to SECTORS. `rings_px` (rings, points, 2) are all rings; `to_table` (2, 2) turns
    directions in the picture into directions on the table."""
    middles = np.einsum("npc->nc", rings_px) / rings_px.shape[1]
    off = ((at_px - np.take(middles, rings, axis=0)) @ to_table.T).astype(np.float32)
    sectors = np.arctan2(off[:, 1], off[:, 0]) * np.float32(SECTORS / (2 * np.pi))
    return np.asarray(np.where(sectors < 0, sectors + np.float32(SECTORS), sectors), np.float32)


def _around(painted: Painted) -> tuple[int, int, int, int]:
    """Left, top, right and bottom, in pixels, of where a painted solid may be seen once it is blurred."""
    left, top, width, height = cv2.boundingRect(painted)
    rows, columns = (size // OVERSAMPLING for size in painted.shape)
    return (max(left // OVERSAMPLING - BLUR_REACH_PX, 0), max(top // OVERSAMPLING - BLUR_REACH_PX, 0),
            min((left + width) // OVERSAMPLING + 1 + BLUR_REACH_PX, columns),
            min((top + height) // OVERSAMPLING + 1 + BLUR_REACH_PX, rows))


def render(form: Coverage, colours: Values, shrunk: int = 1) -> Renderings:
    """Paint each solid of a form in the colours (solids, drinks, bands, 3) Lab of some drinks, in a picture so many
    times `shrunk`."""
    lit = form.cover * form.shade[:, :, None]
    covered, hued = lit.swapaxes(2, 3)
    (solids, each, bands), (parts, pixels) = colours.shape[:3], (form.parts.shape[1], form.shade.shape[1])
    split = (colours[:, :, None] * form.parts[:, None, ..., None]).transpose(4, 0, 1, 2, 3)
    split = split.reshape(3, solids, each * parts, bands)
    painted = np.stack([split[channel] @ lit for channel, lit in enumerate((covered, hued, hued))])
    painted = painted.reshape(3, solids * each, parts, pixels)
    light = (as_light(split[0]) @ (covered * form.shade[:, None])).reshape(solids * each, parts, pixels)
    enrolled = painted.sum(axis=2)
    enrolled[0] = light.sum(axis=1)
    overlap = (lit.swapaxes(2, 3) @ lit)[[0, 1, 1]]  # of the bands: far smaller than what is painted
    apart = (3, solids * each, parts, bands)
    along, *hues = (split @ overlap).reshape(apart) @ split.reshape(apart).swapaxes(2, 3)
    hue = hues[0] + hues[1]
    held = np.repeat([(PIXEL_ERROR / GAIN_SD) ** 2, (PIXEL_ERROR / CHROMA_SD) ** 2], parts) / shrunk ** 2
    solve = np.linalg.inv(np.block([[along + hue, hue], [hue, hue]]) + np.diag(held)).astype(np.float32)
    clear = (1 - form.cover @ np.ones(bands, np.float32))[[0, 1, 1]]
    return Renderings(painted, light, enrolled, solve, clear.repeat(each, axis=1), form.beside.repeat(each, axis=0))


def as_light(lightness: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The light that is seen as a lightness: light is what adds up where two things share a pixel."""
    return np.asarray(np.square(lightness) / 100)


def as_lightness(light: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The lightness as which light is seen."""
    return np.asarray(10 * np.sqrt(np.maximum(light, 0)))


def beside(cover: Values, domain: Domain) -> npt.NDArray[np.intp]:
    """For each pixel of a domain the nearest one (pixels,) of which a solid covers nothing."""
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


def blend(painted: Painted, solid: Solid, texture: Values) -> tuple[Lab, Lab]:
    """A painted solid with a texture by bands (bands, 3) as it is seen: its colours (h, w, 3) times the share
    of each pixel's lightness and colours that it covers, and that share (h, w, 3)."""
    table = np.zeros((256, 4), np.float32)
    table[1:len(solid) + 1, :3], table[1:len(solid) + 1, 3] = texture[solid.bands], 1.0
    size = (painted.shape[1] // OVERSAMPLING, painted.shape[0] // OVERSAMPLING)
    small = cv2.resize(table[painted], size, interpolation=cv2.INTER_AREA)
    light, colour = (cv2.GaussianBlur(small, (0, 0), blur) for blur in (BLUR_PX, COLOUR_BLUR_PX))
    return np.dstack([light[..., :1], colour[..., 1:3]]), np.dstack([light[..., 3:], colour[..., 3:], colour[..., 3:]])
