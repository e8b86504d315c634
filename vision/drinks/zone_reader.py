"""Zones of drinks on the bare table: what is new is read, what did not change keeps its reading."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from companion.table import Point, Sight, Spot
from vision.drinks.drawing import outline_px
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.shadow_evidence import read_shadows
from vision.drinks.zone_changes import ZoneChanges
from vision.drinks.zone_detector import read_zone
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around, grow
from vision.imaging.camera import View
from vision.scene.reading_cache import CachedReading, ReadingCache
from vision.scene.scene import Scene
from vision.scene.zone_margins import WATCH_MARGIN_MM

WATCH_HEIGHT_MM = 12.0
"""A zone is read again when something changed up to this height above it."""


class DrinkZones:
    """Reads one table's zones of drinks. `models`: those of drinks on the open table."""

    def __init__(self, models: Models, cache: ReadingCache) -> None:
        self.models, self._cache = models, cache
        self._standing: dict[Spot, list[tuple[DrinkReading, Sight]]] = {}

    def read(self, scene: Scene, spot: Spot, corners_mm: Floats) -> tuple[Sight, ...]:
        """One sight for each drink in a zone, given by its corners (4, 2) in the table frame (mm)."""
        box = _watched_box(scene.view, tuple((float(x), float(y)) for x, y in corners_mm))
        scene.open(box)
        return self._cache.read(scene, spot, box, partial(self._zone, scene, spot, corners_mm, box))

    def _zone(self, scene: Scene, spot: Spot, corners_mm: Floats, box: Box) -> tuple[Sight, ...]:
        before = self._standing.get(spot, ())
        kept = [(reading, sight) for reading, sight in before if not self._touched(scene, spot, box, reading)]
        stood_mm = [reading.at_mm for reading, _ in before]
        corners, standing = [(float(x), float(y)) for x, y in corners_mm], [reading for reading, _ in kept]
        new = read_zone(scene, corners, self.models, standing, stood_mm, self._changes(scene, spot, box))
        new = read_shadows(scene, standing, new, self.models)
        sights = [(reading, replace(sight, fresh=False)) for reading, sight in kept]
        sights += [(reading, self._sight(spot, reading)) for reading in new]
        self._standing[spot] = sights
        return tuple(sight for _, sight in sights)

    def _touched(self, scene: Scene, spot: Spot, box: Box, reading: DrinkReading) -> bool:
        """Whether the bounding box of a drink's silhouette changed since the zone was read, or is not known."""
        known = self._before(spot, box)
        if known is None:
            return True
        outline = outline_px(scene.view, reading, self.models)
        low, high = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int)
        if low[0] < box.left or low[1] < box.top or high[0] >= box.left + box.width or high[1] >= box.top + box.height:
            return True
        part = (slice(low[1] - box.top, high[1] - box.top), slice(low[0] - box.left, high[0] - box.left))
        return self._cache.noise.touched(known.seen(part), scene.seen(box)[part])

    def _changes(self, scene: Scene, spot: Spot, box: Box) -> ZoneChanges | None:
        """Where a zone changed since it was read; None if it was not, or seen in another box."""
        known = self._before(spot, box)
        return None if known is None else ZoneChanges(box, self._cache.noise.stirred(known.seen(), scene.seen(box)))

    def _before(self, spot: Spot, box: Box) -> CachedReading | None:
        """How a zone looked when it was read, if it was seen in the same box."""
        known = self._cache.get(spot)
        return known if known is not None and known.box == box else None

    def _sight(self, spot: Spot, reading: DrinkReading) -> Sight:
        return Sight(spot, reading.at_mm, self.models.loglik(reading), reading.turn_deg,
                     feet_mm=reading.feet_mm)


@lru_cache(maxsize=32)  # a zone stays where it is from look to look
def _watched_box(view: View, corners_mm: tuple[Point, ...]) -> Box:
    """The part of the picture in which a change makes a zone be read again."""
    around = grow(np.array(corners_mm), WATCH_MARGIN_MM)
    return box_around(np.concatenate([view.project_at(around, height) for height in (0.0, WATCH_HEIGHT_MM)]), 0)
