"""Zones of flat pieces on the bare table: read again when something in them changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from companion.table import Sight, Spot, Zone
from vision.faces.face_reading import FaceReading
from vision.faces.place_sights import core_box
from vision.faces.templates import Face, Faces
from vision.faces.zone_detector import find_faces
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around, grow
from vision.photometry.background_model import Lab
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene
from vision.scene.zone_margins import WATCH_MARGIN_MM

MAX_PILE_HEIGHTS: Mapping[str, int] = {"spread": 1, "alike": 5, "pile": 12}
"""The most pieces that may lie on one another, by how a zone is heaped."""


@dataclass(frozen=True, slots=True, eq=False)
class _LyingFace:
    """A piece that was read: its reading and sight, and what its middle looked like then (h, w, 3), in a box."""

    reading: FaceReading
    box: Box
    seen: Lab
    sight: Sight


class FaceZones:
    """Reads one table's zones of flat pieces."""

    def __init__(self, faces: Faces, memory: ReadingCache) -> None:
        self.faces, self._memory = faces, memory
        self._lying: dict[Spot, list[_LyingFace]] = {}

    def read(self, scene: Scene, zone: Zone, corners_mm: Floats) -> tuple[Sight, ...]:
        """One sight for each piece, or top of a pile, in a zone given by its corners (4, 2) in the table frame (mm)."""
        faces = tuple(face for face in self.faces.values() if face.piece.kind in zone.kinds)
        if not faces:
            return ()
        around = grow(corners_mm, WATCH_MARGIN_MM)
        box = box_around(scene.view.project_at(around, 0.0), 0)
        return self._memory.read(scene, zone.spot, box, partial(self._find, scene, zone, corners_mm, faces))

    def camera_moved(self) -> None:
        """Forget what the pieces looked like: the view is another one."""
        self._lying.clear()

    def _find(self, scene: Scene, zone: Zone, corners_mm: Floats, faces: tuple[Face, ...]) -> tuple[Sight, ...]:
        """The sights of a zone: what is new is read, what did not change keeps its reading."""
        kept = [replace(each, sight=replace(each.sight, fresh=False)) for each in self._lying.get(zone.spot, ())
                if not self._memory.noise.touched(each.seen, scene.seen(each.box))]
        rise_mm = (MAX_PILE_HEIGHTS[zone.heap] - 1) * max(face.piece.size_mm[2] for face in faces)
        corners = [(float(x), float(y)) for x, y in corners_mm]
        new = find_faces(scene, corners, faces, rise_mm, [each.reading for each in kept])
        lying = kept + [_lying(scene, zone.spot, reading, faces) for reading in new]
        self._lying[zone.spot] = lying
        return tuple(each.sight for each in lying)


def _lying(scene: Scene, spot: Spot, reading: FaceReading, faces: tuple[Face, ...]) -> _LyingFace:
    face = next(face for face in faces if face.piece.name == reading.best)
    box = core_box(scene, reading.at_mm, 0.0, (face,))
    return _LyingFace(reading, box, scene.seen(box).copy(),
                      Sight(spot, reading.at_mm, reading.loglik, reading.turn_deg, folds=reading.folds))
