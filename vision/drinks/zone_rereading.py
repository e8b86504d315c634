"""Drinks of a zone read again with each other as background, in rounds (as in iterated conditional modes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.table import Point
from vision.drinks.classifier import confirmed, read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose, stands_near
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.ring_raster import project_each
from vision.drinks.second_opinion import is_surely_seen, is_there
from vision.imaging.box import Box, box_around
from vision.scene.scene import Scene

FIRST_NEW_NUMBER = 1000
"""Drinks found in a zone are numbered from here in the scene; those in slots from 1."""

FOOT_REACH_MM = 3.0
"""The search range around the foot that its silhouette gave."""

MAX_REREADINGS = 2
NEIGHBOUR_MARGIN_PX = 3

SETTLED_MM = 0.5
"""A drink whose new reading is nearer than this to the last did not move."""

MIN_SPACING_MM = 8.5
"""Drinks are about 12 mm wide; two feet nearer than this to each other overlap."""

FAINT_SPACING_MM, FAINT_SHARE = 16.0, 0.3
"""This near to another drink, one whose gain is less than this share of the median is a shadow or a reflection."""

STOOD_MM = 2.0
"""What is this near to where a drink stood before is no shadow of a neighbour."""


class ZoneRereading:
    """Drinks detected one after the other, drawn into the scene with their numbers, and read again.

    `readings`, by number, are those that are left: a drink is dropped when its gain falls below `min_gain`, and of two
    that overlap the one with the smaller gain. `stood_mm`: where drinks stood at the look before.
    """

    def __init__(self, scene: Scene, models: Models, found: Sequence[DrinkReading], kept: Sequence[DrinkReading],
                 min_gain: float, stood_mm: Sequence[Point] = ()) -> None:
        self._scene, self._models, self._kept, self._min_gain = scene, models, kept, min_gain
        self._stood_mm = stood_mm
        self.readings = dict(enumerate(found, FIRST_NEW_NUMBER))
        self._changed = {number: {other for other in self.readings if other > number} for number in self.readings}
        """What changed around each drink since it was read."""
        self._sought_by_lid = set[int]()

    def run(self) -> None:
        """Read again, in rounds, the drinks whose neighbours were detected, or changed their reading, since their
        own."""
        for _ in range(MAX_REREADINGS):
            for number in list(self.readings):
                self._reread(number)
            for number in crowded(self.readings, self._kept, self._stood_mm):
                self._drop(number)

    def _reread(self, number: int) -> None:
        reading = self.readings[number]
        is_faint = (number not in self._sought_by_lid
                    and reading.gain < faint_gain((*self._kept, *self.readings.values())))
        pose = DrinkPose(np.array([*reading.at_mm, 0.0]), 0.0)
        if is_faint:
            self._sought_by_lid.add(number)
        elif not self._scene.has_neighbours(self._box(pose), number, self._changed[number]):
            return
        again = None if is_faint else confirmed(self._scene, reading, self._models, number)
        if again is None:
            seen = None if is_faint else reading.told
            prior = DrinkPrior(number, FOOT_REACH_MM, like=reading, lid_only=is_faint, seen=seen)
            again = read_drink(self._scene, pose, self._models, prior)
        if is_surely_seen(reading):  # the network asks no neighbours
            again = replace(again, presence_nats=max(reading.presence_nats, again.presence_nats))
        self._changed[number] = set()
        if not is_there(again, self._min_gain):
            self._drop(number)
            return
        self.readings[number] = again
        draw_reading(self._scene, number, again, self._models)
        if not _same(reading, again):
            for others in self._changed.values():
                others.add(number)

    def _drop(self, number: int) -> None:
        """Drop a drink that is not there after all; its neighbours are read again."""
        del self.readings[number]
        self._scene.draw(number, None)
        for others in self._changed.values():
            others |= set(self.readings)

    def _box(self, pose: DrinkPose) -> Box:
        """The box in which a drink of any shape at a pose is seen."""
        rings = project_each(self._scene.view, [(solid, 0.0) for solid in self._models.solids.values()], pose.foot_mm)
        return box_around(np.concatenate(rings), NEIGHBOUR_MARGIN_PX)


def crowded(readings: dict[int, DrinkReading], kept: Sequence[DrinkReading], stood_mm: Sequence[Point] = ()
            ) -> list[int]:
    """The numbers of readings that overlap better ones, or that are faint beside them where none `stood_mm` before
    (non-maximum suppression)."""
    feet = [reading.at_mm for reading in kept]
    faint = faint_gain((*kept, *readings.values()))
    inside = []
    for number, reading in sorted(readings.items(), key=lambda each: -each[1].gain):
        is_doubtful = (reading.gain < faint and not is_surely_seen(reading)
                       and not stands_near(reading.at_mm, stood_mm, STOOD_MM))
        if stands_near(reading.at_mm, feet, FAINT_SPACING_MM if is_doubtful else MIN_SPACING_MM):
            inside.append(number)
        else:
            feet.append(reading.at_mm)
    return inside


def faint_gain(readings: Sequence[DrinkReading]) -> float:
    """The gain below which a drink is faint: `FAINT_SHARE` of the median; 0 without any."""
    return FAINT_SHARE * float(np.median([reading.gain for reading in readings])) if readings else 0.0


def _same(reading: DrinkReading, again: DrinkReading) -> bool:
    """Whether both readings have the same drink at the same place."""
    off = np.subtract(reading.at_mm, again.at_mm)
    return reading.best == again.best and float(np.hypot(*off)) < SETTLED_MM
