"""Detection of outlines in a foreground mask: matched filters, one for each outline and turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.faces.templates import FaceSize, covers
from vision.faces.zone_mask import MASK_CELL_MM
from vision.imaging.arrays import Floats, Values
from vision.imaging.camera import spin

BAND_MM, BAND_WEIGHT = 4.0, 0.4
"""Width of a band around a piece's outline in which foreground counts against it, with this weight."""

ANGLES = 12
"""Turns in which an outline is tried, evenly over half a circle."""

MIN_COVERED, BESIDE_CELLS = 0.55, 2
"""The least share of an outline that is foreground where a piece is looked for, and cells by which its middle may lie
beside the foreground."""

NEARLY_COVERED, MAX_OFFSET_MM = 0.9, 14.0
"""A piece may lie wherever its covered share is at least this fraction of the maximum, or `BESIDE_CELLS` beside that,
in the part that the maximum belongs to or within this distance from it: the foreground is larger than the piece where
it casts a shadow, a pile of coins a long one, or shows its side, and has gaps where the piece has the table's colour.
"""

NOT_COVERED = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """The matched filter of an outline in cells: `inside` its mask and `weights` (side, side), positive inside and
    negative in the band around it."""

    inside: Values
    weights: Values


@dataclass(frozen=True, slots=True, eq=False)
class OutlinePlace:
    """The cells at which a piece of some outline may lie: columns and rows (n, 2), the likeliest first."""

    kernel: Kernel
    cells: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Peak:
    """The maximum of a kernel's response: `covered` (rows, columns) is the share of its outline that is foreground, at
    every cell."""

    worth: float
    column: int
    row: int
    kernel: Kernel
    covered: Values


@lru_cache(maxsize=32)
def kernels_of(outline: FaceSize) -> tuple[Kernel, ...]:
    """The kernels of an outline at all distinguishable turns."""
    across, deep, is_round = outline
    reach = int(np.ceil((np.hypot(across, deep) / 2 + BAND_MM) / MASK_CELL_MM))
    step = np.arange(-reach, reach + 1) * MASK_CELL_MM
    grid = np.stack(np.meshgrid(step, -step), axis=-1)
    angles = (0.0,) if is_round else tuple(np.arange(ANGLES) * 180.0 / ANGLES)
    if across == deep:
        angles = angles[:max(1, len(angles) // 2)]
    return tuple(_kernel(outline, grid @ spin(-angle).T) for angle in angles)


def _kernel(outline: FaceSize, own: Floats) -> Kernel:
    """The kernel of an outline, from the cells' points (side, side, 2) in its own frame."""
    inside, around = (covers(outline, own, margin).astype(np.float32) for margin in (0.0, BAND_MM))
    band = around - inside
    weights = inside / inside.sum() - BAND_WEIGHT * band / band.sum()
    return Kernel(inside, weights.astype(np.float32))


def best_place(differs: Values, kernels: Sequence[Kernel], least_worth: float = NOT_COVERED) -> OutlinePlace | None:
    """The place with the highest response to a mask of foreground (rows, columns); None when none is covered enough, or
    as bare around it as `least_worth` asks for."""
    left, top, width, height = cv2.boundingRect(differs.astype(np.uint8))
    left, top = max(left - BESIDE_CELLS, 0), max(top - BESIDE_CELLS, 0)
    peak = _best_peak(differs[top:top + height + 2 * BESIDE_CELLS, left:left + width + 2 * BESIDE_CELLS], kernels)
    if peak is None or peak.worth < least_worth:
        return None
    nearly = cv2.dilate((peak.covered >= NEARLY_COVERED * peak.covered[peak.row, peak.column]).astype(np.uint8),
                        np.ones((2 * BESIDE_CELLS + 1, 2 * BESIDE_CELLS + 1), np.uint8))
    _, parts = cv2.connectedComponents(nearly)
    cells = np.argwhere(nearly)[:, ::-1]
    off = np.linalg.norm(cells - (peak.column, peak.row), axis=1)
    belongs = parts[cells[:, 1], cells[:, 0]] == parts[peak.row, peak.column]
    order = np.argsort(off, kind="stable")
    may_lie = order[(belongs | (off <= MAX_OFFSET_MM / MASK_CELL_MM))[order]]
    return OutlinePlace(peak.kernel, cells[may_lie] + np.array([left, top], np.float64))


def _best_peak(differs: Values, kernels: Sequence[Kernel]) -> _Peak | None:
    """The kernel with the highest response, and its cell. Kernels whose upper bound is lower are skipped."""
    best: _Peak | None = None
    most = {side: _max_within(differs, side) for side in {len(kernel.inside) for kernel in kernels}}
    for kernel in kernels:
        if most[len(kernel.inside)] < MIN_COVERED * kernel.inside.sum() - 0.5:
            continue  # nowhere so much of it differs
        covered = cv2.filter2D(differs, -1, kernel.inside / kernel.inside.sum(), borderType=cv2.BORDER_CONSTANT)
        if covered.max() < (MIN_COVERED if best is None else max(MIN_COVERED, best.worth)):
            continue  # it is never worth more than it covers
        worth = cv2.filter2D(differs, -1, kernel.weights, borderType=cv2.BORDER_CONSTANT)
        worth[covered < MIN_COVERED] = NOT_COVERED
        row, column = divmod(int(worth.argmax()), worth.shape[1])
        if worth[row, column] > NOT_COVERED and (best is None or worth[row, column] > best.worth):
            best = _Peak(float(worth[row, column]), column, row, kernel, np.asarray(covered, np.float32))
    return best


def _max_within(differs: Values, side: int) -> float:
    """The most foreground in any square of this side (by a box filter): an upper bound of what an outline covers."""
    sums = cv2.boxFilter(differs, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return float(sums.max(initial=0.0))


def stamp_out(differs: Values, place: OutlinePlace) -> None:
    """Erase an outline from the mask."""
    column, row = place.cells[0].astype(int)
    reach = place.kernel.inside.shape[0] // 2
    top, left = max(row - reach, 0), max(column - reach, 0)
    part = differs[top:row + reach + 1, left:column + reach + 1]
    inside = place.kernel.inside[top - row + reach:, left - column + reach:]
    part[inside[:part.shape[0], :part.shape[1]] > 0] = 0
