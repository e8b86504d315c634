"""Normalised cross-correlation (NCC) of patches of a print with a picture, over all colour channels.

J. P. Lewis, "Fast Normalized Cross-Correlation", 1995: products with the zero-mean patch, divided by the norms of both.
It is invariant to gain and offset of the light; 1 is a perfect match.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image

MIN_SPREAD = 0.5
"""A window with a smaller sum of squared deviations (less than one pixel off by one grey value) is uniform."""


def correlations(windows: Image, patches: Image) -> Values:
    """The NCC (n, d, d) of patches (n, s, s, 3), each with its window (n, s + d - 1, s + d - 1, 3) at each offset:
    batched, which is faster for many small ones."""
    number, wide, side = len(windows), windows.shape[1], patches.shape[1]
    places = wide - side + 1
    own, seen = without_mean(patches), windows.astype(np.float32)
    parts = np.lib.stride_tricks.sliding_window_view(seen.reshape(number, wide, wide * 3), side * 3, axis=2)[:, :, ::3]
    by_line = parts.reshape(number, -1, side * 3) @ own.reshape(number, side, side * 3).transpose(0, 2, 1)
    by_line = by_line.reshape(number, wide, places, side)  # each line of a window with each of its patch
    products = np.asarray(sum(by_line[:, line:line + places, :, line] for line in range(side)), np.float32)
    return normalised(products, spreads(seen, side), own)


def without_mean(patches: Image) -> Values:
    """Patches (n, side, side, 3) with their mean colours subtracted."""
    flat = patches.reshape(len(patches), -1, 3).astype(np.float32)
    flat -= np.full((1, flat.shape[1]), 1 / flat.shape[1], np.float32) @ flat
    return flat.reshape(patches.shape)


def spreads(seen: Values, side: int) -> Floats:
    """The sums (n, h - side + 1, w - side + 1) of squared deviations from the mean colour, in each square of this side
    of some pictures (n, h, w, 3)."""
    height, width = seen.shape[1:3]
    sums, squares = (of(seen.reshape(-1, width, 3), cv2.CV_64F, (side, side), anchor=(0, 0), normalize=False)
                     .reshape(seen.shape)[:, :height - side + 1, :width - side + 1]
                     for of in (cv2.boxFilter, cv2.sqrBoxFilter))
    return np.asarray(np.einsum("nijc->nij", squares - sums * sums / side ** 2), np.float64)


def normalised(products: Values, spread: Floats, patches: Values) -> Values:
    """The NCC (..., d, d) from the sums of products with zero-mean patches (..., side, side, 3), and from the sums of
    squared deviations of the picture; 0 where that is uniform."""
    own = np.square(patches).sum(axis=(-3, -2, -1))[..., None, None]
    both = np.where(np.minimum(spread, own) < MIN_SPREAD, np.inf, spread * own)
    return np.asarray(products / np.sqrt(both), np.float32)


def peaks(correlated: Values) -> tuple[Floats, Floats]:
    """Column and row (n, 2) of the maximum of each of some maps (n, d, d), with subpixel accuracy by parabolas, and the
    values (n,); 0 where the maximum is at the edge."""
    number, places, _ = correlated.shape
    each = np.arange(number)
    row, column = np.divmod(correlated.reshape(number, -1).argmax(axis=1), places)
    inside = (np.minimum(row, column) > 0) & (np.maximum(row, column) < places - 1)
    y, x = row.clip(1, places - 2), column.clip(1, places - 2)
    here = correlated[each, y, x].astype(np.float64)

    def top(before: Values, after: Values) -> Floats:
        bend = np.minimum(before - 2 * here + after, -1e-9)
        return np.asarray(np.where(inside, (before - after) / (2 * bend), 0.0), np.float64)

    at = np.column_stack([column + top(correlated[each, y, x - 1], correlated[each, y, x + 1]),
                          row + top(correlated[each, y - 1, x], correlated[each, y + 1, x])])
    return at, np.where(inside, here, 0.0)
