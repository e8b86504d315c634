"""The live picture with the outlines of what is asked for: people push each piece into its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np

from companion.enrolling.laid_things import numbers_of
from companion.table import Body, Piece
from vision.enrolment.placement_plan import PlannedPicture
from vision.imaging.camera import View
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import Image
from vision.overlay.bitmap_font import LETTER_PX, draw_text
from vision.overlay.overlay import DOUBT_BGR, EDGE_BGR, FOUND_BGR, SURE_BGR

ROUND_CORNERS = 24
"""Corners of the outline of something round."""


def draw_asked(
    image: Image, width: int, view: View | None, asked: tuple[PlannedPicture, Mapping[str, Piece]],
    lacking: Collection[int] | None,
) -> Image:
    """A scaled copy of `image` (h, w, 3) B G R, `width` pixels wide, with each thing of the picture `asked` for (and
    the sizes of all pieces) outlined and numbered where it belongs; without a `view` the bare picture. `lacking` are
    the numbers of those that do not lie there, None: nobody has looked yet."""
    scale = width / image.shape[1]
    drawn = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if view is None:
        return drawn
    picture, sizes = asked
    for laid, number in numbers_of(picture, sizes).items():
        paint = SURE_BGR if lacking is None else DOUBT_BGR if number in lacking else FOUND_BGR
        piece = sizes[laid.appearance]
        corners = _ring_mm(piece, laid.at_mm) if piece.round else outline_mm(
            Body("", "", laid.at_mm, piece.size_mm, laid.turn_deg))
        px = np.round(view.project_at(corners, 0.0) * scale).astype(np.int32)
        for colour, wide in ((EDGE_BGR, 3), (paint, 1)):
            cv2.polylines(drawn, [px.reshape(-1, 1, 2)], True, colour, wide, cv2.LINE_AA)
        x, y = px.mean(axis=0).astype(int).tolist()
        draw_text(drawn, str(number), (x - 3 * len(str(number)), y + LETTER_PX // 2), paint, EDGE_BGR)
    return drawn


def _ring_mm(piece: Piece, at_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Points around a round piece."""
    turns = np.linspace(0, 2 * np.pi, ROUND_CORNERS, endpoint=False)
    return [(at_mm[0] + float(np.cos(turn)) * piece.size_mm[0] / 2,
             at_mm[1] + float(np.sin(turn)) * piece.size_mm[1] / 2) for turn in turns]
