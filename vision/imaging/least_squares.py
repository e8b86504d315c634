"""Least squares: Levenberg–Marquardt for a handful of unknowns, and IRLS for data with outliers.

A robust fit weights each observation by its residual. The weight functions are named after their authors:
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
"""The most iterations of Levenberg–Marquardt, and the relative step of its forward differences."""

START_DAMPING, MAX_DAMPING = 1e-3, 1e6

NEGLIGIBLE_GAIN = 1e-9
"""Converged when a step lowers the sum of squares by a smaller share than this."""

Reals = npt.NDArray[np.floating[Any]]


# ---------------------------------------------------------------- Levenberg–Marquardt


def least_squares(errors: Callable[[Floats], Floats], start: Floats) -> Floats:
    """The parameters (n,) near `start` (n,) that minimise the sum of squares of the residuals `errors` (m,).

    Levenberg and Marquardt's method (D. Marquardt, SIAM J. Appl. Math. 11, 1963), with a Jacobian by forward
    differences.
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
    """The Jacobian (m, n) of `errors`, which are `off` (m,) at these parameters (n,)."""
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
    """The `solution` of an IRLS fit, its `residuals`, and their final `weights`."""

    solution: Reals
    residuals: Reals
    weights: Reals


def reweighted(solve: Callable[[Reals], Reals], residuals: Callable[[Reals], Reals], loss: Callable[[Reals], Reals],
               start: Reals, rounds: int) -> RobustFit:
    """Iteratively reweighted least squares (IRLS; P. Holland and R. Welsch, Comm. Statist. A6, 1977).

    `solve` gives the solution for weights, which are `start` in the first of the `rounds`; `residuals` those of a
    solution, and `loss` the weights of such residuals in the next round.
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
    equations, the loss is quadratic up to the scale and logarithmic beyond."""
    return np.asarray(base / np.maximum(1, distances / scale))


def cauchy(distances: Reals, scale: float) -> Reals:
    """Cauchy's (Lorentzian) weights, which fall with the square of the distance."""
    return np.asarray(1 / (1 + (distances / scale) ** 2))


def geman_mcclure(squares: Reals, scale: float) -> Reals:
    """Geman and McClure's weights, of squared distances: gross outliers have a weight near 0."""
    return np.asarray(1 / (1 + squares / scale ** 2) ** 2)
