"""The colours and the shading of drinks in crates, where less of them is seen and others stand close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.band_texture import LearnedTextures, shading_of, slopes_of
from vision.drinks.band_unmixing import (
    MIN_BAND_LIGHT,
    SMOOTHNESS_PX,
    BandSample,
    Unmixed,
    directional_design,
    expected_pixels,
    lighting_prior,
    side_gain,
    smoothness_prior,
    solve_with_prior,
)
from vision.drinks.exemplar import Exemplar, group_by_drink, sample_bands
from vision.drinks.lightness import as_light, as_lightness
from vision.drinks.loss import LOSS_SCALE
from vision.drinks.models import Texture
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Floats, Mask
from vision.imaging.least_squares import Reals, cauchy, reweighted

CRATE_SHADE_LIMITS = (0.2, 1.5)
"""Limits of the lightness of a band in a crate, relative to that on the table."""

FULL_COVER = 0.9
"""A drink covers a pixel wholly when it covers more than this share of it."""

PRIOR_PX = 15.0
"""Weight, in pixels of a band, of the prior from other drinks."""

ROUNDS = 3
"""Rounds of reweighting of the light in a crate."""


def learn_crate_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid], on_table: LearnedTextures
                         ) -> LearnedTextures:
    """The textures and shading of drinks in crates. The effect of a crate's light on a band is pooled over all drinks
    of one shape. The prior of a texture is that on the open table, in the crate's light; the drink's own pixels update
    it.

    Lids are lit from the sides as on the open table. What is darker of them is in the shadow of whatever stood beside
    them at enrolment, which will be another drink in a game; so such pixels are outliers.
    """
    known, open_shading = on_table
    samples = {drink: [_covered_whole(sample_bands(each, solids[shape_of(drink)])) for each in some]
               for drink, some in group_by_drink(exemplars).items()}
    textures, shading = {}, {}
    for shape, solid in solids.items():
        own = {drink: some for drink, some in samples.items() if shape_of(drink) == shape}
        shade, slopes = _crate_light(own, known, slopes_of(open_shading[shape]) * solid.cap, solid.cap)
        shading[shape] = shading_of(slopes)
        for drink in known:
            if shape_of(drink) == shape:
                expected = np.asarray(known[drink] * shade[:, None], np.float64)
                textures[drink] = _update(expected, own.get(drink, []), slopes, solid.cap)
    return textures, shading


def _covered_whole(sample: BandSample) -> BandSample:
    """The pixels that the drink covers wholly: in a crate others stand and walls rise around it."""
    whole = (sample.cover.sum(axis=2) > FULL_COVER).all(axis=0)
    return BandSample(sample.cover[:, whole], sample.side[:, whole], sample.seen[whole], sample.behind[whole])


def _crate_light(samples: Mapping[Drink, Sequence[BandSample]], known: Mapping[Drink, Texture], lid: Floats, cap: Mask
                 ) -> tuple[Floats, Floats]:
    """The gain of lightness (bands,) of drinks of one shape in a crate against the open table, and their slopes (2,
    bands). `lid` (2, bands): the slopes that are known, of the bands of the cap (bands,). IRLS with Cauchy weights,
    begun with lids as light as on the table."""
    bands = len(cap)
    light = {drink: as_light(known[drink][:, 0]) for drink in samples}
    every = [(each, light[drink]) for drink, some in samples.items() for each in some]
    if not every:
        return np.ones(bands), lid
    unknown = _unknown_light(cap)
    design = np.concatenate([directional_design(each.cover[0] * own * np.square(side_gain(each.side, lid)), each.side)
                             for each, own in every]) @ unknown.astype(np.float32)
    part, seen = (np.concatenate(some) for some in zip(*((each.drink_part(0), each.seen[:, 0]) for each, _ in every)))
    prior = np.mean([np.square(own).mean() for own in light.values()]) * unknown.T @ lighting_prior(cap) @ unknown

    def solve(weights: Reals) -> Floats:
        root = np.asarray(np.sqrt(weights), np.float32)
        return solve_with_prior([design * root[:, None]], [part * root], prior)

    def residuals(found: Reals) -> Floats:
        return np.asarray(as_lightness(np.maximum(as_light(seen) - part + design @ found, 0)) - seen, np.float64)

    as_on_table = np.where(unknown[:bands].any(axis=0), 1.0, 0.0)
    on_lid = np.concatenate([each.cover[0][:, cap].sum(axis=1) for each, _ in every])
    start = 1 - on_lid * (1 - cauchy(residuals(as_on_table), LOSS_SCALE))
    fit = reweighted(solve, residuals, lambda off: cauchy(off, LOSS_SCALE), start, ROUNDS)
    found = np.asarray(unknown @ fit.solution, np.float64)
    shade = np.clip(np.sqrt(np.maximum(found[:bands], 0)), *CRATE_SHADE_LIMITS)
    return shade, lid + found[bands:].reshape(2, bands) / np.square(shade) / 2


def _unknown_light(cap: Mask) -> Floats:
    """The matrix (3 bands, unknowns) from what is solved for in a crate to the light of each band and its two slopes:
    those of each band of the body, and one light for the whole cap."""
    body = np.eye(len(cap))[:, ~cap]
    light, slopes = np.column_stack([body, cap]), np.kron(np.eye(2), body)
    return np.block([[light, np.zeros((len(light), slopes.shape[1]))],
                     [np.zeros((len(slopes), light.shape[1])), slopes]])


def _update(expected: Floats, samples: Sequence[BandSample], slopes: Floats, cap: Mask) -> Texture:
    """The posterior colours (bands, 3) of a drink, from the `expected` ones and samples of it, each pixel with Cauchy's
    weight; the deviations of neighbouring bands are correlated."""
    as_expected = Unmixed(expected, slopes * expected[:, 0])
    off = [np.linalg.norm(expected_pixels(each, as_expected).T - each.seen, axis=1) for each in samples]
    roots = [np.sqrt(cauchy(each, LOSS_SCALE)) for each in off]
    light, *colour = (
        solve_with_prior([each.cover[min(channel, 1)] * root[:, None] for each, root in zip(samples, roots)],
                         [each.drink_part(channel) * root for each, root in zip(samples, roots)],
                         PRIOR_PX * np.eye(len(cap)) + smoothness_prior(cap, pixels),
                         as_light(expected[:, 0]) if channel == 0 else expected[:, channel])
        for channel, pixels in enumerate(SMOOTHNESS_PX))
    return np.column_stack([as_lightness(np.maximum(light, MIN_BAND_LIGHT)), *colour]).astype(np.float32)
