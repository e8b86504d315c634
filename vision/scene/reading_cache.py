"""A cache of readings: what was read of a part of the picture is kept until that part changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Sight, Spot
from vision.imaging.box import Box
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC
from vision.scene.change_detection import NoiseLevel
from vision.scene.scene import Scene

SUMMARY_WH, MAX_SUMMARY_CHANGE = (16, 24), 5.0
"""The width and height in px of a summary (a thumbnail), and the change of one of its values that counts."""

STEPS_PER_GREY = 64
"""Fixed-point steps of one grey value."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedReading:
    """An earlier reading of a place or a zone: the box, what it looked like (h, w, 3; fixed point, `STEPS_PER_GREY` to
    a grey value, which takes half the memory), and the sights."""

    box: Box
    looked: npt.NDArray[np.int16]
    sights: tuple[Sight, ...]

    def seen(self, part: tuple[slice, slice] = np.s_[:, :]) -> Lab:
        """What the box, or some rows and columns of it, looked like."""
        return np.asarray(self.looked[part] * np.float32(1 / STEPS_PER_GREY), np.float32)


def cached(box: Box, seen: Lab, sights: tuple[Sight, ...] = ()) -> CachedReading:
    """An entry for the cache: a box, what it looks like now (h, w, 3), and what was read there."""
    return CachedReading(box, np.rint(seen * np.float32(STEPS_PER_GREY)).astype(np.int16), sights)


def summarise(scene: Scene, box: Box) -> Lab:
    """A thumbnail of a box, each channel weighted by the trust in it: enough to notice a nudge, and fast."""
    small = cv2.resize(scene.seen(box), SUMMARY_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(small * (METRIC * np.array(scene.trust, np.float32)), np.float32)


def summary_changed(before: Lab, now: Lab) -> bool:
    """Whether some value of a thumbnail changed."""
    return bool(np.abs(now - before).max() > MAX_SUMMARY_CHANGE)


class ReadingCache:
    """The earlier readings of one table, by spot. Boxes are only comparable while the camera does not move."""

    def __init__(self) -> None:
        self._known: dict[Spot, CachedReading] = {}
        self.noise = NoiseLevel()

    def get(self, spot: Spot) -> CachedReading | None:
        """The last reading of a spot."""
        return self._known.get(spot)

    def read(self, scene: Scene, spot: Spot, box: Box, read: Callable[[], tuple[Sight, ...]]) -> tuple[Sight, ...]:
        """The earlier reading if nothing changed in a box, else a new one."""
        sights = self.recall(scene, spot, box)
        if sights is None:
            sights = read()
            self.keep(scene, spot, box, sights)
        return sights

    def recall(self, scene: Scene, spot: Spot, box: Box) -> tuple[Sight, ...] | None:
        """The earlier reading of a spot, no longer `fresh`; None if something changed in its box by more than noise."""
        return self.kept(spot) if self.changed(scene, spot, box) <= 1.0 else None

    def kept(self, spot: Spot) -> tuple[Sight, ...]:
        """The earlier reading of a spot, no longer `fresh`."""
        return tuple(replace(sight, fresh=False) for sight in self._known[spot].sights)

    def changed(self, scene: Scene, spot: Spot, box: Box, least: float = 1.0) -> float:
        """By how much a box changed since a spot was read, as a share of what noise may change: closely where that is
        more than `least`. Infinite where it was not read, or from another box."""
        seen, before = scene.seen(box), self._known.get(spot)
        if before is None or before.looked.shape != seen.shape:
            return np.inf
        return self.noise.changed(before.seen(), seen, least)

    def keep(self, scene: Scene, spot: Spot, box: Box, sights: tuple[Sight, ...]) -> None:
        """Keep the reading of a spot in this look."""
        self._known[spot] = cached(box, scene.seen(box), sights)

    def watch(self, scene: Scene, spot: Spot, box: Box) -> None:
        """Watch another box for changes of a spot that was read in this look."""
        self._known[spot] = cached(box, scene.seen(box), self._known[spot].sights)

    def clear(self) -> None:
        """Forget all readings, as when the camera moved."""
        self._known.clear()
