"""A picture in the light of another: exposure and white balance drift, and light falls off across the table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.least_squares import Reals, cauchy, reweighted

MIN_SLOPE = 0.015
"""A smaller variation of the gain over the picture is ignored."""

RELIGHT_ROUNDS = 3
MIN_SCALE = 2.0
"""Grey values: the least scale of the robust loss."""

STEADY = np.diag((1e-9, 1e-9, 1e-5, 1e-5, 1e-5))
"""The ridge of the regression, per pixel: a reference may be of one colour."""

SLOPES = np.stack(np.meshgrid(np.linspace(-1, 1, SMALL_WH[0]), np.linspace(-1, 1, SMALL_WH[1]))).astype(np.float32)
"""(2, 180, 320): coordinates from -1 to 1 across and down the picture."""

ROWS, COLUMNS = np.triu_indices(5, 0, 6)
"""The sums that the normal equations of that regression consist of, each once: the last column is the other side."""
_NUMBERED = np.zeros((6, 6), np.intp)
_NUMBERED[ROWS, COLUMNS] = _NUMBERED[COLUMNS, ROWS] = np.arange(len(ROWS))
SUMS = _NUMBERED[:5].ravel()
"""Which of them stands where in these equations (5, 6)."""

SAMPLED = np.s_[2::6, 2::6]
SAMPLED_SLOPES = SLOPES[:, 2::6, 2::6].reshape(2, -1)
"""The pixels that a fit samples, and their coordinates (2, n)."""

LAMP_DEGREE, LAMP_ROUNDS, LAMP_SCALE, DARK_VALUE = 5, 8, 0.05, 8.0
"""The degree of the polynomial that a lamp's light is fitted by, rounds and scale of that fit in logarithms of values,
and what is added to a value for the noise in the dark."""

BRIGHTENED = (np.arange(256) + DARK_VALUE).astype(np.float32)
"""Each grey value, with `DARK_VALUE` added."""

LOG_BRIGHTENED = np.log(BRIGHTENED)

LAMP_TERMS = np.stack([SAMPLED_SLOPES[0] ** across * SAMPLED_SLOPES[1] ** down
                       for across in range(LAMP_DEGREE + 1) for down in range(LAMP_DEGREE + 1 - across)])
LAMP_RIDGE = 1e-3 * np.eye(len(LAMP_TERMS), dtype=np.float32)
"""The terms of that polynomial (k, n) at the pixels that a fit samples, and what keeps it steady."""

Region = tuple[slice, slice]
"""Rows and columns of the small picture."""

EVERYWHERE = np.s_[:, :]


def match_light(reference: Image, small: Image, region: Region = EVERYWHERE) -> Image:
    """A region of the reference in the light of another picture, both (180, 320, 3) B G R: for each channel a tone
    curve of second degree whose gain varies linearly over the picture."""
    curves = _fit_curves(reference, small)
    value = np.arange(256) / 255
    table = curves[:, :3] @ np.stack([np.ones(256), value, value * value])
    curved = cv2.LUT(reference[region], table.clip(0, 255).T[None].astype(np.uint8))
    slopes = curves[:, 3:] / 255
    if np.abs(slopes).sum(axis=1).max() < MIN_SLOPE:  # the slope is steepest in a corner
        return np.asarray(curved, np.uint8)
    sloping = cv2.multiply(reference[region], _gain(slopes, region), dtype=cv2.CV_32F)
    return np.asarray(cv2.add(curved, sloping, dtype=cv2.CV_8U), np.uint8)


def match_lamps(reference: Image, small: Image) -> Image:
    """The reference in the light of another picture, both (180, 320, 3) B G R, after a lamp was switched on or off: for
    each channel a gain whose logarithm is a polynomial over the picture, fitted by IRLS with Cauchy weights."""
    was, now = (LOG_BRIGHTENED[image[SAMPLED].reshape(-1, 3).T] for image in (reference, small))
    change = now - was

    def solve(weights: Reals) -> Reals:
        weighted = LAMP_TERMS * weights
        return np.linalg.solve(weighted @ LAMP_TERMS.T + LAMP_RIDGE, weighted @ change.T).T

    def residuals(found: Reals) -> Reals:
        return np.asarray(np.abs(change - found @ LAMP_TERMS).max(axis=0))

    even = np.ones(was.shape[1], np.float32)
    fit = reweighted(solve, residuals, lambda off: cauchy(off, LAMP_SCALE), even, LAMP_ROUNDS)
    gain = np.exp((fit.solution @ LAMP_TERMS).T).reshape(*reference[SAMPLED].shape[:2], 3)
    lit = cv2.multiply(cv2.LUT(reference, BRIGHTENED), cv2.resize(gain.astype(np.float32), SMALL_WH))
    least = DARK_VALUE + 0.5  # what is left is rounded
    return np.asarray(cv2.convertScaleAbs(np.maximum(lit, least), beta=-least), np.uint8)


def _fit_curves(reference: Image, small: Image) -> Reals:
    """For each channel the coefficients (3, 5) of 1, x, x², and x times each coordinate, which map the reference's
    values x (0 to 1) to those of the other picture: IRLS with Cauchy weights over a sample of all pixels, so that those
    that really changed are downweighted as outliers."""
    x, y = (np.ascontiguousarray(image[SAMPLED].reshape(-1, 3).T, np.float32) for image in (reference, small))
    x /= 255
    columns = np.stack([np.ones_like(x), x, x * x, x * SAMPLED_SLOPES[0], x * SAMPLED_SLOPES[1]], axis=1)
    products = (columns[:, ROWS] * np.concatenate([columns, y[:, None]], axis=1)[:, COLUMNS]).reshape(-1, x.shape[1])
    steady = x.shape[1] * STEADY

    def solve(weights: Reals) -> Reals:
        normal = (products @ weights).reshape(3, -1)[:, SUMS].reshape(3, 5, 6)
        return np.linalg.solve(normal[..., :5] + steady, normal[..., 5:]).astype(np.float32)

    def residuals(found: Reals) -> Reals:
        return np.asarray(np.abs(y - (found.transpose(0, 2, 1) @ columns)[:, 0]).sum(axis=0))

    fit = reweighted(solve, residuals, lambda off: cauchy(off, 2 * max(_median(off), MIN_SCALE)),
                     np.ones(x.shape[1], np.float32), RELIGHT_ROUNDS)
    return fit.solution[..., 0]


def _median(values: Reals) -> float:
    """The median, or of an even number the larger of the two in the middle: quicker than numpy's."""
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle])


def _gain(slopes: Reals, region: Region) -> Reals:
    """The gain of each pixel of a region (h, w, 3) for slopes (3, 2) across and down the picture."""
    across, down = SLOPES[0, 0, region[1], None] * slopes[:, 0], SLOPES[1, region[0], 0]
    rows = np.column_stack([np.ones_like(down), down])
    gain = rows @ np.stack([across, np.broadcast_to(slopes[:, 1], across.shape)]).reshape(2, -1)  # quick for BLAS
    return gain.reshape(len(down), len(across), 3).astype(np.float32)
