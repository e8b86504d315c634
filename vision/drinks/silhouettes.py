"""Silhouettes of drinks in one box of the picture: the foot and shape that fit a blob best."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point, shape_of
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.foreground import BinaryImage
from vision.drinks.models import Models
from vision.drinks.pattern_search import UNIT_PX
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box
from vision.imaging.camera import View

FOOT_GRID_MM = 2.5
"""Spacing of the grid of feet."""

ERASE_MARGIN_PX = 3
"""Margin around a drink with which it is erased from the mask once it was read."""

BESIDE_WEIGHT = 0.8
"""Further penalty of a silhouette for each pixel that is not foreground; a lid may look like the table around it."""

BARE_WEIGHT = 0.2
"""Penalty of a silhouette for each pixel that it covers, foreground or not; a pixel of the blob is worth 2."""

MASK_SHRINK = 3
"""Factor by which the mask is downsampled for the search."""

SUM_TOLERANCE = 1e-2
"""Numerical error of sums of scores."""

SPREAD_HEIGHT_MM, MAX_SPREAD_POINTS = 8.0, 400
"""The height at which blobs are back-projected to bound the grid of feet, and about how many of their pixels are."""

RING_POINTS = 12
"""Points on each of the rings that a silhouette is drawn from; the last ring is the lid."""

Polygons = npt.NDArray[np.int32]
"""(n, points, 2) in px of the box."""


class Silhouettes:
    """Silhouettes of drinks in one box of the picture."""

    def __init__(self, view: View, models: Models, box: Box) -> None:
        self._view, self._models, self._box = view, models, box
        by_height = models.by_height
        self._typical = [by_height[0], by_height[len(by_height) // 2], by_height[-1]]

    def area(self, at_mm: Floats) -> float:
        """The area in px of the silhouette of the lowest drink with its foot at a point (mm)."""
        return float(self._silhouette(self._typical[0], (float(at_mm[0]), float(at_mm[1]))).sum())

    def best_foot(self, blob: BinaryImage, mask: BinaryImage, *, lid_shows: bool = True) -> tuple[Point, str]:
        """The foot and the shape, of three typical heights, whose silhouette covers most of a blob and least beside it:
        branch and bound over a grid of feet (A. Land and A. Doig, Econometrica 28, 1960). Feet whose upper bound is
        below the best are not evaluated. Unless `lid_shows`, a lid may look like the table."""
        worth = _worth(blob, mask)
        beside = np.minimum(worth, 0)
        feet = self._feet_near(blob)
        polygons = np.concatenate([self._polygons(shape, feet, MASK_SHRINK) for shape in self._typical])
        bounds = _upper_bounds(worth, polygons)
        best = (-np.inf, 0)
        for number in np.argsort(-bounds):
            if bounds[number] < best[0]:
                break
            score = _sum_within(worth, polygons[number])
            if not lid_shows:
                score -= _sum_within(beside, polygons[number, -RING_POINTS:])
            best = max(best, (score, -int(number)))
        shape, foot = divmod(-best[1], len(feet))
        return feet[foot], self._typical[shape]

    def share(self, blob: BinaryImage, foot: Point, shape: str) -> float:
        """The share of a silhouette that a blob covers."""
        silhouette = self._silhouette(shape, foot)
        return float((blob & silhouette).sum() / max(silhouette.sum(), 1))

    def erase(self, mask: BinaryImage, reading: DrinkReading) -> None:
        """Erase the silhouette of a drink that was read from the mask."""
        nominal = self._view.project(reading.pose.foot_mm)[0] + np.array(reading.offset) * UNIT_PX
        x, y = self._view.to_table(nominal)[0]
        silhouette = self._silhouette(shape_of(reading.best), (float(x), float(y)))
        kernel = np.ones((2 * ERASE_MARGIN_PX + 1, 2 * ERASE_MARGIN_PX + 1), np.uint8)
        mask[cv2.dilate(silhouette, kernel) > 0] = 0

    def _feet_near(self, blob: BinaryImage) -> list[Point]:
        """A grid of points (mm) on the table below a blob."""
        rows, columns = np.nonzero(blob)
        px = np.column_stack([columns + self._box.left, rows + self._box.top]).astype(np.float64)
        spread = self._view.to_table(px[:: max(1, len(px) // MAX_SPREAD_POINTS)], SPREAD_HEIGHT_MM)
        low, high = spread.min(axis=0), spread.max(axis=0)
        return [(float(x), float(y)) for x in np.arange(low[0], high[0] + FOOT_GRID_MM, FOOT_GRID_MM)
                for y in np.arange(low[1], high[1] + FOOT_GRID_MM, FOOT_GRID_MM)]

    def _silhouette(self, shape: str, foot: Point) -> BinaryImage:
        filled = np.zeros((self._box.height, self._box.width), np.uint8)
        cv2.fillConvexPoly(filled, cv2.convexHull(self._polygons(shape, [foot])[0]), 1)
        return filled

    def _polygons(self, shape: str, feet: Sequence[Point], shrink: int = 1) -> Polygons:
        """Points (feet, n, 2) in px of the box whose convex hulls are the silhouettes of drinks at some feet."""
        solid = self._models.solids[shape]
        angles = np.linspace(0, 2 * np.pi, RING_POINTS + 1)[:-1]
        rings = []
        for index in (0, int(np.searchsorted(solid.heights_mm, 0.5 * solid.heights_mm[-1])), len(solid) - 5):
            radius = float(np.abs(solid.outlines_mm[index]).max())
            rings.append(np.column_stack([radius * np.cos(angles), radius * np.sin(angles),
                                          np.full(RING_POINTS, solid.heights_mm[index])]))
        drink = np.concatenate(rings)
        points = drink + np.column_stack([np.array(feet), np.zeros(len(feet))])[:, None]
        px = (self._view.project(points.reshape(-1, 3)) - (self._box.left, self._box.top)) / shrink
        return np.rint(px).astype(np.int32).reshape(len(feet), len(drink), 2)


def _worth(blob: BinaryImage, mask: BinaryImage) -> Values:
    """The score (h / MASK_SHRINK, w / MASK_SHRINK) of covering each pixel."""
    small, small_mask = (cv2.resize(each, None, fx=1 / MASK_SHRINK, fy=1 / MASK_SHRINK,
                                    interpolation=cv2.INTER_NEAREST) for each in (blob, mask))
    return np.asarray(2 * small + np.float32(BESIDE_WEIGHT) * small_mask - np.float32(BESIDE_WEIGHT + BARE_WEIGHT),
                      np.float32)


def _upper_bounds(worth: Values, polygons: Polygons) -> Floats:
    """Upper bounds (n,) of the scores of polygons: the sum of positive scores in their bounding boxes, by an integral
    image."""
    sums = cv2.integral(np.maximum(worth, 0))
    limits = np.array(worth.shape[::-1])
    low = np.clip(polygons.min(axis=1), 0, limits)
    high = np.clip(polygons.max(axis=1) + 1, 0, limits)
    (left, top), (right, bottom) = low.T, high.T
    return np.asarray(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left] + SUM_TOLERANCE,
                      np.float64)


def _sum_within(worth: Values, polygon: Polygons) -> float:
    """The sum of scores (h, w) within the convex hull of a polygon (points, 2)."""
    left, top, width, height = cv2.boundingRect(polygon)
    left, top, right, bottom = max(left, 0), max(top, 0), left + width, top + height
    part = worth[top:max(bottom, 0), left:max(right, 0)]
    if not part.size:
        return 0.0
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(polygon - (left, top)), 1)
    return float(part.ravel() @ inside.ravel())
