"""Drinks of a zone read again beside each other, until none changes what its neighbours look like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.drinks.classifier import read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.ring_raster import project_each
from vision.imaging.box import Box, box_around
from vision.scene.scene import Scene

FIRST_NEW_NUMBER = 1000
"""Drinks found in a zone are numbered from here in the scene; those in slots from 1."""

FOOT_REACH_MM = 3.0
"""How far from where its silhouette was found a drink may stand."""

MAX_REREADINGS = 2
NEIGHBOUR_MARGIN_PX = 3

SETTLED_MM = 0.5
"""A drink read again nearer than this to where it was stands as before."""

MIN_SPACING_MM = 8.5
"""Drinks are about 12 mm wide; feet nearer than this to each other cannot both be there."""

FAINT_SPACING_MM, FAINT_SHARE = 16.0, 0.3
"""This near to another drink, what explains less than this share of what drinks mostly do is a shadow or a
reflection."""


class ZoneRereading:
    """Drinks found one after the other, drawn into the scene with their numbers, and read again.

    `readings`, by number, is what is left of them: what is no longer needed to save costs of `min_gain` is dropped, and
    of two that would stand in each other the one that explains less of it.
    """

    def __init__(self, scene: Scene, models: Models, found: Sequence[DrinkReading], kept: Sequence[DrinkReading],
                 min_gain: float) -> None:
        self._scene, self._models, self._kept, self._min_gain = scene, models, kept, min_gain
        self.readings = dict(enumerate(found, FIRST_NEW_NUMBER))
        self._changed = {number: {other for other in self.readings if other > number} for number in self.readings}
        """What changed around each drink since it was read."""

    def run(self) -> None:
        """Read again, in rounds, what stands close to drinks that were found after it was read, or then read otherwise.
        """
        for _ in range(MAX_REREADINGS):
            for number in list(self.readings):
                self._reread(number)
            for number in crowded(self.readings, self._kept):
                self._drop(number)

    def _reread(self, number: int) -> None:
        reading = self.readings[number]
        is_faint = reading.gain < faint_gain((*self._kept, *self.readings.values()))
        pose = DrinkPose(np.array([*reading.at_mm, 0.0]), 0.0)
        if not is_faint and not self._scene.has_neighbours(self._box(pose), number, self._changed[number]):
            return
        prior = DrinkPrior(number, FOOT_REACH_MM, like=reading, lid_only=is_faint)
        again = read_drink(self._scene, pose, self._models, prior)
        self._changed[number] = set()
        if again.gain < self._min_gain:
            self._drop(number)
            return
        self.readings[number] = again
        draw_reading(self._scene, number, again, self._models)
        if not _same(reading, again):
            for others in self._changed.values():
                others.add(number)

    def _drop(self, number: int) -> None:
        """Forget a drink that is not there after all; what was read beside it is read again."""
        del self.readings[number]
        self._scene.draw(number, None)
        for others in self._changed.values():
            others |= set(self.readings)

    def _box(self, pose: DrinkPose) -> Box:
        """Where any drink that stands there is seen."""
        rings = project_each(self._scene.view, [(solid, 0.0) for solid in self._models.solids.values()], pose.foot_mm)
        return box_around(np.concatenate(rings), NEIGHBOUR_MARGIN_PX)


def crowded(readings: dict[int, DrinkReading], kept: Sequence[DrinkReading]) -> list[int]:
    """The numbers of readings whose feet stand in those of better ones, or that are faint beside them."""
    feet = [reading.at_mm for reading in kept]
    faint = faint_gain((*kept, *readings.values()))
    inside = []
    for number, reading in sorted(readings.items(), key=lambda each: -each[1].gain):
        x, y = reading.at_mm
        spacing_mm = FAINT_SPACING_MM if reading.gain < faint else MIN_SPACING_MM
        if any(np.hypot(x - other_x, y - other_y) < spacing_mm for other_x, other_y in feet):
            inside.append(number)
        else:
            feet.append((x, y))
    return inside


def faint_gain(readings: Sequence[DrinkReading]) -> float:
    """A drink that gains less than this explains far less than drinks mostly do."""
    return FAINT_SHARE * float(np.median([reading.gain for reading in readings])) if readings else 0.0


def _same(reading: DrinkReading, again: DrinkReading) -> bool:
    """Whether a drink was read as before, at the same place."""
    off = np.subtract(reading.at_mm, again.at_mm)
    return reading.best == again.best and float(np.hypot(*off)) < SETTLED_MM
