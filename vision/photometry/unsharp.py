"""How much a camera sharpened its pictures, as the edges of the cards' markers show it, and pictures without that.

Cameras add to each pixel by how much it differs from its surroundings (an unsharp mask, on coded lightness): beside an
edge, dark becomes darker and bright brighter. Nothing on a table looks so, and what is painted for comparing does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

Lightness = npt.NDArray[np.float32]
"""(h, w), from 0 to 100."""

SPREAD_PX = 1.0
"""The surroundings that a pixel is compared with are mostly as wide as this (standard deviation)."""

MOST = 1.5
"""Sharpened more than this, a picture has been spoiled otherwise."""

REACH_PX = 4
"""Of what is farther away, lightness without sharpening does not depend."""

ROUNDS = 4
"""Lightness without sharpening is worked out in so many rounds."""

BLURS_PX = np.arange(0.4, 1.6125, 0.025)
SHIFTS_PX = np.arange(-0.3, 0.35, 0.1)
"""How far lens and sensor may spread an edge (standard deviation), and how far it may be from where it is taken to be.
"""

AT_PX = np.arange(-4.0, 4.01, 0.25)
"""An edge is looked at so far from it, from dark to bright."""

PLAIN = 5
"""So many of these at either end are far enough from it."""

INNER = 0.8
"""The share of a marker's side that is looked at: its corners are left out."""

CONTRAST = 20.0
"""An edge with less than this is not one between paper and black."""


def sharpening(markers: Iterable[tuple[Lightness, Floats]]) -> float:
    """How much was added of what tells a pixel from its surroundings; 0 when no edge is seen. `markers`: lightness
    around each marker, and its corners (4, 2) in px there, in order around it."""
    edges = [edge for lightness, corners_px in markers for edge in _edges(lightness, corners_px)]
    edges = [edge for edge in edges if edge[-PLAIN:].mean() - edge[:PLAIN].mean() > CONTRAST]
    if not edges:
        return 0.0
    seen = np.median(edges, axis=0)
    return min(_fits(seen))[1]


def unsharpened(lightness: Lightness, amount: float) -> Lightness:
    """Lightness as it was before it was sharpened by so much: what, sharpened, is what is seen. Each round comes nearer
    by more than half."""
    plain = lightness
    for _ in range(ROUNDS if amount > 0 else 0):
        surroundings = cv2.GaussianBlur(plain, (2 * REACH_PX + 1, 2 * REACH_PX + 1), SPREAD_PX)
        nearer = cv2.addWeighted(lightness, 1 / (1 + amount), surroundings, amount / (1 + amount), 0)
        plain = np.asarray(nearer, np.float32)
    return plain


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
        side = np.abs(beside / length - 0.5) < INNER / 2
        seen = _by_distance(far[side], lightness[side])
        if seen is not None:
            middle = float(np.sqrt((seen[:PLAIN].mean() ** 2 + seen[-PLAIN:].mean() ** 2) / 2))  # half of the light
            crossed = int(np.argmax(seen > middle))
            edge = _by_distance(far[side] - AT_PX[crossed] + _share_above(seen, crossed, middle), lightness[side])
            if edge is not None:
                yield edge


def _share_above(seen: Floats, crossed: int, middle: float) -> float:
    """How far before where an edge is first brighter than its middle, in px, it is as bright."""
    rise = seen[crossed] - seen[crossed - 1]
    return float((AT_PX[1] - AT_PX[0]) * (seen[crossed] - middle) / rise) if crossed and rise > 0 else 0.0


def _by_distance(far_px: Floats, lightness: Floats) -> Floats | None:
    """The mean lightness at each of `AT_PX` from pixels (n,) so far from an edge; None when some show none."""
    step = AT_PX[1] - AT_PX[0]
    near = np.abs(far_px) < AT_PX[-1] + step / 2
    number = np.rint((far_px[near] - AT_PX[0]) / step).astype(np.intp)
    count = np.bincount(number, minlength=len(AT_PX))
    return np.asarray(np.bincount(number, lightness[near], len(AT_PX)) / count) if count.min() > 0 else None


def _fits(seen: Floats) -> Iterator[tuple[float, float]]:
    """How far each edge that may be seen (`AT_PX`) is from one that is, and by how much that was sharpened."""
    step = 0.05
    at = np.arange(-12.0, 12.0 + step / 2, step)
    dark, bright = seen[:PLAIN].mean(), seen[-PLAIN:].mean()
    window = np.exp(-np.square(np.arange(-REACH_PX, REACH_PX + step / 2, step) / SPREAD_PX) / 2)
    window /= window.sum()
    for blur_px in BLURS_PX:
        rise = np.cumsum(np.exp(-np.square(at / blur_px) / 2))
        plain = np.sqrt(dark ** 2 + (bright ** 2 - dark ** 2) * rise / rise[-1])  # light adds up, not lightness
        more = plain - np.convolve(plain, window, "same")
        for shift_px in SHIFTS_PX:
            expected, added = (np.interp(AT_PX - shift_px, at, each) for each in (plain, more))
            off = seen - expected
            amount = float(np.clip(added @ off / (added @ added), 0, MOST))
            yield float(np.square(off - amount * added).sum()), amount
