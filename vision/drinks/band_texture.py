"""Textures: the colour of each band of a drink, and its directional shading, learned from enrolment pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.band_unmixing import Unmixed, side_gain, unmix
from vision.drinks.directional_shading import SECTORS
from vision.drinks.exemplar import Exemplar, group_by_drink, sample_bands
from vision.drinks.models import Shading, Texture
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats

LearnedTextures = tuple[dict[Drink, Texture], dict[str, Shading]]
"""The textures of drinks, and the shading of each shape."""


def learn_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid]) -> LearnedTextures:
    """The textures of all drinks seen on the open table, and the shading of each shape, pooled over its drinks."""
    found = {}
    for drink, some in group_by_drink(exemplars).items():
        solid = solids[shape_of(drink)]
        found[drink] = unmix([sample_bands(each, solid) for each in some], solid.cap)
    shading = {shape: _table_shading([found[drink] for drink in found if shape_of(drink) == shape], solid)
               for shape, solid in solids.items()}
    return {drink: each.colours.astype(np.float32) for drink, each in found.items()}, shading


def _table_shading(alike: Sequence[Unmixed], solid: Solid) -> Shading:
    """The shading of one shape, from the solutions of all its drinks."""
    slopes = sum((each.slopes for each in alike), np.zeros((2, len(solid.cap))))
    light = sum((each.colours[:, 0] for each in alike), np.zeros(len(solid.cap)))
    return shading_of(slopes / np.maximum(light, 1.0))


def shading_of(slopes: Floats) -> Shading:
    """The shading from slopes (2, bands): the relative increase of brightness along x and y of the table."""
    angle = np.arange(SECTORS) * 2 * np.pi / SECTORS
    return side_gain(np.stack([np.cos(angle), np.sin(angle)]).astype(np.float32), slopes).T


def slopes_of(shading: Shading) -> Floats:
    """The slopes (2, bands) from which a shading was made."""
    angle = np.arange(SECTORS) * 2 * np.pi / SECTORS
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)]) @ shading.T * 2 / SECTORS, np.float64)
