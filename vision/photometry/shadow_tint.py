"""The tint of shadows: where the lamp is occluded, ambient light is left, from the room and from the table around, and
both have other colours. So a shadow takes more of one channel than of another, in the same proportion everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.imaging.least_squares import Reals, geman_mcclure, reweighted
from vision.photometry.white_reference import OPPONENT

DEEPEST_SHADOW, LIGHTEST_SHADOW = 0.15, 0.96
"""The shares of the lightness that the deepest and the lightest shadow leave; a smaller loss may be noise."""

MIN_SHADOW_PIXELS = 100
"""The tint is not learned from fewer."""

TINT_SCALE, TINT_ROUNDS = 3.0, 4
"""The scale of the robust loss in units of colour, and the rounds of IRLS; outliers are gloss and pieces."""

Pixels = npt.NDArray[np.float32]
"""(n, 3) lightness and two opponent colours, as `to_opponent` gives them."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """How shadows change a colour. A shadow that takes some share of the lightness takes that share, times the factors
    `takes` (B G R), of each gamma-coded channel; those of a grey one are 1. `deepest`: the share of the lightness that
    the deepest shadow beside drinks leaves."""

    takes: tuple[float, float, float] = (1.0, 1.0, 1.0)
    deepest: float = DEEPEST_SHADOW

    @property
    def is_grey(self) -> bool:
        """Whether it scales all channels alike, and so keeps the hue."""
        return self.takes == GREY_SHADOW.takes

    @property
    def tint(self) -> npt.NDArray[np.float32]:
        """The matrix (3, 3) from a colour (lightness, two opponent colours) to the chroma that a shadow adds to the
        scaled colour, for each unit of the share of lightness that it takes."""
        return _tint(self.takes)


GREY_SHADOW = Shadow()


@lru_cache(maxsize=8)
def _tint(takes: tuple[float, float, float]) -> npt.NDArray[np.float32]:
    to = np.asarray(OPPONENT, np.float64)
    tint = to @ np.diag(1 - np.array(takes)) @ np.linalg.inv(to)
    tint[0] = 0  # how dark a shadow is, is said by its lightness
    return np.asarray(tint, np.float32)


def learn_shadow(seen: Sequence[Pixels], bare: Sequence[Pixels]) -> Shadow:
    """Learned from pixels of the table as they were seen beside pieces, in one or more pictures, and the same without
    pieces. Grey where there is too little shadow. IRLS with Geman and McClure's weights."""
    to = np.asarray(OPPONENT, np.float64)
    now, clear = (np.concatenate(pixels).astype(np.float64) for pixels in (seen, bare))
    left = now[:, 0] / np.maximum(clear[:, 0], 1)
    shaded = (left > DEEPEST_SHADOW) & (left < LIGHTEST_SHADOW)
    if shaded.sum() < MIN_SHADOW_PIXELS:
        return GREY_SHADOW
    now_light, clear_light = (pixels[shaded] @ np.linalg.inv(to).T for pixels in (now, clear))
    dimmed, taken = (1 - left[shaded, None]) * clear_light, clear_light - now_light

    def takes(trust: Reals) -> Reals:
        return np.asarray((trust * dimmed * taken).sum(axis=0) / (trust * dimmed * dimmed).sum(axis=0))

    def squares_off(takes: Reals) -> Reals:
        off = (taken - dimmed * takes) @ to.T[:, 1:]
        return np.asarray((off * off).sum(axis=1, keepdims=True))

    fit = reweighted(takes, squares_off, lambda squares: geman_mcclure(squares, TINT_SCALE),
                     np.ones((len(dimmed), 1)), TINT_ROUNDS)
    blue, green, red = (float(each) for each in fit.solution)
    return Shadow((blue, green, red))
