"""Analysis by synthesis: the loss of renderings of drinks against a crop of the picture.

Many comparisons are batched in one call: of several drinks, each at an offset of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from vision.drinks.crop import Crop
from vision.drinks.lightness import as_lightness
from vision.drinks.loss import cauchy_loss
from vision.drinks.pattern_search import Offset
from vision.drinks.rendering import Renderings
from vision.imaging.arrays import Values

LIGHTER_LIMITS, RICHER_LIMITS, MIXTURE_LIMITS, SIDE_LIMITS = (-0.4, 0.5), (-0.4, 0.8), (-1.5, 1.5), (0.6, 1.5)
"""Limits of the gains of lightness and of chroma of a part against enrolment, less 1, of the share of one lamp more
than of the other, and of the brightness of a side of the body against enrolment."""

BATCH_PX = 20_000
"""Pixels that are compared at a time: what fits a processor's cache."""


def render_costs(crop: Crop, renderings: Renderings, rows: Sequence[int], offsets: Sequence[Offset]) -> Values:
    """The losses (rows,) of some of the renderings, each at an offset of its own: the loss of the background alone,
    less what the drink saves where it is visible. So drinks at different offsets are compared over the same pixels."""
    numbers, layers = crop.layers_at(offsets)
    pixels = layers.shape[2]
    costs = np.empty(len(offsets), np.float32)
    for some, trials in _batches(rows, pixels):
        at = numbers[trials]
        seen, shown, saved = np.take(layers[:3], at, axis=1), layers[6, at], layers[7, at]
        drawn = renderings.some(some)
        beside = drawn.beside[:, None] + pixels * at[..., None]
        behind = np.take(layers[3:6].reshape(3, -1), beside, axis=1)
        saved -= cauchy_loss(seen, fit_light(seen, behind, drawn))
        costs[trials] = crop.empty - np.einsum("dtp,dtp->dt", saved, shown)
    return costs


def _batches(rows: Sequence[int], pixels: int) -> Iterator[tuple[list[int], npt.NDArray[np.intp]]]:
    """Batches of rows with equally many consecutive trials, and the indices (rows, trials) of these."""
    runs: dict[int, list[int]] = {}
    starts = [at for at in range(len(rows)) if at == 0 or rows[at] != rows[at - 1]]
    for start, end in zip(starts, [*starts[1:], len(rows)]):
        runs.setdefault(end - start, []).append(start)
    for trials, firsts in runs.items():
        size = max(BATCH_PX // max(trials * pixels, 1), 1)
        for some in (firsts[first:first + size] for first in range(0, len(firsts), size)):
            yield [rows[first] for first in some], np.array(some)[:, None] + np.arange(trials)


def fit_light(seen: Values, behind: Values, drawn: Renderings) -> Values:
    """The predicted pixels (3, drinks, trials, pixels) with the best gains of lightness and chroma for each part: one
    Gauss–Newton step of the ridge regression whose normal equations `Renderings` has inverted. `behind`: the light, a
    and b of the background beside each pixel; it is overwritten."""
    painted, parts = drawn.painted, drawn.light.shape[1]
    behind *= drawn.clear[:, :, None]
    now = behind + drawn.enrolled[:, :, None]
    now[0] = as_lightness(now[0])
    rest = np.subtract(seen, now, out=now)
    along, *hues = rest @ painted.swapaxes(2, 3)
    hue = hues[0] + hues[1]
    off = [along + hue, hue]
    if drawn.mixed.size:
        off.append((rest[1:] @ drawn.mixed.swapaxes(2, 3)).sum(axis=0))
    off.append((rest @ drawn.slanted.swapaxes(2, 3)).sum(axis=0))
    gains = np.concatenate(off, axis=2) @ drawn.to_gains
    lighter = 1 + np.clip(gains[..., :parts], *LIGHTER_LIMITS)
    richer = 1 + np.clip(gains[..., :parts] + gains[..., parts:2 * parts], *RICHER_LIMITS)
    slant = np.clip(1 + gains[..., -2:] @ drawn.side, *SIDE_LIMITS)
    body, cap = slice(0, parts - 1), slice(parts - 1, parts)
    now = np.empty_like(behind)
    now[0] = as_lightness(behind[0] + np.square(slant) * (np.square(lighter[..., body]) @ drawn.light[:, body])
                          + np.square(lighter[..., cap]) @ drawn.light[:, cap])
    now[1:] = behind[1:] + slant * (richer[..., body] @ painted[1:, :, body]) + richer[..., cap] @ painted[1:, :, cap]
    if drawn.mixed.size:
        now[1:] += np.clip(gains[..., 2 * parts:3 * parts], *MIXTURE_LIMITS) @ drawn.mixed
    return now
