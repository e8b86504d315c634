"""Drinks in the slots of upright crates, each read with its neighbours as background and occluders.

Slots that did not change keep their reading. Those that did are read from the point below the camera outwards, with the
earlier readings of the others, and again where others turned out to hold something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from companion.table import EMPTY, Body, Place, Point, Sight, Spot, colour_of
from vision.drinks.classifier import CLEARLY_EMPTY_NATS, read_drink
from vision.drinks.coarse_to_fine import forget_slot_coverages
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.second_opinion import seen_in_slot
from vision.drinks.slot_geometry import Slot, learn_empty_slots, slot_box, slot_poses
from vision.scene.empty_slot_model import Emptied
from vision.scene.occluders import far_mm
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene

SURELY_EMPTY_NATS = 0.4 * CLEARLY_EMPTY_NATS
"""By this margin `EMPTY` must be better than any drink for a slot to update the remembered background."""

SLIGHT_CHANGES = ((1.5, 0.45), (4.0, 0.6))
"""A slot is read again when it changed by more than such a share of what noise may, if its drink leads by fewer than so
many nats over those of other colours: of one with a wide lid only a thin ring shows its colour, and that it was
swapped."""


class DrinkSlots:
    """Reads the slots of one table's crates. `models`: those of drinks in crates."""

    def __init__(self, models: Models, memory: ReadingCache) -> None:
        self.models, self._memory = models, memory
        self._readings: dict[Spot, DrinkReading] = {}
        self._emptied: Emptied | None = None
        self._were_bare: set[Spot] = set()

    def read(self, scene: Scene, places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Sequence[Body]
             ) -> list[Sight]:
        """One sight for each place. `centres_mm` are the centres of the places, `crates` the crates that they are on,
        both in the table frame."""
        scene.recall(self._emptied)
        slots = self._slots(scene, slot_poses(places, centres_mm, crates))
        sights, noisy = self._recall(scene, slots)
        anew = sorted(slots.keys() - sights.keys(), key=lambda spot: far_mm(scene.view, slots[spot].pose.foot_mm))
        self._read_anew(scene, {spot: slots[spot] for spot in anew}, noisy)
        forget_slot_coverages()
        for spot in anew:
            sights[spot] = self._sight(spot)
            self._memory.keep(scene, spot, slots[spot].box, (sights[spot],))
        bare = {spot for spot in slots if self._surely_empty(self._readings[spot])}
        self._were_bare |= bare
        openings = [slot.pose.opening_mm for spot, slot in slots.items() if spot in bare]
        self._emptied = learn_empty_slots(scene, crates, [each for each in openings if each is not None], self._emptied)
        return [sights[spot] for spot in slots]

    def crates_moved(self) -> None:
        """Forget the remembered background of the crates."""
        self._emptied = None
        self._were_bare.clear()

    def _slots(self, scene: Scene, poses: Mapping[Spot, DrinkPose]) -> dict[Spot, Slot]:
        found = {}
        for number, (spot, new) in enumerate(poses.items(), 1):
            pose = self._as_before(spot, new)
            found[spot] = Slot(number, pose, slot_box(scene.view, pose))
        return found

    def _as_before(self, spot: Spot, pose: DrinkPose) -> DrinkPose:
        """The very pose object of an earlier look, if the slot did not move: its paintings are cached."""
        before = self._readings[spot].pose if spot in self._readings else pose
        is_there = before.turn_deg == pose.turn_deg and bool((before.foot_mm == pose.foot_mm).all())
        return before if is_there else pose

    def _recall(self, scene: Scene, slots: Mapping[Spot, Slot]) -> tuple[dict[Spot, Sight], set[Spot]]:
        """The sights of unchanged slots; what they hold is drawn into the scene. And the slots that changed by no more
        than noise, but by more than they may."""
        sights, noisy = {}, set()
        for spot, slot in slots.items():
            tolerance = self._tolerance(spot)
            changed = self._memory.changed(scene, spot, slot.box, tolerance)
            if changed <= tolerance:
                sights[spot] = self._memory.kept(spot)[0]
                self._draw(scene, spot, slot)
            elif changed <= 1.0:
                noisy.add(spot)
        return sights, noisy

    def _tolerance(self, spot: Spot) -> float:
        """The share of what noise may change that a slot may change without being read again."""
        known = self._memory.get(spot)
        if known is None or known.sights[0].likeliest == EMPTY:
            return 1.0
        nats = known.sights[0].loglik
        colour = colour_of(known.sights[0].likeliest)
        others = [value for drink, value in nats.items() if drink != EMPTY and colour_of(drink) != colour]
        lead = max(nats.values()) - max(others, default=-np.inf)
        return next((share for fewer, share in SLIGHT_CHANGES if lead < fewer), 1.0)

    def _stood(self, spot: Spot, pose: DrinkPose) -> DrinkReading | None:
        """The reading of an earlier look in a slot that did not move."""
        reading = self._readings.get(spot) if self._memory.get(spot) is not None else None
        return reading if reading is not None and reading.pose is pose else None

    def _read_anew(self, scene: Scene, slots: Mapping[Spot, Slot], noisy: Set[Spot]) -> None:
        """Read slots in this order; then again those whose neighbours turned out to differ from what was assumed. In
        `noisy` ones nothing moved."""
        stood = {spot: reading for spot, slot in slots.items()
                 if (reading := self._stood(spot, slot.pose)) is not None}
        for spot in stood:
            self._draw(scene, spot, slots[spot])
        stale: set[Spot] = set()
        earlier: list[Spot] = []
        for spot, slot in slots.items():
            beside = [other for other in earlier if scene.shows(slot.number, slots[other].box)]
            if self._read(scene, spot, slot, stood.get(spot), spot in noisy):
                stale |= {*beside, *(other for other in earlier if scene.shows(slot.number, slots[other].box))}
            earlier.append(spot)
        for spot in earlier:
            if spot in stale and not self._readings[spot].is_empty:
                self._read(scene, spot, slots[spot], self._readings[spot])

    def _read(self, scene: Scene, spot: Spot, slot: Slot, before: DrinkReading | None, is_noisy: bool = False) -> bool:
        """Read a slot with the drinks that are drawn, and draw what it holds. Returns whether that differs from
        `before`."""
        is_new = before is None or before.is_empty
        seen = seen_in_slot(scene, slot.pose, self.models) if is_new else None
        prior = DrinkPrior(slot.number, before=before, stands_still=is_noisy, seen=seen)
        reading = self._readings[spot] = read_drink(scene, slot.pose, self.models, prior)
        if before is not None and _same(before, reading):
            return False
        self._draw(scene, spot, slot)
        return True

    def _draw(self, scene: Scene, spot: Spot, slot: Slot) -> None:
        if self._readings[spot].is_empty:
            scene.draw(slot.number, None)
        else:
            draw_reading(scene, slot.number, self._readings[spot], self.models)

    def _sight(self, spot: Spot) -> Sight:
        reading = self._readings[spot]
        return Sight(spot, reading.at_mm, self.models.loglik(reading, spot in self._were_bare), reading.turn_deg,
                     feet_mm={} if reading.is_empty else reading.feet_mm)

    def _surely_empty(self, reading: DrinkReading) -> bool:
        return -reading.gain > SURELY_EMPTY_NATS * self.models.cost_per_nat


def _same(before: DrinkReading, now: DrinkReading) -> bool:
    """Whether both readings have the same drink, offset and turn, or both none."""
    if before.is_empty or now.is_empty:
        return before.is_empty and now.is_empty
    return (before.best, before.offset, before.turn_deg) == (now.best, now.offset, now.turn_deg)
