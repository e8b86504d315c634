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


def shade_pixels(shapes: Sequence[PlacedSolid], domain: Domain, to_table: Floats) -> Values:
    """The shading factor (solids, pixels) of the pixels of a domain under each solid; 1 where it is not seen."""
    rows, columns = domain.at
    shade = np.ones((len(shapes), len(rows)), np.float32)
    shaded = [(number, shape) for number, shape in enumerate(shapes) if shape.shading is not None]
    if not shaded:
        return shade
    numbers = np.stack([at_centres(shape.painted)[rows, columns] for _, shape in shaded])
    which, pixels = np.nonzero(numbers)
    first_ring = np.cumsum([0, *(len(shape.solid) for _, shape in shaded)])
    rings = first_ring[which] + numbers[which, pixels] - 1
    sectors = sectors_of(rings, np.column_stack([columns[pixels], rows[pixels]]),
                         np.concatenate([shape.rings_px for _, shape in shaded]), to_table)
    gains = np.concatenate([shape.shading[shape.solid.bands] for _, shape in shaded if shape.shading is not None])
    shade[np.array([number for number, _ in shaded])[which], pixels] = _interpolated(gains, rings, sectors)
    return shade


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
