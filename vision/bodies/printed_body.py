"""Bodies with a printed top on one table: located near their expected pose, or anywhere, then watched for nudges."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import SightError, phrase
from companion.table import Body
from vision.bodies.print_features import anywhere
from vision.bodies.print_model import Print
from vision.bodies.print_registration import PrintRegistration, coarse_pose, register_print, still_there
from vision.imaging.box import box_around
from vision.imaging.footprints import outline_mm
from vision.imaging.pose import pose_of
from vision.scene.change_detection import touched
from vision.scene.reading_cache import CachedReading, cached
from vision.scene.scene import Scene

PRINT_REACH_MM = 16.0
"""Zones are good to about 10 mm, and a layout is not laid out to the millimetre."""

PRINT_NUDGE_MM = 0.3
"""A print that moved by more than this was nudged."""

CHECK_EVERY = 4
"""Bodies smaller than a board are checked in turn, each at one look in this many; pieces on them are located by
themselves."""


class PrintedBody:
    """One body with a print. `expected` is the body with its pose by the layout, in the table frame."""

    def __init__(self, known: Print, expected: Body, number: int = 0) -> None:
        self._print, self._expected, self._looks = known, expected, number
        self._fit: PrintRegistration | None = None
        self._lost: CachedReading | None = None

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The body with its pose, and whether that changed since the last look.

        Raises `SightError` when a board cannot be found. Anything smaller is then taken to be covered, at its last pose
        or at its expected one.
        """
        before = self._fit
        self._looks += 1
        if self._is_in_doubt(scene) and not self._is_covered_as_before(scene):
            near = None if before is None else register_print(scene.picture, self._print, before.pose)
            self._fit = near or self._search(scene) or before
            self._lost = self._look(scene) if self._fit is before else None
        body = self._expected if self._fit is None else self._at(self._fit)
        return (body,), self._fit is not before

    def clear(self) -> None:
        """The camera moved: poses in millimetres remain valid, what was kept of pictures does not."""
        self._lost = None

    def _is_in_doubt(self, scene: Scene) -> bool:
        """Whether its pose may have changed, by a check of a few patches."""
        if self._fit is None:
            return True
        if not self._print.is_large and self._looks % CHECK_EVERY:
            return False
        moved_mm = still_there(scene.picture, self._print, self._fit)
        return moved_mm is None or moved_mm > PRINT_NUDGE_MM

    def _is_covered_as_before(self, scene: Scene) -> bool:
        """Whether its area is unchanged since it could not be found: what covers it still lies there."""
        return self._lost is not None and not touched(self._lost.seen(), scene.seen(self._lost.box))

    def _look(self, scene: Scene) -> CachedReading:
        """How it looks now."""
        body = self._expected if self._fit is None else self._at(self._fit)
        box = box_around(scene.view.project_at(outline_mm(body), self._print.height_mm), 0)
        return cached(box, scene.seen(box))

    def _at(self, fit: PrintRegistration) -> Body:
        return replace(self._expected, at_mm=fit.pose.at_mm, turn_deg=fit.pose.turn_deg)

    def _search(self, scene: Scene) -> PrintRegistration | None:
        """Search near its expected pose, then anywhere if it is a board."""
        near = coarse_pose(scene.picture, self._print, pose_of(self._expected), PRINT_REACH_MM)
        fit = register_print(scene.picture, self._print, near)
        if fit is None and self._print.is_large:
            found = anywhere(scene.picture, self._print)
            fit = None if found is None else register_print(scene.picture, self._print, found)
            if fit is None:
                raise SightError(phrase("eyes.no_board"))
        return fit
