"""The camera's sharpening: estimated at the edges of the cards' markers, and removed from pictures.

Cameras apply an unsharp mask to gamma-coded lightness: they add to each pixel a multiple of its difference from a
Gaussian mean of its surroundings. Beside an edge, dark becomes darker and bright brighter; renderings have none of
that. Edge profiles are measured by the slanted-edge method (ISO 12233).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

Lightness = npt.NDArray[np.float32]
"""(h, w), from 0 to 100."""

KERNEL_SD_PX = 1.0
"""Standard deviation of the unsharp mask's Gaussian."""

KERNEL_REACH_PX = 4
"""The Gaussian is cut off at this distance."""

MAX_SHARPENING = 1.5
"""Upper limit of the estimated amount; a profile that needs more has another cause."""

INVERSION_ROUNDS = 4

BLURS_PX = np.arange(0.4, 1.6125, 0.025)
SHIFTS_PX = np.arange(-0.3, 0.35, 0.1)
"""The grid of blurs of lens and sensor (standard deviations) and of subpixel shifts of an edge."""

AT_PX = np.arange(-4.0, 4.01, 0.25)
"""Distances from an edge at which its profile is sampled, from dark to bright."""

FLAT_SAMPLES = 5
"""Samples at either end of a profile that lie off the edge, on plain black or white."""

INNER_SHARE = 0.8
"""The share of a marker's side that is used; its corners are left out."""

MIN_CONTRAST = 20.0
"""An edge with less lightness between its ends is not one between paper and black."""

MODEL_STEP_PX, MODEL_REACH_PX = 0.05, 12.0
"""The raster on which the model profile of an edge is computed."""


def sharpening(markers: Iterable[tuple[Lightness, Floats]]) -> float:
    """The amount of the unsharp mask; 0 when no edge is seen. `markers`: lightness around each marker, and its corners
    (4, 2) in px there, in order around it."""
    edges = [edge for lightness, corners_px in markers for edge in _edges(lightness, corners_px)]
    edges = [edge for edge in edges if edge[-FLAT_SAMPLES:].mean() - edge[:FLAT_SAMPLES].mean() > MIN_CONTRAST]
    if not edges:
        return 0.0
    seen = np.median(edges, axis=0)
    return min(_fits(seen))[1]


def unsharpened(lightness: Lightness, amount: float) -> Lightness:
    """Lightness (h, w) before it was sharpened by this amount. The unsharp mask is inverted by fixed-point iteration;
    each round reduces the error by more than half."""
    plain = lightness
    for _ in range(INVERSION_ROUNDS if amount > 0 else 0):
        surroundings = cv2.GaussianBlur(plain, (2 * KERNEL_REACH_PX + 1, 2 * KERNEL_REACH_PX + 1), KERNEL_SD_PX)
        nearer = cv2.addWeighted(lightness, 1 / (1 + amount), surroundings, amount / (1 + amount), 0)
        plain = np.asarray(nearer, np.float32)
    return plain


# ---------------------------------------------------------------- the edges as they are seen


def _edges(lightness: Lightness, corners_px: Floats) -> Iterator[Floats]:
    """The lightness at `AT_PX` from each side of a marker, outwards."""
    rows, columns = np.indices(lightness.shape)
    for one, other in zip(corners_px, np.roll(corners_px, -1, axis=0)):
        length = float(np.linalg.norm(other - one))
        along = (other - one) / length
        out = np.array([along[1], -along[0]])
        if out @ (one - corners_px.mean(axis=0)) < 0:
            out = -out
        beside = (columns - one[0]) * along[0] + (rows - one[1]) * along[1]
        far = (columns - one[0]) * out[0] + (rows - one[1]) * out[1]
        side = np.abs(beside / length - 0.5) < INNER_SHARE / 2
        edge = _aligned_profile(far[side], lightness[side])
        if edge is not None:
            yield edge


def _aligned_profile(far_px: Floats, lightness: Floats) -> Floats | None:
    """The profile at `AT_PX` of an edge, from pixels (n,) at these distances from its nominal position, aligned so that
    the half-light point is at 0. None when too few pixels show it."""
    seen = _profile(far_px, lightness)
    if seen is None:
        return None
    dark, bright = seen[:FLAT_SAMPLES].mean(), seen[-FLAT_SAMPLES:].mean()
    half_light = float(np.sqrt((dark ** 2 + bright ** 2) / 2))
    crossed = int(np.argmax(seen > half_light))
    return _profile(far_px - AT_PX[crossed] + _before(seen, crossed, half_light), lightness)


def _before(profile: Floats, crossed: int, level: float) -> float:
    """The distance in px from the point where a profile crosses a level to the first sample above it, by linear
    interpolation."""
    rise = profile[crossed] - profile[crossed - 1]
    return float((AT_PX[1] - AT_PX[0]) * (profile[crossed] - level) / rise) if crossed and rise > 0 else 0.0


def _profile(far_px: Floats, lightness: Floats) -> Floats | None:
    """The mean lightness in bins around `AT_PX`, from pixels (n,) at these distances from an edge; None when a bin is
    empty."""
    step = AT_PX[1] - AT_PX[0]
    near = np.abs(far_px) < AT_PX[-1] + step / 2
    number = np.rint((far_px[near] - AT_PX[0]) / step).astype(np.intp)
    count = np.bincount(number, minlength=len(AT_PX))
    return np.asarray(np.bincount(number, lightness[near], len(AT_PX)) / count) if count.min() > 0 else None


# ---------------------------------------------------------------- and as they may be


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """The model of a blurred edge: its profile at `at_px` (n,), and what an unsharp mask of amount 1 adds to it."""

    at_px: Floats
    profile: Floats
    added: Floats


def _fits(seen: Floats) -> Iterator[tuple[float, float]]:
    """For each blur and shift of the model the sum of squared residuals of a measured profile (at `AT_PX`), and the
    amount of sharpening, which is a linear least squares fit."""
    for edge in _blurred_edges(seen[:FLAT_SAMPLES].mean(), seen[-FLAT_SAMPLES:].mean()):
        for shift_px in SHIFTS_PX:
            expected, added = (np.interp(AT_PX - shift_px, edge.at_px, each) for each in (edge.profile, edge.added))
            off = seen - expected
            amount = float(np.clip(added @ off / (added @ added), 0, MAX_SHARPENING))
            yield float(np.square(off - amount * added).sum()), amount


def _blurred_edges(dark: float, bright: float) -> Iterator[_Edge]:
    """The model of an edge between two lightnesses, for each of `BLURS_PX`."""
    at = np.arange(-MODEL_REACH_PX, MODEL_REACH_PX + MODEL_STEP_PX / 2, MODEL_STEP_PX)
    around = np.arange(-KERNEL_REACH_PX, KERNEL_REACH_PX + MODEL_STEP_PX / 2, MODEL_STEP_PX)
    kernel = np.exp(-np.square(around / KERNEL_SD_PX) / 2)
    kernel /= kernel.sum()
    for blur_px in BLURS_PX:
        rise = np.cumsum(np.exp(-np.square(at / blur_px) / 2))
        plain = np.sqrt(dark ** 2 + (bright ** 2 - dark ** 2) * rise / rise[-1])  # light adds up, not lightness
        yield _Edge(at, plain, plain - np.convolve(plain, kernel, "same"))
