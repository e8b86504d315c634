"""What was read of a part of the picture, kept for as long as it looks the same."""

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
from vision.scene.change_detection import touched
from vision.scene.scene import Scene

SUMMARY_WH, MAX_SUMMARY_CHANGE = (16, 24), 5.0
"""The width and height of a summary; what is summed up changed when one of its values did by more than this."""

STEPS_PER_GREY = 64
"""Steps in which one grey value is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedReading:
    """An earlier reading of a place or a zone: the part of the picture, how it looked (h, w, 3; in parts of a grey
    value, `STEPS_PER_GREY` to one, which takes half the memory), and what was read."""

    box: Box
    looked: npt.NDArray[np.int16]
    sights: tuple[Sight, ...]

    def seen(self, part: tuple[slice, slice] = np.s_[:, :]) -> Lab:
        """How it, or some rows and columns of it, looked."""
        return np.asarray(self.looked[part] * np.float32(1 / STEPS_PER_GREY), np.float32)


def cached(box: Box, seen: Lab, sights: tuple[Sight, ...] = ()) -> CachedReading:
    """To be kept: a part of the picture that looks so now, and what was read there."""
    return CachedReading(box, np.rint(seen * np.float32(STEPS_PER_GREY)).astype(np.int16), sights)


def summarise(scene: Scene, box: Box) -> Lab:
    """How a box looks, in a few values: enough to notice a nudge, and quick."""
    return np.asarray(cv2.resize(scene.seen(box), SUMMARY_WH, interpolation=cv2.INTER_AREA) * METRIC, np.float32)


def summary_changed(before: Lab, now: Lab) -> bool:
    """Whether some part of what was summed up looks different."""
    return bool(np.abs(now - before).max() > MAX_SUMMARY_CHANGE)


class ReadingCache:
    """The earlier readings of one table, by spot. Boxes are only comparable while the camera stands still."""

    def __init__(self) -> None:
        self._known: dict[Spot, CachedReading] = {}

    def get(self, spot: Spot) -> CachedReading | None:
        """The last reading of a spot."""
        return self._known.get(spot)

    def read(self, scene: Scene, spot: Spot, box: Box, read: Callable[[], tuple[Sight, ...]]) -> tuple[Sight, ...]:
        """The earlier reading where nothing changed in a box, else a new one."""
        sights = self.recall(scene, spot, box)
        if sights is None:
            sights = read()
            self.keep(scene, spot, box, sights)
        return sights

    def recall(self, scene: Scene, spot: Spot, box: Box) -> tuple[Sight, ...] | None:
        """The earlier reading of a spot; None where something changed in its box."""
        seen, before = scene.seen(box), self._known.get(spot)
        if before is None or before.looked.shape != seen.shape or touched(before.seen(), seen):
            return None
        return tuple(replace(sight, fresh=False) for sight in before.sights)

    def keep(self, scene: Scene, spot: Spot, box: Box, sights: tuple[Sight, ...]) -> None:
        """A spot was read in this look."""
        self._known[spot] = cached(box, scene.seen(box), sights)

    def watch(self, scene: Scene, spot: Spot, box: Box) -> None:
        """From now on another box tells whether a spot that was read in this look changed."""
        self._known[spot] = cached(box, scene.seen(box), self._known[spot].sights)

    def drop(self, spot: Spot) -> None:
        """A spot is to be read anew."""
        self._known.pop(spot, None)

    def clear(self) -> None:
        """The camera was moved: everything is to be read anew."""
        self._known.clear()
