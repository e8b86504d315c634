"""Drinks in the slots of upright crates: each slot by itself first, then with the drinks known that stand around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from companion.table import EMPTY, Body, Place, Point, Sight, Spot
from vision.crates import RIM_MM
from vision.drinks import CLEARLY_NATS, Models, Reading, draw, is_empty, loglik, read_stand
from vision.memory import Memory
from vision.scene import Emptied, Scene, opening_mm
from vision.solids import box_around
from vision.textures import Stand

BLOCK_MM = 1.6 * RIM_MM
"""Slots are looked at up to this height."""


class Slots:
    """Reads the slots of one table's crates. `models`: how drinks look in crates."""

    def __init__(self, models: Models, memory: Memory) -> None:
        self._models, self._memory = models, memory
        self._readings: dict[Spot, Reading] = {}
        self._emptied: Emptied | None = None

    def read(self, scene: Scene, places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Sequence[Body]
             ) -> list[Sight]:
        """One sight for each place. `centres_mm` are where the places are, `crates` where the crates stand that they
        are on, both in the table frame."""
        scene.recall(self._emptied)
        stands = _stands(places, centres_mm, {crate.spot: crate for crate in crates})
        sights: dict[Spot, Sight] = {}
        for spot, stand in stands.items():
            assert stand.opening_mm is not None
            box = box_around(np.concatenate([scene.view.project_at(stand.opening_mm, height)
                                             for height in (RIM_MM, BLOCK_MM)]), 0)
            sights[spot], = self._memory.read(scene, spot, box, partial(self._slot, scene, spot, stand))
        sights |= self._beside_others(scene, sights, stands)
        self._emptied = scene.remember(crates, [
            stand.opening_mm for spot, stand in stands.items()
            if stand.opening_mm is not None and self._surely_empty(self._readings[spot])])
        return list(sights.values())

    def crates_moved(self) -> None:
        """How crates look where they hold nothing is to be learned anew."""
        self._emptied = None

    def _slot(self, scene: Scene, spot: Spot, stand: Stand, number: int = 0) -> tuple[Sight, ...]:
        self._readings[spot] = reading = read_stand(scene, stand, self._models, number=number)
        return (Sight(spot, reading.feet_mm[reading.best], loglik(reading.costs, self._models.cost_per_nat),
                      reading.turn_deg),)

    def _surely_empty(self, reading: Reading) -> bool:
        better = reading.costs[reading.best] - reading.costs[EMPTY]
        return better > 0.9 * CLEARLY_NATS * self._models.cost_per_nat

    def _beside_others(self, scene: Scene, sights: Mapping[Spot, Sight], stands: Mapping[Spot, Stand]
                       ) -> dict[Spot, Sight]:
        """New sights of slots that hold a drink, now that all drinks are known that stand around it."""
        numbers = {spot: number for number, spot in enumerate(stands, 1) if not is_empty(self._readings[spot])}
        for spot, number in numbers.items():
            draw(scene, number, self._readings[spot], self._models)
        again = {}
        for spot, number in numbers.items():
            known = self._memory.get(spot)
            if sights[spot].fresh and known is not None and scene.has_neighbours(known.box, number):
                again[spot], = self._slot(scene, spot, stands[spot], number)
                draw(scene, number, self._readings[spot], self._models)
                self._memory.correct(spot, (again[spot],))
        return again


def _stands(places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Mapping[Spot, Body]
            ) -> dict[Spot, Stand]:
    stands = {}
    for place in places:
        if place.on is not None and place.on in crates and place.spot in centres_mm:
            crate, centre = crates[place.on], np.array(centres_mm[place.spot])
            foot = np.array([*centre, place.floor_mm])
            stands[place.spot] = Stand(foot, crate.turn_deg, opening_mm(crate, centre), RIM_MM)
    return stands
