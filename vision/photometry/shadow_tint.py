"""The tint of shadows: where the lamp is occluded, ambient light is left, from the room and from the table around, and
both have other colours. So a shadow takes more of one channel than of another, in the same proportion everywhere.

In the light of two lamps of other colours, as of a window and a bulb, there are two such tints: each shadow keeps away
one lamp and is left in the light of the other. Where both fall, they mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Mask
from vision.imaging.least_squares import Reals, geman_mcclure, reweighted
from vision.photometry.white_reference import OPPONENT

DEEPEST_SHADOW, LIGHTEST_SHADOW = 0.15, 0.96
"""The shares of the lightness that the deepest and the lightest shadow leave; a smaller loss may be noise."""

MIN_SHADOW_PIXELS = 100
"""The tint is not learned from fewer."""

TINT_SCALE, TINT_ROUNDS = 3.0, 4
"""The scale of the robust loss in units of colour, and the rounds of IRLS; outliers are gloss and pieces."""

OTHER_OFF, OTHER_SHARE = 6.0, 0.25
"""Pixels whose residual under one tint is larger than this, in units of colour, may be in the shadow of another lamp:
they are, if two tints and what lies between them explain at least the share of them (within `TINT_SCALE`, or twice the
noise where that is more)."""

ENDS, CLEAR_SHADOW = (0.03, 0.97), 0.15
"""The two tints are quantiles along the direction in which the tints of single pixels differ most, of those that lose
more than the last share of their lightness. What lies between is in the shadow of both lamps, or in half-shadow."""

MOSTLY_STRANGE, PARTING_ROUNDS = 0.5, 12
"""Where one tint does not explain more than this share of what is clearly in shadow, there are two for certain; on a
dark table quantiles would tell of the noise. Then each pixel is attributed to the nearer tint and each tint fitted to
its own, so many times."""

LIT = (0.97, 1.03)
"""Limits of the share of lightness that is left where no shadow falls: what differs there is noise."""

LAMP_ONLY, MOST_QUANTILE = 0.3, 0.98
"""A pixel is in the shadow of one lamp only when the other one's part is smaller than this. How much a lamp's shadow
takes at most is a quantile of what it takes of such pixels."""

Takes = tuple[float, float, float]
"""How much more than of the lightness a shadow takes of the channels B, G and R."""


@dataclass(frozen=True, slots=True)
class LampShadow:
    """The shadows of one of two lamps: their factors, and the share of the lightness that they take at most."""

    takes: Takes
    most: float

    @property
    def tint(self) -> npt.NDArray[np.float32]:
        """As `Shadow.tint`."""
        return _tint(self.takes)


Pixels = npt.NDArray[np.float32]
"""(n, 3) lightness and two opponent colours, as `to_opponent` gives them."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """How shadows change a colour. A shadow that takes some share of the lightness takes that share, times the factors
    `takes` (B G R), of each gamma-coded channel; those of a grey one are 1. `deepest`: the share of the lightness that
    the deepest shadow beside drinks leaves. `lamps`: the shadows of either lamp where there are two of other
    colours."""

    takes: Takes = (1.0, 1.0, 1.0)
    deepest: float = DEEPEST_SHADOW
    lamps: tuple[LampShadow, LampShadow] | None = None

    @property
    def is_grey(self) -> bool:
        """Whether it scales all channels alike, and so keeps the hue."""
        return self.takes == GREY_SHADOW.takes

    @property
    def mixture(self) -> npt.NDArray[np.float32] | None:
        """The matrix (3, 3) from a colour (lightness, two opponent colours) to the chroma that it gains where it is lit
        by the second lamp alone, against where it is lit by both; by the first lamp alone it loses it. None where all
        light has one colour."""
        if self.lamps is None:
            return None
        first, second = self.lamps
        return np.asarray((first.most * first.tint - second.most * second.tint) / 2, np.float32)

    @property
    def tint(self) -> npt.NDArray[np.float32]:
        """The matrix (3, 3) from a colour (lightness, two opponent colours) to the chroma that a shadow adds to the
        scaled colour, for each unit of the share of lightness that it takes."""
        return _tint(self.takes)


GREY_SHADOW = Shadow()

_CHROMA = np.asarray(OPPONENT, np.float64).T[:, 1:]


@lru_cache(maxsize=8)
def _tint(takes: Takes) -> npt.NDArray[np.float32]:
    to = np.asarray(OPPONENT, np.float64)
    tint = to @ np.diag(1 - np.array(takes)) @ np.linalg.inv(to)
    tint[0] = 0  # how dark a shadow is, is said by its lightness
    return np.asarray(tint, np.float32)


def learn_shadow(seen: Sequence[Pixels], bare: Sequence[Pixels]) -> Shadow:
    """Learned from pixels of the table as they were seen beside pieces, in one or more pictures, and the same without
    pieces. Grey where there is too little shadow."""
    to = np.asarray(OPPONENT, np.float64)
    now, clear = (np.concatenate(pixels).astype(np.float64) for pixels in (seen, bare))
    left = now[:, 0] / np.maximum(clear[:, 0], 1)
    shaded = (left > DEEPEST_SHADOW) & (left < LIGHTEST_SHADOW)
    if shaded.sum() < MIN_SHADOW_PIXELS:
        return GREY_SHADOW
    now_light, clear_light = (pixels[shaded] @ np.linalg.inv(to).T for pixels in (now, clear))
    loss = _Loss((1 - left[shaded, None]) * clear_light, clear_light - now_light)
    takes = loss.fitted()
    return Shadow(_as_takes(takes), lamps=loss.lamps(takes, 1 - left[shaded], _noise(now, clear, left)))


def _noise(now: Reals, clear: Reals, left: Reals) -> float:
    """The median difference of chroma between pixels (n, 3) of two pictures where no shadow falls."""
    is_lit = (left > LIT[0]) & (left < LIT[1])
    return float(np.median(np.linalg.norm((now - clear)[is_lit, 1:], axis=1))) if is_lit.any() else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Loss:
    """Shaded pixels: the light (n, 3) B G R that a grey shadow would take (`dimmed`) and what is `taken` indeed."""

    dimmed: Reals
    taken: Reals

    def squares_off(self, takes: Reals) -> Reals:
        """The squared residual of chroma (n, 1) under these factors (3,)."""
        off = (self.taken - self.dimmed * takes) @ _CHROMA
        return np.asarray((off * off).sum(axis=1, keepdims=True))

    def solved(self, trust: Reals) -> Reals:
        """The factors (3,) by weighted least squares."""
        squares = (trust * self.dimmed * self.dimmed).sum(axis=0)
        return np.asarray((trust * self.dimmed * self.taken).sum(axis=0) / np.maximum(squares, 1e-9))

    def fitted(self) -> Reals:
        """The factors (3,) by IRLS with Geman and McClure's weights."""
        return reweighted(self.solved, self.squares_off, lambda squares: geman_mcclure(squares, TINT_SCALE),
                          np.ones((len(self.taken), 1)), TINT_ROUNDS).solution

    def lamps(self, takes: Reals, taken_share: Reals, noise: float) -> tuple[LampShadow, LampShadow] | None:
        """The shadows of two lamps, given the tint of all, the share (n,) of the lightness that is taken and the noise
        of chroma; None where what has another tint is no shadow: pieces, gloss."""
        clear = taken_share > CLEAR_SHADOW
        strange = self.squares_off(takes)[:, 0] > OTHER_OFF ** 2
        if (strange & clear).sum() < MIN_SHADOW_PIXELS:
            return None
        one, other = self._ends(takes, clear)
        counts = np.ones(len(clear), np.bool_)
        if strange[clear].mean() > MOSTLY_STRANGE:
            one, other = self._parted(one, other, clear)
            counts = clear
        part, squares = self._mixed(one, other)
        explained = counts & (squares < max(TINT_SCALE, 2 * noise) ** 2)
        strange &= counts
        alone = [taken_share[explained & where] for where in (part < LAMP_ONLY, part > 1 - LAMP_ONLY)]
        if explained[strange].mean() < OTHER_SHARE or min(map(len, alone)) < MIN_SHADOW_PIXELS:
            return None
        first, second = (float(np.quantile(each, MOST_QUANTILE)) for each in alone)
        return LampShadow(_as_takes(one), first), LampShadow(_as_takes(other), second)

    def _parted(self, one: Reals, other: Reals, is_clear: Mask) -> tuple[Reals, Reals]:
        """Two tints (3,), each fitted to the pixels in clear shadow that are nearer to it than to the other."""
        clear = _Loss(self.dimmed[is_clear], self.taken[is_clear])
        for _ in range(PARTING_ROUNDS):
            part, _ = clear._mixed(one, other)
            near, far = part < 0.5, part >= 0.5
            if min(near.sum(), far.sum()) < MIN_SHADOW_PIXELS:
                break
            one, other = (_Loss(clear.dimmed[where], clear.taken[where]).fitted() for where in (near, far))
        return one, other

    def _ends(self, middle: Reals, is_clear: Mask) -> tuple[Reals, Reals]:
        """The tints (3,) at both ends of the principal direction of the single pixels' own."""
        own = self.taken[is_clear] / self.dimmed[is_clear] - middle
        axis = np.linalg.svd(own - own.mean(axis=0), full_matrices=False)[2][0]
        one, other = (middle + axis * end for end in np.quantile(own @ axis, ENDS))
        return one, other

    def _mixed(self, one: Reals, other: Reals) -> tuple[Reals, Reals]:
        """The part (n,) of the second tint in the mixture of both that explains each pixel best, and the squared
        residual (n,)."""
        step = self.dimmed * (other - one) @ _CHROMA
        off = (self.taken - self.dimmed * one) @ _CHROMA
        part = (off * step).sum(axis=1) / np.maximum((step * step).sum(axis=1), 1e-9)
        rest = off - np.clip(part, 0, 1)[:, None] * step
        return part, np.asarray((rest * rest).sum(axis=1))


def _as_takes(factors: Reals) -> Takes:
    blue, green, red = (float(each) for each in factors)
    return blue, green, red
