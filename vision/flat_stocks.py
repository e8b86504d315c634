"""Zones in which flat pieces lie on the bare table: read again when something in them changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from companion.table import Sight, Zone
from vision.camera import Floats
from vision.faces import Face, Faces
from vision.flat_zones import find_flat
from vision.memory import Memory
from vision.scene import Scene
from vision.solids import box_around
from vision.zones import grow

AROUND_MM = 4.0
"""So far around a zone a change makes it be read again."""

PILED: Mapping[str, int] = {"spread": 1, "alike": 5, "pile": 12}
"""How many pieces may lie on one another, by how a zone is heaped."""


class FlatStocks:
    """Reads one table's zones of flat pieces."""

    def __init__(self, faces: Faces, memory: Memory) -> None:
        self._faces, self._memory = faces, memory

    def read(self, scene: Scene, zone: Zone, corners_mm: Floats) -> tuple[Sight, ...]:
        """One sight for each piece, or top of a pile, in a zone given by its corners (4, 2) in the table frame."""
        faces = tuple(face for face in self._faces.values() if face.piece.kind in zone.kinds)
        if not faces:
            return ()
        around = grow(corners_mm, AROUND_MM)
        box = box_around(scene.view.project_at(around, 0.0), 0)
        return self._memory.read(scene, zone.spot, box, partial(_find, scene, zone, corners_mm, faces))


def _find(scene: Scene, zone: Zone, corners_mm: Floats, faces: tuple[Face, ...]) -> tuple[Sight, ...]:
    rise_mm = (PILED[zone.heap] - 1) * max(face.piece.size_mm[2] for face in faces)
    corners = [(float(x), float(y)) for x, y in np.asarray(corners_mm)]
    found = find_flat(scene, corners, 0.0, faces, rise_mm)
    return tuple(Sight(zone.spot, reading.at_mm, reading.loglik, reading.turn_deg) for reading in found)
