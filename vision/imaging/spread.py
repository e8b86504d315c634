"""Samples that are spread evenly and are the same each time. NumPy's random generators would take 4 MB of memory, of a
process that may do nothing but watch a table."""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Floats, Indices


def spread(count: int, dimensions: int) -> Floats:
    """Points (dimensions, count) of the unit cube, spread evenly (M. Roberts, "The Unreasonable Effectiveness of
    Quasirandom Sequences", 2018: the additive recurrence of the generalised golden ratio)."""
    ratio = 2.0
    for _ in range(40):  # the root of ratio ** (dimensions + 1) = ratio + 1
        ratio = (1.0 + ratio) ** (1.0 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + steps[:, None] * np.arange(1.0, count + 1)) % 1.0)


def spread_indices(size: int, count: int, dimensions: int) -> Indices:
    """Indices (dimensions, count) of some of `size` things, each as often as any other."""
    return np.asarray((spread(count, dimensions) * size).astype(np.intp))
