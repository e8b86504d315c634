"""Zones of bare table: everything that stands in one is found, then explained drink by drink."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Point, shape_of
from vision.drinks.band_texture import DrinkPose
from vision.drinks.classifier import Models, DrinkReading, draw_reading, read_drink
from vision.drinks.residual import UNIT_PX
from vision.drinks.ring_solid import place_each
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around, grow
from vision.photometry.difference import misfit
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE

ZONE_TOLERANCE_MM = 10.0
"""Zones are good to about this; what stands this near outside still belongs to them."""

FOREGROUND_MISFIT = 6.0
"""A pixel this far from any colour that the bare table can have shows something else."""

FOOT_GRID_MM = 2.5
FOOT_REACH_MM = 3.0
MIN_BLOB_SHARE = 0.3
"""A patch smaller than this share of the smallest drink's outline is no drink, and a drink must save
at least what it costs to leave so many different pixels unexplained."""

ERASE_MARGIN_PX = 3

BESIDE_WEIGHT = 0.8
"""What an outline covers beside a blob counts so much against it; a lid may look like the table around it."""

MASK_SHRINK = 3
"""Feet are looked for in a mask so many times smaller."""

SUM_TOLERANCE = 1e-2
"""Sums of worths may be off by so much."""

STRIP_ROWS = 64
"""So many rows of a zone are compared with the bare table at a time."""

REREAD_ROUNDS = 2
SETTLED_MM = 0.5

MIN_SPACING_MM = 8.5
"""Drinks are about 12 mm wide; feet nearer than this to each other cannot both be there."""

FAINT_SPACING_MM, FAINT_SHARE = 16.0, 0.3
"""So near to another drink, what explains less than this share of what others do is a shadow or a reflection."""

FIRST_NEW_NUMBER, FIRST_KEPT_NUMBER = 1000, 2000
"""Drinks in a zone are numbered from here, those that keep their reading from there; those in slots from 1."""

BinaryImage = npt.NDArray[np.uint8]


def read_zone(scene: Scene, corners_mm: Sequence[Point], models: Models,
              kept: Sequence[DrinkReading] = ()) -> list[DrinkReading]:
    """All drinks that stand in a zone, given by its corners in the table frame, but for those `kept` from earlier. Each
    is read beside those that were found before it; those found later may ask for a second reading."""
    corners = grow(np.array(corners_mm, np.float64), ZONE_TOLERANCE_MM)
    tallest_mm = max(models.heights_mm.values())
    box = box_around(np.concatenate([scene.view.project_at(corners, height) for height in (0.0, tallest_mm)]), 2)
    mask = _different(scene, box)
    outlines = _Outlines(scene, models, box)
    area = outlines.area(corners.mean(axis=0))
    least = MIN_BLOB_SHARE * area * FOREGROUND_MISFIT * FOREGROUND_MISFIT
    readings: list[DrinkReading] = []
    for index, old in enumerate(kept):
        outlines.erase(mask, old)
        draw_reading(scene, FIRST_KEPT_NUMBER + index, old, models)
    while (blob := _largest(mask, MIN_BLOB_SHARE * area)) is not None:
        foot, shape = outlines.best_foot(blob, mask)
        reading = None
        if _inside(foot, corners):
            reading = read_drink(scene, DrinkPose(np.array([*foot, 0.0]), 0.0), models, free=True,
                                 reach_mm=FOOT_REACH_MM,
                                 number=FIRST_NEW_NUMBER + len(readings), taken_for=shape)
        if reading is None or _gain(reading) < least:
            mask[blob > 0] = 0
            continue
        draw_reading(scene, FIRST_NEW_NUMBER + len(readings), reading, models)
        readings.append(reading)
        outlines.erase(mask, reading)
    found = _together(scene, readings, kept, models, least)
    for numbers in (range(FIRST_NEW_NUMBER, FIRST_NEW_NUMBER + len(readings)),
                    range(FIRST_KEPT_NUMBER, FIRST_KEPT_NUMBER + len(kept))):
        for number in numbers:  # the next zone counts from the same
            scene.draw(number, None)
    return found


def _together(scene: Scene, found: Sequence[DrinkReading], kept: Sequence[DrinkReading], models: Models, least: float
              ) -> list[DrinkReading]:
    """Read again, in rounds, what stands close to drinks that were found after it was read, or then read otherwise.
    What is no longer needed to save costs of `least` is dropped, and of two that would stand in each other the one that
    explains less of it."""
    readings = dict(enumerate(found, FIRST_NEW_NUMBER))
    changed = {number: {other for other in readings if other > number} for number in readings}  # since it was read
    for _ in range(REREAD_ROUNDS):
        for number, reading in list(readings.items()):
            stand = DrinkPose(np.array([*reading.feet_mm[reading.best], 0.0]), 0.0)
            anywhere = place_each(scene.view, [(solid, 0.0) for solid in models.solids.values()], stand.foot_mm)
            is_faint = _gain(reading) < FAINT_SHARE * _usual_gain((*kept, *readings.values()))
            if not is_faint and not scene.has_neighbours(
                    box_around(np.concatenate(anywhere), ERASE_MARGIN_PX), number, changed[number]):
                continue
            again = read_drink(scene, stand, models, True, FOOT_REACH_MM, number, reading, lid_only=is_faint)
            changed[number] = set()
            if _gain(again) >= least:
                readings[number] = again
                draw_reading(scene, number, again, models)
                if not _same(reading, again):
                    for others in changed.values():
                        others.add(number)
            else:
                _drop(scene, number, readings, changed)
        for number in _inside_others(readings, kept):
            _drop(scene, number, readings, changed)
    return list(readings.values())


def _drop(scene: Scene, number: int, readings: dict[int, DrinkReading], changed: Mapping[int, set[int]]) -> None:
    """Forget a drink that is not there after all; what was read beside it is read again."""
    del readings[number]
    scene.draw(number, None)
    for others in changed.values():
        others |= set(readings)


def _same(reading: DrinkReading, again: DrinkReading) -> bool:
    """Whether a drink was read as before, at the same place."""
    off = np.subtract(reading.feet_mm[reading.best], again.feet_mm[again.best])
    return reading.best == again.best and float(np.hypot(*off)) < SETTLED_MM


def _inside_others(readings: Mapping[int, DrinkReading], kept: Sequence[DrinkReading]) -> list[int]:
    """The numbers of readings whose feet stand in those of better ones, or that are faint beside them."""
    feet = [reading.feet_mm[reading.best] for reading in kept]
    usual = _usual_gain((*kept, *readings.values()))
    inside = []
    for number, reading in sorted(readings.items(), key=lambda each: -_gain(each[1])):
        x, y = reading.feet_mm[reading.best]
        apart_mm = FAINT_SPACING_MM if _gain(reading) < FAINT_SHARE * usual else MIN_SPACING_MM
        if any(np.hypot(x - other_x, y - other_y) < apart_mm for other_x, other_y in feet):
            inside.append(number)
        else:
            feet.append((x, y))
    return inside


def _gain(reading: DrinkReading) -> float:
    """How much of the cost of the bare table a drink saves."""
    return reading.costs[EMPTY] - reading.costs[reading.best]


def _usual_gain(readings: Sequence[DrinkReading]) -> float:
    """How much drinks mostly save; nothing while none is known."""
    return float(np.median([_gain(reading) for reading in readings])) if readings else 0.0


def _inside(foot: Point, corners: Floats) -> bool:
    return bool(cv2.pointPolygonTest(corners.astype(np.float32).reshape(-1, 1, 2), foot, False) >= 0)


def _different(scene: Scene, box: Box) -> BinaryImage:
    """Where something is seen that is neither the bare table nor a crate."""
    mask = np.zeros((box.height, box.width), np.uint8)
    for top in range(0, box.height, STRIP_ROWS):  # a whole zone at once would need megabytes for a moment
        strip = Box(box.left, box.top + top, box.width, min(STRIP_ROWS, box.height - top))
        seen = scene.plain(strip)
        far = misfit(seen.transpose(2, 0, 1), scene.background(strip, seen).transpose(2, 0, 1))
        mask[top:top + STRIP_ROWS] = (far > FOREGROUND_MISFIT * FOREGROUND_MISFIT) & (scene.kinds(strip) == TABLE)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(opened, outlines, -1, 1, -1)
    return np.asarray(opened, np.uint8)


def _largest(mask: BinaryImage, least: float) -> BinaryImage | None:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest, cv2.CC_STAT_AREA] < least:
        return None
    return np.asarray(labels == largest, np.uint8)


def _most_within(worth: npt.NDArray[np.float32], outlines_px: npt.NDArray[np.int32]) -> Floats:
    """As much as outlines (n, points, 2) may be worth at most: all that is worth something in the boxes around them."""
    sums = cv2.integral(np.maximum(worth, 0))
    limits = np.array(worth.shape[::-1])
    low = np.clip(outlines_px.min(axis=1), 0, limits)
    high = np.clip(outlines_px.max(axis=1) + 1, 0, limits)
    (left, top), (right, bottom) = low.T, high.T
    return np.asarray(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left] + SUM_TOLERANCE,
                      np.float64)


class _Outlines:
    """Outlines of drinks, as they would be seen in one box of the picture."""

    def __init__(self, scene: Scene, models: Models, box: Box) -> None:
        self._view, self._models, self._box = scene.view, models, box
        by_height = sorted(models.heights_mm, key=models.heights_mm.__getitem__)
        self._typical = [by_height[0], by_height[len(by_height) // 2], by_height[-1]]

    def area(self, at_mm: Floats) -> float:
        """Pixels that the smallest drink covers."""
        return float(self._outline(self._typical[0], (float(at_mm[0]), float(at_mm[1]))).sum())

    def best_foot(self, blob: BinaryImage, mask: BinaryImage) -> tuple[Point, str]:
        """The foot and the shape of the drink whose outline covers most of a blob and least beside it. What cannot be
        worth more than the best is not added up."""
        rows, columns = np.nonzero(blob)
        px = np.column_stack([columns + self._box.left, rows + self._box.top]).astype(np.float64)
        spread = self._view.to_table(px[:: max(1, len(px) // 400)], 8.0)
        low, high = spread.min(axis=0), spread.max(axis=0)
        small, small_mask = (cv2.resize(each, None, fx=1 / MASK_SHRINK, fy=1 / MASK_SHRINK,
                                        interpolation=cv2.INTER_NEAREST)
                             for each in (blob, mask))
        worth = 2 * small + np.float32(BESIDE_WEIGHT) * small_mask - np.float32(BESIDE_WEIGHT + 0.2)
        feet = [(float(x), float(y)) for x in np.arange(low[0], high[0] + FOOT_GRID_MM, FOOT_GRID_MM)
                for y in np.arange(low[1], high[1] + FOOT_GRID_MM, FOOT_GRID_MM)]
        outlines = np.concatenate([self._corners(shape, feet, MASK_SHRINK) for shape in self._typical])
        most = _most_within(worth, outlines)
        best = (-np.inf, 0)
        for number in np.argsort(-most):
            if most[number] < best[0]:
                break
            best = max(best, (self._score(worth, outlines[number]), -int(number)))
        shape, foot = divmod(-best[1], len(feet))
        return feet[foot], self._typical[shape]

    @staticmethod
    def _score(worth: npt.NDArray[np.float32], corners_px: npt.NDArray[np.int32]) -> float:
        """The sum of worths (h, w) within an outline."""
        left, top, width, height = cv2.boundingRect(corners_px)
        left, top, right, bottom = max(left, 0), max(top, 0), left + width, top + height
        part = worth[top:max(bottom, 0), left:max(right, 0)]
        if not part.size:
            return 0.0
        outline = np.zeros(part.shape, np.uint8)
        cv2.fillConvexPoly(outline, cv2.convexHull(corners_px - (left, top)), 1)
        return float(part.ravel() @ outline.ravel())

    def erase(self, mask: BinaryImage, reading: DrinkReading) -> None:
        """Take what a drink explains out of the mask."""
        nominal = self._view.project(reading.stand.foot_mm)[0] + np.array(reading.offset) * UNIT_PX
        x, y = self._view.to_table(nominal)[0]
        outline = self._outline(shape_of(reading.best), (float(x), float(y)))
        kernel = np.ones((2 * ERASE_MARGIN_PX + 1, 2 * ERASE_MARGIN_PX + 1), np.uint8)
        mask[cv2.dilate(outline, kernel) > 0] = 0

    def _outline(self, shape: str, foot: Point) -> BinaryImage:
        outline = np.zeros((self._box.height, self._box.width), np.uint8)
        cv2.fillConvexPoly(outline, cv2.convexHull(self._corners(shape, [foot])[0]), 1)
        return outline

    def _corners(self, shape: str, feet: Sequence[Point], shrink: int = 1) -> npt.NDArray[np.int32]:
        """Points (feet, n, 2) in px of the box around which the outlines of drinks lie that stand at some feet."""
        solid = self._models.solids[shape]
        angles = np.linspace(0, 2 * np.pi, 13)[:-1]
        around = []
        for index in (0, int(np.searchsorted(solid.heights_mm, 0.5 * solid.heights_mm[-1])), len(solid) - 5):
            radius = float(np.abs(solid.outlines_mm[index]).max())
            around.append(np.column_stack([radius * np.cos(angles), radius * np.sin(angles),
                                           np.full(12, solid.heights_mm[index])]))
        drink = np.concatenate(around)
        points = drink + np.column_stack([np.array(feet), np.zeros(len(feet))])[:, None]
        px = (self._view.project(points.reshape(-1, 3)) - (self._box.left, self._box.top)) / shrink
        return np.rint(px).astype(np.int32).reshape(len(feet), len(drink), 2)
