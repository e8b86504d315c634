"""The small rigid motion with the most inliers among displaced points: RANSAC over pairs.

M. Fischler and R. Bolles, "Random Sample Consensus", 1981. Points under pieces or in a reflection are outliers.
"""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Floats, Mask

AGREES_MM = 0.35
"""The inlier tolerance."""

PAIRS, REFITS = 30, 3
"""The number of samples, and how often the best motion is refitted to its inliers."""

MIN_AGREEING = 3


def consensus(at_mm: Floats, off_mm: Floats, seen: Mask) -> Mask | None:
    """The inliers (n,) of the best small rigid motion, among the points (n, 2) that are `seen` (n,) and displaced by
    `off_mm` (n, 2); None when they are too few. At least two must be seen."""
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
    """Shift and small turn (..., 3: x, y in mm, radians) fitted to the displacements of points (..., n, 2) by least
    squares."""
    middle, shift = at_mm.mean(axis=-2), off_mm.mean(axis=-2)
    own = at_mm - middle[..., None, :]
    turn = (own * _turned(off_mm)).sum(axis=(-2, -1)) / -np.maximum(np.square(own).sum(axis=(-2, -1)), 1e-9)
    return np.concatenate([shift - turn[..., None] * _turned(middle), turn[..., None]], axis=-1)


def residuals(at_mm: Floats, off_mm: Floats, motion: Floats) -> Floats:
    """The residuals (..., n, 2) in mm of displaced points under a motion (..., 3)."""
    return np.asarray(off_mm - motion[..., :2] - motion[..., 2:] * _turned(at_mm), np.float64)


def _near(at_mm: Floats, off_mm: Floats, motion: Floats) -> Mask:
    """Whether points (n, 2) are inliers of motions (..., 3)."""
    return np.asarray(np.linalg.norm(residuals(at_mm, off_mm, motion), axis=-1) < AGREES_MM)


def _turned(at: Floats) -> Floats:
    """Vectors (..., 2), turned by a quarter anticlockwise."""
    return np.stack([-at[..., 1], at[..., 0]], axis=-1)
