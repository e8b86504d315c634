"""Least squares for a handful of unknowns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.imaging.arrays import Floats

ROUNDS, SMALL = 30, 1e-6


def least_squares(errors: Callable[[Floats], Floats], start: Floats) -> Floats:
    """The values (n,) near `start` (n,) that make the sum of squares of `errors` (m,) smallest.

    Levenberg and Marquardt's method with differences for derivatives.
    """
    values, damping = start.astype(np.float64), 1e-3
    off = errors(values)
    for _ in range(ROUNDS):
        slopes = np.empty((len(off), len(values)))
        for i, value in enumerate(values):
            step = SMALL * max(1.0, abs(value))
            stepped = values.copy()
            stepped[i] += step
            slopes[:, i] = (errors(stepped) - off) / step
        normal, pull = slopes.T @ slopes, slopes.T @ off
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -pull)
        better = errors(values + change)
        gain = off @ off - better @ better
        if gain <= 0:
            damping *= 10
            if damping > 1e6:
                break
            continue
        values, off, damping = values + change, better, damping / 10
        if gain < 1e-9 * (off @ off):
            break
    return values
