"""The colour of shadows: where something keeps the lamp's light away, that of the room and of the table around is left,
and both have other colours. So a shadow takes more of one channel than of another, in the same proportion everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.imaging.least_squares import Reals, geman_mcclure, reweighted
from vision.photometry.white_reference import OPPONENT

DEEPEST, LIGHTEST = 0.15, 0.96
"""A shadow leaves more than the one share of the lightness; what leaves more than the other may be noise."""

FEWEST_PX = 100
"""Fewer pixels tell no colour."""

USUAL_OFF, FIT_ROUNDS = 3.0, 4
"""Colours mostly fit to so much; what is farther off (a piece that lies elsewhere, a gloss) hardly counts."""

Pixels = npt.NDArray[np.float32]
"""(n, 3) lightness and two opponent colours, as `to_opponent` gives them."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """How shadows change a colour: where one takes some share of the lightness, it `takes` so many times that of each
    of the gamma-coded channels B G R, a grey one alike of all. Beside drinks the `deepest` leaves such a share."""

    takes: tuple[float, float, float] = (1.0, 1.0, 1.0)
    deepest: float = DEEPEST

    @property
    def is_grey(self) -> bool:
        """Whether it keeps the hue."""
        return self.takes == GREY.takes

    @property
    def tint(self) -> npt.NDArray[np.float32]:
        """The matrix (3, 3) that makes of a colour what it has in deepest shadow, beside what is left of it."""
        return _tint(self.takes)


GREY = Shadow()


@lru_cache(maxsize=8)
def _tint(takes: tuple[float, float, float]) -> npt.NDArray[np.float32]:
    to = np.asarray(OPPONENT, np.float64)
    tint = to @ np.diag(1 - np.array(takes)) @ np.linalg.inv(to)
    tint[0] = 0  # how dark a shadow is, is said by its lightness
    return np.asarray(tint, np.float32)


def learn_shadow(seen: Sequence[Pixels], bare: Sequence[Pixels]) -> Shadow:
    """From pixels of the table as they were seen beside pieces, in one or more pictures, and the same without pieces.
    Grey where there is too little shadow. Iteratively reweighted least squares with Geman and McClure's loss."""
    to = np.asarray(OPPONENT, np.float64)
    now, clear = (np.concatenate(pixels).astype(np.float64) for pixels in (seen, bare))
    left = now[:, 0] / np.maximum(clear[:, 0], 1)
    shaded = (left > DEEPEST) & (left < LIGHTEST)
    if shaded.sum() < FEWEST_PX:
        return GREY
    now_light, clear_light = (pixels[shaded] @ np.linalg.inv(to).T for pixels in (now, clear))
    dimmed, taken = (1 - left[shaded, None]) * clear_light, clear_light - now_light

    def takes(trust: Reals) -> Reals:
        return np.asarray((trust * dimmed * taken).sum(axis=0) / (trust * dimmed * dimmed).sum(axis=0))

    def squares_off(takes: Reals) -> Reals:
        off = (taken - dimmed * takes) @ to.T[:, 1:]
        return np.asarray((off * off).sum(axis=1, keepdims=True))

    fit = reweighted(takes, squares_off, lambda squares: geman_mcclure(squares, USUAL_OFF),
                     np.ones((len(dimmed), 1)), FIT_ROUNDS)
    blue, green, red = (float(each) for each in fit.solution)
    return Shadow((blue, green, red))
