"""Textures: the colour of each band of a drink, and its directional shading, learned from enrolment pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.band_unmixing import (
    MIN_BAND_LIGHT,
    SMOOTHNESS_PX,
    BandSample,
    Unmixed,
    directional_design,
    lighting_prior,
    side_gain,
    smoothness_prior,
    solve_with_prior,
    unmix,
)
from vision.drinks.directional_shading import SECTORS
from vision.drinks.exemplar import Exemplar, group_by_drink, sample_bands
from vision.drinks.lightness import as_light, as_lightness
from vision.drinks.models import Shading, Texture
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats, Mask

CRATE_SHADE_LIMITS = (0.2, 1.5)
"""Limits of the lightness of a band in a crate, relative to that on the table."""

FULL_COVER = 0.9
"""A drink covers a pixel wholly when it covers more than this share of it."""

PRIOR_PX = 15.0
"""Weight, in pixels of a band, of the prior from other drinks."""

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


def learn_crate_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid], known: Mapping[Drink, Texture]
                         ) -> LearnedTextures:
    """The textures and shading of drinks in crates, where less of them is visible. The effect of a crate's light on a
    band is pooled over all drinks of one shape. The prior of a texture is the `known` one from the open table in that
    light; the drink's own pixels update it."""
    samples = {drink: [_covered_whole(sample_bands(each, solids[shape_of(drink)])) for each in some]
               for drink, some in group_by_drink(exemplars).items()}
    textures, shading = {}, {}
    for shape, solid in solids.items():
        own = {drink: some for drink, some in samples.items() if shape_of(drink) == shape}
        shade, shading[shape] = _crate_light(own, known, solid)
        for drink in known:
            if shape_of(drink) == shape:
                expected = np.asarray(known[drink] * shade[:, None], np.float64)
                textures[drink] = _update(expected, own.get(drink, []), solid.cap).astype(np.float32)
    return textures, shading


def _table_shading(alike: Sequence[Unmixed], solid: Solid) -> Shading:
    """The shading of one shape, from the solutions of all its drinks."""
    slopes = sum((each.slopes for each in alike), np.zeros((2, len(solid.cap))))
    light = sum((each.colours[:, 0] for each in alike), np.zeros(len(solid.cap)))
    return _shading(slopes / np.maximum(light, 1.0))


def _covered_whole(sample: BandSample) -> BandSample:
    """The pixels that the drink covers wholly: in a crate others stand and walls rise around it."""
    whole = (sample.cover.sum(axis=2) > FULL_COVER).all(axis=0)
    return BandSample(sample.cover[:, whole], sample.side[:, whole], sample.seen[whole], sample.behind[whole])


def _crate_light(samples: Mapping[Drink, Sequence[BandSample]], known: Mapping[Drink, Texture], solid: Solid
                 ) -> tuple[Floats, Shading]:
    """The gain of lightness (bands,) of drinks of one shape in a crate against the open table, and their shading."""
    bands = len(solid.cap)
    light = {drink: as_light(known[drink][:, 0]) for drink in samples}
    weighted = [(each, each.cover[0] * light[drink]) for drink, some in samples.items() for each in some]
    if not weighted:
        return np.ones(bands), _shading(np.zeros((2, bands)))
    mean_square = float(np.mean([np.square(each).mean() for each in light.values()]))
    found = solve_with_prior([directional_design(cover, each.side) for each, cover in weighted],
                             [each.drink_part(0) for each, _ in weighted], mean_square * lighting_prior(solid.cap))
    shade = np.clip(np.sqrt(np.maximum(found[:bands], 0)), *CRATE_SHADE_LIMITS)
    return shade, _shading(found[bands:].reshape(2, bands) / np.square(shade) / 2)


def _update(expected: Floats, samples: Sequence[BandSample], cap: Mask) -> Floats:
    """The posterior colours (bands, 3) of a drink, from the `expected` ones and samples of it; the deviations of
    neighbouring bands are correlated."""
    light, *colour = (
        solve_with_prior([each.cover[min(channel, 1)] for each in samples],
                         [each.drink_part(channel) for each in samples],
                         PRIOR_PX * np.eye(len(cap)) + smoothness_prior(cap, pixels),
                         as_light(expected[:, 0]) if channel == 0 else expected[:, channel])
        for channel, pixels in enumerate(SMOOTHNESS_PX))
    return np.column_stack([as_lightness(np.maximum(light, MIN_BAND_LIGHT)), *colour])


def _shading(slopes: Floats) -> Shading:
    """The shading from slopes (2, bands): the relative increase of brightness along x and y of the table."""
    angle = np.arange(SECTORS) * 2 * np.pi / SECTORS
    return side_gain(np.stack([np.cos(angle), np.sin(angle)]).astype(np.float32), slopes).T
