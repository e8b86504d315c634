"""Drinks in the slots of upright crates, each read beside those that are known around it.

What looks as before is known from the start. Slots that changed are read from the point below the camera outwards,
beside what stood in the others before, and again where others turned out to hold something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np

from companion.table import EMPTY, Body, Place, Point, Sight, Spot
from companion.table.crate import RIM_MM, WALL_MM
from vision.drinks.band_texture import DrinkPose
from vision.drinks.classifier import (
    CLEARLY_EMPTY_NATS, Models, DrinkReading, draw_reading, is_empty, loglik, read_drink,
)
from vision.drinks.coarse_to_fine import forget_slot_coverages
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.footprints import BLOCK_MM, opening_mm, outline_mm
from vision.scene.empty_slot_model import Emptied, learn_emptied
from vision.scene.reading_cache import Memory
from vision.scene.scene import Scene
from vision.scene.occluders import far_mm

COLOUR_BLEED_PX = 4
"""This near to a drink its colour may still be seen."""


class DrinkSlots:
    """Reads the slots of one table's crates. `models`: how drinks look in crates."""

    def __init__(self, models: Models, memory: Memory) -> None:
        self.models, self._memory = models, memory
        self._readings: dict[Spot, DrinkReading] = {}
        self._emptied: Emptied | None = None

    def read(self, scene: Scene, places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Sequence[Body]
             ) -> list[Sight]:
        """One sight for each place. `centres_mm` are where the places are, `crates` where the crates stand that they
        are on, both in the table frame."""
        scene.recall(self._emptied)
        stands = {spot: self._as_before(spot, stand)
                  for spot, stand in _stands(places, centres_mm, {crate.spot: crate for crate in crates}).items()}
        numbers = {spot: number for number, spot in enumerate(stands, 1)}
        boxes = {spot: _box(scene.view, stand) for spot, stand in stands.items()}
        sights = {spot: known[0] for spot, box in boxes.items()
                  if (known := self._memory.recall(scene, spot, box)) is not None}
        for spot in sights:
            self._draw(scene, spot, numbers[spot])
        anew = sorted(stands.keys() - sights.keys(), key=lambda spot: far_mm(scene.view, stands[spot].foot_mm))
        self._read_anew(scene, {spot: stands[spot] for spot in anew}, numbers, boxes)
        forget_slot_coverages()
        for spot in anew:
            sights[spot] = self._sight(spot)
            self._memory.keep(scene, spot, boxes[spot], (sights[spot],))
        self._emptied = emptied(scene, crates, [
            stand.opening_mm for spot, stand in stands.items()
            if stand.opening_mm is not None and self._surely_empty(self._readings[spot])], self._emptied)
        return [sights[spot] for spot in stands]

    def crates_moved(self) -> None:
        """How crates look where they hold nothing is to be learned anew."""
        self._emptied = None

    def _as_before(self, spot: Spot, stand: DrinkPose) -> DrinkPose:
        """The very stand that was read at an earlier look, if the slot is where it was: it need not be laid out again.
        """
        before = self._readings[spot].stand if spot in self._readings else stand
        is_there = before.turn_deg == stand.turn_deg and bool((before.foot_mm == stand.foot_mm).all())
        return before if is_there else stand

    def _stood(self, spot: Spot, stand: DrinkPose) -> DrinkReading | None:
        """What was read at an earlier look in a slot that is where it was."""
        reading = self._readings.get(spot) if self._memory.get(spot) is not None else None
        return reading if reading is not None and reading.stand is stand else None

    def _read_anew(self, scene: Scene, stands: Mapping[Spot, DrinkPose], numbers: Mapping[Spot, int],
                   boxes: Mapping[Spot, Box]) -> None:
        """Read slots, in this order."""
        stood = {spot: reading for spot, stand in stands.items() if (reading := self._stood(spot, stand)) is not None}
        for spot in stood:
            self._draw(scene, spot, numbers[spot])
        stale: set[Spot] = set()
        earlier: list[Spot] = []
        for spot, stand in stands.items():
            beside = [other for other in earlier if scene.shows(numbers[spot], boxes[other])]
            if self._slot(scene, spot, stand, numbers[spot], stood.get(spot)):
                stale |= {*beside, *(other for other in earlier if scene.shows(numbers[spot], boxes[other]))}
            earlier.append(spot)
        for spot in earlier:
            if spot in stale and not is_empty(self._readings[spot]):
                self._slot(scene, spot, stands[spot], numbers[spot], self._readings[spot])

    def _slot(self, scene: Scene, spot: Spot, stand: DrinkPose, number: int, before: DrinkReading | None) -> bool:
        """Read a slot beside the drinks that are drawn, and draw what it holds unless that was drawn `before`: gives
        whether it was not."""
        reading = self._readings[spot] = read_drink(scene, stand, self.models, number=number, before=before)
        if before is not None and _same(before, reading):
            return False
        self._draw(scene, spot, number)
        return True

    def _draw(self, scene: Scene, spot: Spot, number: int) -> None:
        if is_empty(self._readings[spot]):
            scene.draw(number, None)
        else:
            draw_reading(scene, number, self._readings[spot], self.models)

    def _sight(self, spot: Spot) -> Sight:
        reading = self._readings[spot]
        return Sight(spot, reading.feet_mm[reading.best], loglik(reading.costs, self.models.cost_per_nat),
                     reading.turn_deg)

    def _surely_empty(self, reading: DrinkReading) -> bool:
        better = reading.costs[reading.best] - reading.costs[EMPTY]
        return better > 0.9 * CLEARLY_EMPTY_NATS * self.models.cost_per_nat


