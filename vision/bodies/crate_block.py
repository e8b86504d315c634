"""Crates that stand as one block: located together once, then each watched for nudges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.table import Body
from companion.table.crate import RIM_MM
from vision.bodies.crate_fit import FittedBody, fit_crates, refit_crates
from vision.bodies.crate_look import CrateLook
from vision.imaging.box import box_around
from vision.imaging.footprints import BLOCK_MM, outline_mm
from vision.scene.change_detection import change_map
from vision.scene.reading_cache import CachedReading, cached
from vision.scene.scene import Scene

STIRRED, STIRRED_PERCENTILE = 3.5, 75
"""A crate is measured again when the change at this percentile of its rims' pixels exceeds `STIRRED`: a nudge moves at
least two sides."""

CRATE_NUDGE_MM, CRATE_NUDGE_DEG = 0.4, 0.6
"""A crate whose fitted pose changed by more than this was nudged; a smaller change is noise."""

CRATE_MARGIN_PX = 6
"""The margin around crates in the part of the picture that is opened for them."""


class CrateBlock:
    """Measures one table's block of crates. `expected` are they with their poses by the layout, in the table frame."""

    def __init__(self, look: CrateLook, expected: Sequence[Body]) -> None:
        self._look, self._expected = look, tuple(expected)
        self._fitted: tuple[FittedBody, ...] = ()
        self._rims: dict[str, CachedReading] = {}
        self._looks = 0

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The crates with their poses in the table frame, and whether any pose changed since the last look.

        Raises `SightError` while they have never been found.
        """
        self._looks += 1
        first = not self._fitted
        if first:
            self._fitted = fit_crates(scene.picture, self._look, self._expected)
        standing = self._standing()
        open_crates(scene, standing)
        in_turn = self._expected[self._looks % len(self._expected)].spot
        stirred = [crate for crate in standing if self._stirred(scene, crate) or crate.spot == in_turn]
        if first or not stirred:
            return standing, first
        fitted = {each.spot: each for each in refit_crates(scene.picture, self._look, stirred, self._fitted)}
        before = self._fitted
        self._fitted = tuple(steady(old, fitted[old.spot]) if old.spot in fitted else old for old in before)
        return self._standing(), self._fitted != before

    def clear(self) -> None:
        """The camera moved: rims cannot be compared with earlier ones."""
        self._rims.clear()

    def _stirred(self, scene: Scene, crate: Body) -> bool:
        """Whether a crate's rims changed since it was measured last."""
        corners = scene.view.project_at(outline_mm(crate), RIM_MM)
        box = box_around(corners, 3)
        seen, before = scene.seen(box), self._rims.get(crate.spot)
        if before is not None and before.box == box:
            change = change_map(before.seen(), seen, STIRRED, scene.trust)
            rims = np.zeros(change.shape, np.uint8)
            cv2.polylines(rims, [np.rint(corners - (box.left + 1, box.top + 1)).astype(np.int32)], True, 1, 3)
            if np.percentile(change[rims > 0], STIRRED_PERCENTILE) <= STIRRED:
                return False
        self._rims[crate.spot] = cached(box, seen)
        return True

    def _standing(self) -> tuple[Body, ...]:
        return tuple(replace(body, at_mm=each.at_mm, turn_deg=each.turn_deg)
                     for each, body in zip(self._fitted, self._expected))


def open_crates(scene: Scene, crates: Sequence[Body]) -> None:
    """Open the part of a picture in which crates with these poses are seen."""
    corners = np.concatenate([outline_mm(crate) for crate in crates])
    scene.open(box_around(np.concatenate([scene.view.project_at(corners, height) for height in (0.0, BLOCK_MM)]),
                          CRATE_MARGIN_PX))


def steady(old: FittedBody, new: FittedBody) -> FittedBody:
    """The old pose unless the crate was nudged: noise of the fit must not change the readings."""
    off_mm = float(np.hypot(old.at_mm[0] - new.at_mm[0], old.at_mm[1] - new.at_mm[1]))
    return new if off_mm > CRATE_NUDGE_MM or abs(old.turn_deg - new.turn_deg) > CRATE_NUDGE_DEG else old
