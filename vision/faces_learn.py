"""Learning faces from pictures in which pieces were laid out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.table import Appearance, Piece, Point
from vision.camera import Floats
from vision.faces import PX_PER_MM, Face
from vision.scene import Scene, spin
from vision.solids import box_around

EDGE_MM = 1.0
"""A face's raster shows so much around the piece."""


@dataclass(frozen=True, slots=True)
class LaidFace:
    """A piece laid out: the centre of its foot in the table frame (mm), its turn in degrees, `floor_mm` under it."""

    piece: Piece
    at_mm: Point
    turn_deg: float
    floor_mm: float = 0.0


def learn_faces(pictures: Iterable[tuple[Scene, Iterable[LaidFace]]]) -> dict[Appearance, Face]:
    """The faces of all pieces laid out, each as the first picture shows it."""
    faces: dict[Appearance, Face] = {}
    for scene, pieces in pictures:
        for laid in pieces:
            if laid.piece.name not in faces:
                faces[laid.piece.name] = learn_face(scene, laid)
    return faces


def learn_face(scene: Scene, laid: LaidFace) -> Face:
    """The face of one piece as a picture shows it at its height."""
    x, y, height = laid.piece.size_mm
    half = np.array([np.ceil((size / 2 + EDGE_MM) * PX_PER_MM) for size in (x, y)])
    rows, columns = int(2 * half[1] + 1), int(2 * half[0] + 1)
    map_px = _to_picture(scene, laid, rows, columns, laid.floor_mm + height)
    box = box_around(map_px, 2)
    own = (map_px - (box.left, box.top)).astype(np.float32)
    colours = cv2.remap(scene.seen(box), own[..., 0].copy(), own[..., 1].copy(), cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)
    return Face(laid.piece, np.asarray(colours, np.float16).astype(np.float32))


def _to_picture(scene: Scene, laid: LaidFace, rows: int, columns: int, height_mm: float) -> Floats:
    """Where in the picture (rows, columns, 2) each pixel of a face's raster is seen."""
    across = (np.arange(columns) - (columns - 1) / 2) / PX_PER_MM
    up = ((rows - 1) / 2 - np.arange(rows)) / PX_PER_MM
    own = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    at = own @ spin(laid.turn_deg).T + laid.at_mm
    return scene.view.project_at(at, height_mm).reshape(rows, columns, 2)
