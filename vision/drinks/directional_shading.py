"""Directional shading: the brightness of a drink's pixels by the azimuth that their surface faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.drinks.domain import Domain, PlacedSolid
from vision.drinks.ring_raster import at_centres
from vision.imaging.arrays import Floats, Values

SECTORS = 12
"""Sectors of azimuth on the table by which shading is learned."""


def shade_pixels(shapes: Sequence[PlacedSolid], domain: Domain, to_table: Floats) -> tuple[Values, Values]:
    """The shading factor (solids, pixels) of the pixels of a domain under each solid, 1 where it is not seen; and the
    cosine and sine (solids, 2, pixels) of the azimuth on the table that the surface seen there faces, 0 where there is
    none."""
    rows, columns = domain.at
    shade, side = np.ones((len(shapes), len(rows)), np.float32), np.zeros((len(shapes), 2, len(rows)), np.float32)
    numbers = np.stack([at_centres(shape.painted)[rows, columns] for shape in shapes])
    which, pixels = np.nonzero(numbers)
    first_ring = np.cumsum([0, *(len(shape.solid) for shape in shapes)])
    rings = first_ring[which] + numbers[which, pixels] - 1
    sectors = sectors_of(rings, np.column_stack([columns[pixels], rows[pixels]]),
                         np.concatenate([shape.rings_px for shape in shapes]), to_table)
    if any(shape.shading is not None for shape in shapes):
        shade[which, pixels] = _interpolated(np.concatenate([_gains(shape) for shape in shapes]), rings, sectors)
    angle = sectors * np.float32(2 * np.pi / SECTORS)
    side[which, :, pixels] = np.column_stack([np.cos(angle), np.sin(angle)])
    return shade, side


def _gains(shape: PlacedSolid) -> Values:
    """The shading (rings, SECTORS) of all rings of a solid; 1 where none was learned."""
    if shape.shading is None:
        return np.ones((len(shape.solid), SECTORS), np.float32)
    return shape.shading[shape.solid.bands]


def _interpolated(gains: Values, rings: npt.NDArray[np.integer], sectors: Values) -> Values:
    """Gains (rings, SECTORS) of some rings (n,), linearly interpolated at fractional sectors (n,)."""
    low = sectors.astype(np.intp)
    between = sectors - low.astype(np.float32)
    cyclic = gains[:, [*range(SECTORS), 0, 1]]  # rounding may make it a whole turn, and there is one beyond that
    at = rings * cyclic.shape[1] + low
    return np.asarray(np.take(cyclic, at) * (1 - between) + np.take(cyclic, at + 1) * between, np.float32)


def sectors_of(rings: npt.NDArray[np.integer], at_px: npt.NDArray[np.number], rings_px: Floats, to_table: Floats
               ) -> Values:
    """For pixels at (n, 2) that show the rings with these numbers (n,), from 0, their azimuth about the axis, in
    sectors of the table from 0 to SECTORS. `rings_px` (rings, points, 2) are all rings; `to_table` (2, 2) maps
    directions in the picture to directions on the table."""
    middles = np.einsum("npc->nc", rings_px) / rings_px.shape[1]
    off = ((at_px - np.take(middles, rings, axis=0)) @ to_table.T).astype(np.float32)
    sectors = np.arctan2(off[:, 1], off[:, 0]) * np.float32(SECTORS / (2 * np.pi))
    return np.asarray(np.where(sectors < 0, sectors + np.float32(SECTORS), sectors), np.float32)
