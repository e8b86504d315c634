"""Detection of flat pieces in zones of bare table: foreground is segmented, then the faces are read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.table import Point
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite, lean_mm
from vision.faces.flat_surface import BareTable
from vision.faces.outline_search import NOT_COVERED, OutlinePlace, best_place, kernels_of, stamp_out
from vision.faces.templates import Face
from vision.faces.zone_mask import ZoneMask, make_zone_mask
from vision.imaging.arrays import Floats
from vision.imaging.box import grow
from vision.scene.scene import Scene
from vision.scene.zone_margins import ZONE_TOLERANCE_MM

MAX_BEHIND_EMPTY_NATS = 4.0
"""A detection that is less likely than `EMPTY` by more than this is dropped."""

CERTAIN_NATS, APART = 3.0, 0.95
"""A detection that is likelier than `EMPTY` by more is certain. Less likely ones are no nearer to it than this share of
both radii; of certain ones the radii of what is within their outlines count, for cards lie side by side."""

SHARPLY_OUTLINED = 0.85
"""What only is lighter or darker than the table may be a shadow, but hardly one has the outline of a piece with the
table in full light all around: so much more of it there must be within than beside (`outline_search.Kernel`). And it
must be certain."""

MAX_MISFIT = 55.0
"""A detection with a larger misfit is something else: a hand's shadow, a cup, a drink."""


def find_faces(scene: Scene, corners_mm: Sequence[Point], candidates: Sequence[Face], rise_mm: float = 0.0,
               kept: Sequence[FaceReading] = ()) -> list[FaceReading]:
    """All flat pieces in a zone of bare table, given by its corners in the table frame (mm). Where pieces may be piled,
    up to `rise_mm` high, the top of each pile is read, its centre as if it lay on the table. Pieces whose centre is
    within the zone's tolerance belong to it; what is `kept` from an earlier look is not looked for again."""
    zone = grow(np.array(corners_mm, np.float64), ZONE_TOLERANCE_MM)
    height = min(face.piece.size_mm[2] for face in candidates)
    lean = max(lean_mm(scene.view, (x, y), height, rise_mm) for x, y in zone)
    mask = make_zone_mask(scene, zone, height, max(face.radius_mm for face in candidates) + lean)
    outlines = dict.fromkeys(face.outline for face in candidates)
    kernels = [kernel for outline in outlines for kernel in kernels_of(outline)]
    for old in kept:
        _erase(mask, old, candidates)
    readings: list[FaceReading] = []
    for cells, least_worth, least_nats in ((mask.differs, NOT_COVERED, -MAX_BEHIND_EMPTY_NATS),
                                           (mask.stands_out, SHARPLY_OUTLINED, CERTAIN_NATS)):
        while (place := best_place(cells, kernels, least_worth)) is not None:
            reading = _read(scene, mask, place, candidates, grow(zone, lean), least_nats)
            before = np.count_nonzero(cells)
            if reading is not None:
                readings.append(reading)
                _erase(mask, reading, candidates)
            if np.count_nonzero(cells) == before:
                stamp_out(cells, place)
    faces = {face.piece.name: face for face in candidates}
    return [each for each in _beside_each_other(readings, kept, faces) if _inside(each.at_mm, zone)]


def _beside_each_other(readings: Sequence[FaceReading], kept: Sequence[FaceReading], faces: Mapping[str, Face]
                       ) -> list[FaceReading]:
    """The readings without those that overlap what is likelier and lies there for certain, or are hardly likelier than
    `EMPTY` beside it: the side and the shadow of a pile."""
    def behind(each: FaceReading, other: FaceReading) -> bool:
        is_certain = each.over_empty_nats > CERTAIN_NATS
        least_mm = sum(min(faces[one.best].piece.size_mm[:2]) / 2 if is_certain else faces[one.best].radius_mm
                       for one in (each, other))
        return (other.over_empty_nats > max(CERTAIN_NATS, each.over_empty_nats)
                and math.dist(each.at_mm, other.at_mm) < APART * least_mm)
    return [each for each in readings if not any(behind(each, other) for other in (*kept, *readings))]


def _read(scene: Scene, mask: ZoneMask, place: OutlinePlace, candidates: Sequence[Face], within: Floats,
          least_nats: float) -> FaceReading | None:
    """The face that lies at a place; None where none is by so many nats likelier than `EMPTY`, or where it is not
    `within` corners (4, 2)."""
    x, y = mask.points(place.cells[:1])[0]
    if not _inside((x, y), within):
        return None
    site = FaceSite((x, y), 0.0, ground=BareTable(), around_mm=mask.points(place.cells))
    reading = read_face(scene, site, candidates)
    return reading if reading.over_empty_nats > least_nats and reading.misfit < MAX_MISFIT else None


def _erase(mask: ZoneMask, reading: FaceReading, candidates: Sequence[Face]) -> None:
    """Erase a piece that was read from the mask."""
    outline = next(face.outline for face in candidates if face.piece.name == reading.best)
    mask.erase(outline, reading.at_mm, reading.fits[reading.best].lies_deg)


def _inside(point: Point, corners: Floats) -> bool:
    return bool(cv2.pointPolygonTest(corners.astype(np.float32).reshape(-1, 1, 2), point, False) >= 0)