def emptied(scene: Scene, crates: Sequence[Body], openings_mm: Sequence[Floats], before: Emptied | None
            ) -> Emptied | None:
    """What was known `before` of how crates look where they hold nothing, and what is now seen of slots, given by their
    openings (4, 2), that do."""
    if not crates:
        return None
    corners = np.concatenate([outline_mm(crate) for crate in crates])
    box = box_around(np.concatenate([scene.view.project_at(corners, height) for height in (0.0, RIM_MM)]), 2)
    free = np.zeros((box.height, box.width), np.uint8)
    for opening in openings_mm:
        out = opening + WALL_MM * np.sign(opening - opening.mean(axis=0))
        px = scene.view.project_at(out, RIM_MM) - (box.left, box.top)
        cv2.fillConvexPoly(free, np.rint(px).astype(np.int32), 1)
    drawn = scene.hidden(box, 0, np.inf).astype(np.uint8)
    beside = cv2.dilate(drawn, np.ones((2 * COLOUR_BLEED_PX + 1, 2 * COLOUR_BLEED_PX + 1), np.uint8)) > 0
    return learn_emptied(before, box, scene.plain(box), (free > 0) & ~beside)


@lru_cache(maxsize=96)  # a slot stays where it is from look to look
def _box(view: View, stand: DrinkPose) -> Box:
    """The part of the picture in which a slot and what it holds are seen."""
    assert stand.opening_mm is not None
    return box_around(np.concatenate([view.project_at(stand.opening_mm, height) for height in (RIM_MM, BLOCK_MM)]), 0)


def _same(before: DrinkReading, now: DrinkReading) -> bool:
    """Whether the same drink stands at the same place, or none as before."""
    if is_empty(before) or is_empty(now):
        return is_empty(before) and is_empty(now)
    return (before.best, before.offset, before.turn_deg) == (now.best, now.offset, now.turn_deg)


def _stands(places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Mapping[Spot, Body]
            ) -> dict[Spot, DrinkPose]:
    stands = {}
    for place in places:
        if place.on is not None and place.on in crates and place.spot in centres_mm:
            crate, centre = crates[place.on], np.array(centres_mm[place.spot])
            foot = np.array([*centre, place.floor_mm])
            stands[place.spot] = DrinkPose(foot, crate.turn_deg, opening_mm(crate, centre), RIM_MM)
    return stands
