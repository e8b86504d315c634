"""The colours of a drink's bands from pictures of it: most pixels show several bands and the table at once.

Every pixel is the sum of what covers it, so that the colours are the solution of linear equations. Bands that are
hardly seen take the colours of their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.drinks.pixel_coverage import as_light, as_lightness
from vision.drinks.residual import cauchy_loss
from vision.imaging.arrays import Floats, Mask, Values

SMOOTHNESS_PX = (20.0, 60.0, 60.0)
"""That neighbouring bands have the same L, a and b counts as so many pixels; a cap may have any other colour."""

CAP_EDGE_WEIGHT = 0.05
"""How much of that is left between body and cap."""

EVEN_LIGHT_PX = 40.0
"""That a band is lit alike from all sides counts as so many pixels."""

RIDGE_PX, MIN_LIGHT = 1e-3, 0.01

SIDE_GAIN_LIMITS = (0.5, 1.6)
"""A band may be so much darker or brighter than its mean from some side."""


@dataclass(frozen=True, eq=False)
class BandSample:
    """A drink as one picture shows it, over the pixels compared: `cover` (2, pixels, bands) the share of each one's
    light and of its colour that comes from each band, `side` (2, pixels) cosine and sine of the direction on the
    table in which the surface seen there lies from the axis (0 where none is), `seen` (pixels, 3), and `behind`
    (pixels, 3) what would be seen without the drink."""

    cover: Values
    side: Values
    seen: Values
    behind: Values

    @cached_property
    def clear(self) -> tuple[Values, Values]:
        """The share of each pixel's light, and of its colour (pixels,), that does not come from the drink."""
        light, colour = self.cover
        return 1 - light.sum(axis=1), 1 - colour.sum(axis=1)

    def rest(self, channel: int) -> Values:
        """What of the light, of a or of b (pixels,) comes from the drink."""
        seen, behind = ((as_light(each[:, 0]) if channel == 0 else each[:, channel])
                        for each in (self.seen, self.behind))
        return np.asarray(seen - self.clear[min(channel, 1)] * behind, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Unmixed:
    """Colours (bands, 3) Lab, and how much lighter (2, bands) each band is along x and along y of the table."""

    colours: Floats
    slopes: Floats


def unmix(shown: Sequence[BandSample], cap: Mask) -> Unmixed:
    """The colours that explain one drink in one or more pictures best. `cap` (bands,): which bands are the cap's."""
    bands = len(cap)
    light = solve_with_prior([directional_design(each.cover[0], each.side) for each in shown],
                             [each.rest(0) for each in shown], lighting_prior(cap))
    lightness = as_lightness(np.maximum(light[:bands], MIN_LIGHT))
    slopes = light[bands:].reshape(2, bands) * 50 / lightness  # what a little more light is as lightness
    covers = [each.cover[1] * side_gain(each.side, slopes / lightness) for each in shown]
    colour = [solve_with_prior(covers, [each.rest(channel) for each in shown],
                               smoothness_prior(cap, SMOOTHNESS_PX[channel]))
              for channel in (1, 2)]
    return Unmixed(np.column_stack([lightness, *colour]), slopes)


def side_gain(side: Values, slopes: Floats) -> Values:
    """How bright (n, bands) each band is on some sides (2, n: cosine and sine of their directions), as a share of its
    mean: its colours are as much weaker or stronger. `slopes` (2, bands): how much brighter it is along x and y."""
    return np.clip(1 + side.T @ slopes, *SIDE_GAIN_LIMITS).astype(np.float32)


def directional_design(cover: Values, side: Values) -> Values:
    """Shares (pixels, bands) as they count for the bands' own lightness, and for that along x and along y."""
    return np.concatenate([cover, *(cover * along[:, None] for along in side)], axis=1)


def lighting_prior(cap: Mask) -> Floats:
    """The matrix (3 bands, 3 bands) by which neighbouring bands are held equally light, and lit alike from all sides.
    """
    bands = len(cap)
    matrix = np.asarray(np.kron(np.eye(3), smoothness_prior(cap, SMOOTHNESS_PX[0])), np.float64)
    matrix[bands:, bands:] += EVEN_LIGHT_PX * np.eye(2 * bands)
    return matrix


def smoothness_prior(cap: Mask, pixels: float) -> Floats:
    """The matrix (bands, bands) by which neighbouring bands are held alike."""
    weights = pixels * np.where(cap[1:] == cap[:-1], 1.0, CAP_EDGE_WEIGHT)
    apart = np.diff(np.eye(len(cap)), axis=0)
    return np.asarray(apart.T @ (weights[:, None] * apart), np.float64)


def solve_with_prior(covers: Sequence[Values], rests: Sequence[Values], prior: Floats,
                     expected: Floats | None = None) -> Floats:
    """The unknowns (n,) that explain rests (pixels,) by covers (pixels, n), held by a prior (n, n) near what is
    expected (n,)."""
    matrix, right = prior + RIDGE_PX * np.eye(len(prior)), np.zeros(len(prior))
    if expected is not None:
        right += matrix @ expected
    for cover, rest in zip(covers, rests):
        matrix = matrix + cover.T @ cover
        right += cover.T @ rest
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def unmixing_loss(shown: Sequence[BandSample], unmixed: Unmixed) -> float:
    """How badly the solution explains the pictures."""
    total = 0.0
    for each in shown:
        bright = unmixed.colours[:, 0] + each.side.T @ unmixed.slopes
        light = (each.cover[0] * as_light(np.maximum(bright, 0))).sum(axis=1)
        lightness = as_lightness(light + each.clear[0] * as_light(each.behind[:, 0]))
        hued = each.cover[1] * side_gain(each.side, unmixed.slopes / unmixed.colours[:, 0])
        colour = hued @ unmixed.colours[:, 1:] + each.clear[1][:, None] * each.behind[:, 1:]
        total += float(cauchy_loss(each.seen.T, np.vstack([lightness[None], colour.T]).astype(np.float32)).sum())
    return total
