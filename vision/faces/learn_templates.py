"""Learning faces from pictures in which pieces were laid out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from companion.table import Appearance
from vision.faces.outline_registration import LaidFace, locate_by_outline
from vision.faces.templates import PX_PER_MM, Face
from vision.imaging.arrays import Floats
from vision.imaging.box import box_around
from vision.imaging.camera import spin
from vision.scene.scene import Scene

EDGE_MM = 1.0
"""Margin of a face's raster around the piece."""

MIN_CORRECTION_MM, MIN_CORRECTION_DEG = 2.1, 2.5
"""A piece whose measured pose differs by less from the asked one is taken to lie there."""

ALIKE_MM, ALIKE_SHARE, MIN_ALIKE = 1.0, 1 / 3, 5
"""Pieces that are off by the same vector, to so many mm, and how many of a picture must be for it to be the light's
doing: of 15 that are laid to 3 mm, five are so once in a thousand times."""

BOARD_MIN_MM = 100.0
"""A board this large lies at the pose at which its print was registered."""


def learn_faces(pictures: Iterable[tuple[Scene, Iterable[LaidFace]]]) -> dict[Appearance, Face]:
    """The faces of all pieces laid out, each from the first picture that shows it. They lie within some mm of the asked
    pose, about which each is located."""
    faces: dict[Appearance, Face] = {}
    for scene, pieces in pictures:
        new = [laid for laid in pieces if laid.piece.name not in faces]
        for laid in _where(scene, new):
            if laid.piece.name not in faces:
                faces[laid.piece.name] = learn_face(scene, laid)
    return faces


def _where(scene: Scene, laid: Sequence[LaidFace]) -> list[LaidFace]:
    """The pieces of a picture at the asked poses, but for those that clearly lie elsewhere: the registration of an
    outline is less accurate than careful hands."""
    found = [each if max(each.piece.size_mm[:2]) > BOARD_MIN_MM else locate_by_outline(scene, each) for each in laid]
    off = np.array([np.subtract(there.at_mm, asked.at_mm) for there, asked in zip(found, laid)]).reshape(-1, 2)
    return [asked if _lies_as_asked(off[number], off, there.turn_deg - asked.turn_deg) else there
            for number, (there, asked) in enumerate(zip(found, laid))]


def _lies_as_asked(own: Floats, all_off: Floats, turned_deg: float) -> bool:
    """Whether a piece lies where it was asked for, though it was measured `own` (2,) mm beside it. What many pieces of
    a picture (n, 2) have in common comes from the light: hands lay each piece on its own, shadows all lie alike."""
    if abs(turned_deg) >= MIN_CORRECTION_DEG:
        return False
    alike = int((np.hypot(*(all_off - own).T) < ALIKE_MM).sum())
    return float(np.hypot(*own)) < MIN_CORRECTION_MM or alike >= max(MIN_ALIKE, ALIKE_SHARE * len(all_off))


def learn_face(scene: Scene, laid: LaidFace) -> Face:
    """The face of one piece, rectified from a picture at the height of its top."""
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
    """The pixel of the picture (rows, columns, 2) for each pixel of a face's raster."""
    across = (np.arange(columns) - (columns - 1) / 2) / PX_PER_MM
    up = ((rows - 1) / 2 - np.arange(rows)) / PX_PER_MM
    own = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    at = own @ spin(laid.turn_deg).T + laid.at_mm
    return scene.view.project_at(at, height_mm).reshape(rows, columns, 2)
