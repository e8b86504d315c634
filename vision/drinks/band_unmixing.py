"""The colours of a drink's bands from pictures of it: most pixels show several bands and the table at once.

Linear spectral unmixing (N. Keshava and J. Mustard, IEEE Signal Processing Magazine 19, 2002), with the abundances
known and the spectra unknown: every pixel is a linear mixture of what covers it, so that the colours solve linear
equations. A smoothness prior determines bands that are hardly seen (Tikhonov regularisation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.drinks.lightness import as_light, as_lightness
from vision.drinks.loss import cauchy_loss
from vision.imaging.arrays import Floats, Mask, Values

SMOOTHNESS_PX = (20.0, 60.0, 60.0)
"""Weight, in pixels, of the prior that neighbouring bands have the same L, a and b; a cap may have any other colour."""

CAP_EDGE_WEIGHT = 0.05
"""The factor of that weight between body and cap."""

EVEN_LIGHT_PX = 40.0
"""Weight, in pixels, of the prior that a band is lit alike from all sides."""

RIDGE_PX, MIN_BAND_LIGHT = 1e-3, 0.01

SIDE_GAIN_LIMITS = (0.5, 1.6)
"""Limits of the brightness of a band from some side, relative to its mean."""


@dataclass(frozen=True, eq=False)
class BandSample:
    """A drink in one picture, over the pixels compared: `cover` (2, pixels, bands) the share of each pixel's light and
    of its chroma that comes from each band, `side` (2, pixels) cosine and sine of the azimuth on the table of the
    surface seen there about the axis (0 where none is), `seen` (pixels, 3) Lab, and `behind` (pixels, 3) the background
    without the drink."""

    cover: Values
    side: Values
    seen: Values
    behind: Values

    @cached_property
    def clear(self) -> tuple[Values, Values]:
        """The share of each pixel's light, and of its chroma (pixels,), that does not come from the drink."""
        light, colour = self.cover
        return 1 - light.sum(axis=1), 1 - colour.sum(axis=1)

    def drink_part(self, channel: int) -> Values:
        """The light, a or b (pixels,) less the contribution of the background."""
        seen, behind = ((as_light(each[:, 0]) if channel == 0 else each[:, channel])
                        for each in (self.seen, self.behind))
        return np.asarray(seen - self.clear[min(channel, 1)] * behind, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Unmixed:
    """Colours (bands, 3) Lab, and the relative increase of lightness (2, bands) of each band along x and y of the
    table."""

    colours: Floats
    slopes: Floats


def unmix(samples: Sequence[BandSample], cap: Mask) -> Unmixed:
    """The colours of one drink from one or more samples. `cap` (bands,): which bands are the cap's."""
    bands = len(cap)
    light = solve_with_prior([directional_design(each.cover[0], each.side) for each in samples],
                             [each.drink_part(0) for each in samples], lighting_prior(cap))
    lightness = as_lightness(np.maximum(light[:bands], MIN_BAND_LIGHT))
    slopes = light[bands:].reshape(2, bands) * 50 / lightness  # what a little more light is as lightness
    covers = [each.cover[1] * side_gain(each.side, slopes / lightness) for each in samples]
    colour = [solve_with_prior(covers, [each.drink_part(channel) for each in samples],
                               smoothness_prior(cap, SMOOTHNESS_PX[channel])) for channel in (1, 2)]
    return Unmixed(np.column_stack([lightness, *colour]), slopes)


def side_gain(side: Values, slopes: Floats) -> Values:
    """The brightness (n, bands) of each band on some sides (2, n: cosine and sine of their azimuths) relative to its
    mean; chroma scales with it. `slopes` (2, bands): its increase along x and y."""
    return np.clip(1 + side.T @ slopes, *SIDE_GAIN_LIMITS).astype(np.float32)


def directional_design(cover: Values, side: Values) -> Values:
    """The design matrix (pixels, 3 bands) of each band's mean light, and of its increase along x and along y, from
    shares (pixels, bands)."""
    return np.concatenate([cover, *(cover * along[:, None] for along in side)], axis=1)


def lighting_prior(cap: Mask) -> Floats:
    """The precision matrix (3 bands, 3 bands) of the prior that neighbouring bands are equally light, and lit alike
    from all sides."""
    bands = len(cap)
    matrix = np.asarray(np.kron(np.eye(3), smoothness_prior(cap, SMOOTHNESS_PX[0])), np.float64)
    matrix[bands:, bands:] += EVEN_LIGHT_PX * np.eye(2 * bands)
    return matrix


def smoothness_prior(cap: Mask, pixels: float) -> Floats:
    """The precision matrix (bands, bands) of the prior that neighbouring bands are alike: the weighted Laplacian of a
    chain."""
    weights = pixels * np.where(cap[1:] == cap[:-1], 1.0, CAP_EDGE_WEIGHT)
    apart = np.diff(np.eye(len(cap)), axis=0)
    return np.asarray(apart.T @ (weights[:, None] * apart), np.float64)


def solve_with_prior(covers: Sequence[Values], parts: Sequence[Values], prior: Floats, expected: Floats | None = None
                     ) -> Floats:
    """The parameters (n,) of a linear model with designs (pixels, n) and observations (pixels,): least squares with a
    Gaussian prior, of this precision (n, n) about the mean `expected` (n,), or 0 if none is given."""
    matrix, right = prior + RIDGE_PX * np.eye(len(prior)), np.zeros(len(prior))
    if expected is not None:
        right += matrix @ expected
    for cover, part in zip(covers, parts):
        matrix = matrix + cover.T @ cover
        right += cover.T @ part
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def unmixing_loss(samples: Sequence[BandSample], unmixed: Unmixed) -> float:
    """The loss of the solution over all samples: the sum of `cauchy_loss`."""
    return sum(float(cauchy_loss(each.seen.T, expected_pixels(each, unmixed)).sum()) for each in samples)


def expected_pixels(sample: BandSample, unmixed: Unmixed) -> Values:
    """What a sample shows by a solution: L, a and b (3, pixels)."""
    bright = unmixed.colours[:, 0] + sample.side.T @ unmixed.slopes
    light = (sample.cover[0] * as_light(np.maximum(bright, 0))).sum(axis=1)
    lightness = as_lightness(light + sample.clear[0] * as_light(sample.behind[:, 0]))
    hued = sample.cover[1] * side_gain(sample.side, unmixed.slopes / unmixed.colours[:, 0])
    colour = hued @ unmixed.colours[:, 1:] + sample.clear[1][:, None] * sample.behind[:, 1:]
    return np.vstack([lightness[None], colour.T]).astype(np.float32)
