"""The small shift and turn on which most of some points agree: random sample consensus over pairs.

M. Fischler and R. Bolles, "Random Sample Consensus", 1981. What pieces cover, or a lamp shines on, does not agree.
"""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Floats, Mask

AGREES_MM = 0.35
"""A point agrees with a motion when it is no farther off."""

PAIRS, REFITS = 30, 3
"""Pairs of points that are tried, and how often the best motion is fitted again to all that agree."""

MIN_AGREEING = 3


def consensus(at_mm: Floats, off_mm: Floats, seen: Mask) -> Mask | None:
    """Which of the points (n, 2) that are `seen` (n,) and lie so far off where they should (n, 2) agree on one small
    shift and turn; None when too few do. At least two must be seen."""
    random = np.random.default_rng(0)
    pairs = random.permuted(np.tile(np.flatnonzero(seen), (PAIRS, 1)), axis=1)[:, :2]
    close = _near(at_mm, off_mm, rigid_motion(at_mm[pairs], off_mm[pairs])[:, None]) & seen
    best = close[close.sum(axis=1).argmax()]
    for _ in range(REFITS):
        if best.sum() < MIN_AGREEING:
            return None
        best = _near(at_mm, off_mm, rigid_motion(at_mm[best], off_mm[best])) & seen
    return best if best.sum() >= MIN_AGREEING else None


def rigid_motion(at_mm: Floats, off_mm: Floats) -> Floats:
    """Shift and small turn (..., 3: x, y, radians) that fit best how points (..., n, 2) moved, by least squares."""
    middle, shift = at_mm.mean(axis=-2), off_mm.mean(axis=-2)
    own = at_mm - middle[..., None, :]
    turn = (own * _turned(off_mm)).sum(axis=(-2, -1)) / -np.maximum(np.square(own).sum(axis=(-2, -1)), 1e-9)
    return np.concatenate([shift - turn[..., None] * _turned(middle), turn[..., None]], axis=-1)


def residuals(at_mm: Floats, off_mm: Floats, motion: Floats) -> Floats:
    """How far (..., n, 2) points are beside where they would be if they had moved so (..., 3)."""
    return np.asarray(off_mm - motion[..., :2] - motion[..., 2:] * _turned(at_mm), np.float64)


def _near(at_mm: Floats, off_mm: Floats, motion: Floats) -> Mask:
    """Whether points (n, 2) moved so (..., 3)."""
    return np.asarray(np.linalg.norm(residuals(at_mm, off_mm, motion), axis=-1) < AGREES_MM)


def _turned(at: Floats) -> Floats:
    """Directions (..., 2), turned by a quarter anticlockwise."""
    return np.stack([-at[..., 1], at[..., 0]], axis=-1)
