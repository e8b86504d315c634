"""Least squares: Levenberg–Marquardt for a handful of unknowns, and iteratively reweighted for data with outliers.

A robust fit weighs each observation by a loss, named here by whose it is, as a function from residuals to weights:
`huber`, `cauchy`, `geman_mcclure` (Z. Zhang, "Parameter estimation techniques", Image and Vision Computing 15, 1997,
table 1, has all three).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

MAX_STEPS, RELATIVE_STEP = 30, 1e-6
"""Steps that Levenberg and Marquardt's method takes at most, and that of its difference quotients."""

START_DAMPING, MAX_DAMPING = 1e-3, 1e6

NEGLIGIBLE_GAIN = 1e-9
"""A step that lowers the sum of squares by a smaller share was the last."""

Reals = npt.NDArray[np.floating[Any]]


# ---------------------------------------------------------------- Levenberg–Marquardt


def least_squares(errors: Callable[[Floats], Floats], start: Floats) -> Floats:
    """The values (n,) near `start` (n,) that make the sum of squares of `errors` (m,) smallest.

    Levenberg and Marquardt's method (D. Marquardt, SIAM J. Appl. Math. 11, 1963), with forward differences for
    derivatives.
    """
    values, damping = start.astype(np.float64), START_DAMPING
    off = errors(values)
    for _ in range(MAX_STEPS):
        slopes = _jacobian(errors, values, off)
        normal, pull = slopes.T @ slopes, slopes.T @ off
        change = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -pull)
        better = errors(values + change)
        gain = off @ off - better @ better
        if gain <= 0:
            damping *= 10
            if damping > MAX_DAMPING:
                break
            continue
        values, off, damping = values + change, better, damping / 10
        if gain < NEGLIGIBLE_GAIN * (off @ off):
            break
    return values


def _jacobian(errors: Callable[[Floats], Floats], values: Floats, off: Floats) -> Floats:
    """The derivatives (m, n) of `errors`, which are `off` (m,) at these values (n,)."""
    slopes = np.empty((len(off), len(values)))
    for i, value in enumerate(values):
        step = RELATIVE_STEP * max(1.0, abs(value))
        stepped = values.copy()
        stepped[i] += step
        slopes[:, i] = (errors(stepped) - off) / step
    return slopes


# ---------------------------------------------------------------- iteratively reweighted


@dataclass(frozen=True, slots=True, eq=False)
class RobustFit:
    """The `solution` of a reweighted fit, the `residuals` it leaves, and the `weights` that these have."""

    solution: Reals
    residuals: Reals
    weights: Reals


def reweighted(solve: Callable[[Reals], Reals], residuals: Callable[[Reals], Reals], loss: Callable[[Reals], Reals],
               start: Reals, rounds: int) -> RobustFit:
    """Iteratively reweighted least squares (P. Holland and R. Welsch, Comm. Statist. A6, 1977), in some rounds.

    `solve` gives the solution for weights, which are `start` in the first round; `residuals` what a solution leaves,
    and `loss` how observations with such residuals weigh in the next round.
    """
    if rounds < 1:
        raise ValueError(rounds)
    weights = start
    for _ in range(rounds):
        solution = solve(weights)
        off = residuals(solution)
        weights = loss(off)
    return RobustFit(solution, off, weights)


def huber(distances: Reals, scale: float, base: Reals | float = 1.0) -> Reals:
    """Huber's weights: `base` up to the scale, falling with the distance beyond. Multiplied with both sides of the
    equations, squares count up to the scale and their logarithms beyond."""
    return np.asarray(base / np.maximum(1, distances / scale))


def cauchy(distances: Reals, scale: float) -> Reals:
    """Cauchy's (Lorentzian) weights, which fall with the square of the distance."""
    return np.asarray(1 / (1 + (distances / scale) ** 2))


def geman_mcclure(squares: Reals, scale: float) -> Reals:
    """Geman and McClure's weights, of squared distances: what is far off counts for next to nothing."""
    return np.asarray(1 / (1 + squares / scale ** 2) ** 2)
