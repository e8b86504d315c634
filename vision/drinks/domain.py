"""The pixels over which drinks are compared, and solids painted over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.drinks.ring_raster import Painted
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats, Mask, Values


@dataclass(frozen=True, eq=False)
class Domain:
    """The pixels of a box that are compared, row after row; `mask` (h, w). Arrays over them have one entry a pixel."""

    mask: Mask

    @cached_property
    def at(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows and columns (pixels,)."""
        rows, columns = np.nonzero(self.mask)
        return rows, columns

    @cached_property
    def flat(self) -> npt.NDArray[np.intp]:
        """Index of each pixel in the flattened box (pixels,)."""
        return np.flatnonzero(self.mask)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSolid:
    """A painted solid, with its `shading` (bands, SECTORS), the relative brightness of each band from each side, and
    its rings (n, points, 2) in px from the upper left of the domain."""

    solid: Solid
    painted: Painted
    shading: Values | None
    rings_px: Floats
