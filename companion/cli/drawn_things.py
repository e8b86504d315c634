"""What lies on a drawn table: pieces in the colours of their names, boards with their lines, tag cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.cli.cards_pdf import PATCHES
from companion.cli.drawn_table import TOP_PX_PER_MM, Colour, DrawnSolid
from companion.table import Body, Layout, Piece, PieceKind, Place, Point
from companion.table.tag_card import (
    MARKER_AT_MM, MARKER_CELLS, MARKER_MM, SHADE_FRAME_MM, SHADE_PATCH_MM, TAG_CARD_MM,
)
from vision.fiducials.tag_detection import marker_cells
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin
from vision.imaging.frame import Image
from web.draw.colours import ink_on
from web.draw.faces import face_paint, short_name

BOARD, LINE, PAPER = (170, 205, 222), (40, 60, 80), 224
"""Colours B G R; `PAPER` is the brightness of white paper, `BLACK` that of black."""
BLACK: Final = 20
LINE_MM: Final = 1.4
CARD_THICK_MM: Final = 0.3
RIM_SHARE: Final = 0.43
"""Radius of the ring on a round piece, by its width."""


def piece_solid(piece: Piece, kind: PieceKind, at_mm: Point, turn_deg: float, floor_mm: float) -> DrawnSolid:
    """A piece, in the colour that its name has, with the letters that boards write on it."""
    paint = face_paint(piece.name, kind, None)
    side = _bgr(paint)
    top = _blank(piece.size_mm, side)
    if piece.round:
        middle, radius = (top.shape[1] // 2, top.shape[0] // 2), round(RIM_SHARE * min(top.shape[:2]))
        cv2.circle(top, middle, radius, _bgr(ink_on(paint)), 2, cv2.LINE_AA)
    if kind.lettered:
        _write(top, short_name(piece.name), _bgr(ink_on(paint)))
    return DrawnSolid(top, _outline(piece), at_mm, turn_deg, floor_mm, piece.size_mm[2], side)


def board_top(body: Body, layout: Layout) -> Image:
    """A board's print: its lines, and the outlines of its places."""
    top = _blank(body.size_mm, BOARD)
    own = spin(-body.turn_deg)

    def to_px(points_mm: Sequence[Point]) -> npt.NDArray[np.int32]:
        across, up = ((np.array(points_mm) - body.at_mm) @ own.T).T
        centre_px = np.array(top.shape[1::-1]) / 2
        return np.rint(np.stack([across, -up], axis=1) * TOP_PX_PER_MM + centre_px).astype(np.int32)

    for line in layout.lines:
        cv2.polylines(top, [to_px(line)], False, LINE, round(LINE_MM * TOP_PX_PER_MM), cv2.LINE_AA)
    for place in layout.places:
        if place.on == body.spot:
            cv2.polylines(top, [to_px(_corners(place))], True, LINE, 2, cv2.LINE_AA)
    cv2.rectangle(top, (3, 3), (top.shape[1] - 4, top.shape[0] - 4), LINE, 2)
    return top


def _corners(place: Place) -> list[Point]:
    sides = {"rect": 4, "hex": 6, "round": 32}[place.outline]
    turn = np.arange(sides) * 2 * np.pi / sides + (np.pi / 4 if sides == 4 else 0.0)
    reach = np.sqrt(0.5) if sides == 4 else 0.5
    points = np.stack([np.cos(turn), np.sin(turn)], axis=1) * np.array(place.size_mm) * reach
    return [(float(x), float(y)) for x, y in points @ spin(place.turn_deg).T + place.at_mm]


def body_solid(body: Body, top: Image, at_mm: Point, turn_deg: float) -> DrawnSolid:
    """A board with its print."""
    wide, deep, height = body.size_mm
    return DrawnSolid(top, _rectangle(wide, deep), at_mm, turn_deg, 0.0, height, BOARD)


def card_solid(card: int, at_mm: Point) -> DrawnSolid:
    """A tag card with its marker's centre at a point."""
    wide, deep = TAG_CARD_MM
    top = _blank((wide, deep, 0.0), (PAPER, PAPER, PAPER))
    _square(top, *MARKER_AT_MM, MARKER_MM, 0.0)
    cell = MARKER_MM / MARKER_CELLS
    for row, column in np.argwhere(marker_cells(card)):
        _square(top, MARKER_AT_MM[0] - MARKER_MM / 2 + (column + 0.5) * cell,
                MARKER_AT_MM[1] + MARKER_MM / 2 - (row + 0.5) * cell, cell, 1.0)
    for x, y, shade in PATCHES:
        _square(top, x, y, SHADE_PATCH_MM + 2 * SHADE_FRAME_MM, 0.0)
        _square(top, x, y, SHADE_PATCH_MM, shade)
    middle = (at_mm[0] + wide / 2 - MARKER_AT_MM[0], at_mm[1] + deep / 2 - MARKER_AT_MM[1])
    return DrawnSolid(top, _rectangle(wide, deep), middle, 0.0, 0.0, CARD_THICK_MM, (PAPER, PAPER, PAPER))


def _square(top: Image, x_mm: float, y_mm: float, side_mm: float, shade: float) -> None:
    """A square around a point of a card, from the card's lower left corner."""
    half, middle = side_mm * TOP_PX_PER_MM / 2, (x_mm * TOP_PX_PER_MM, top.shape[0] - y_mm * TOP_PX_PER_MM)
    (x0, y0), (x1, y1) = [(round(middle[0] + way * half), round(middle[1] + way * half)) for way in (-1, 1)]
    top[y0:y1, x0:x1] = round(BLACK + shade * (PAPER - BLACK))


def _outline(piece: Piece) -> Floats:
    wide, deep = piece.size_mm[:2]
    if not piece.round:
        return _rectangle(wide, deep)
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return np.stack([np.cos(turn) * wide / 2, np.sin(turn) * deep / 2], axis=1)


def _rectangle(wide: float, deep: float) -> Floats:
    return np.asarray(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([wide, deep]) / 2, np.float64)


def _blank(size_mm: tuple[float, float, float], colour: Colour) -> Image:
    return np.full((round(size_mm[1] * TOP_PX_PER_MM), round(size_mm[0] * TOP_PX_PER_MM), 3), colour, np.uint8)


def _write(top: Image, text: str, colour: Colour) -> None:
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 2)
    scale = 0.5 * min(top.shape[:2]) / max(wide, high, 1)
    at = (round((top.shape[1] - scale * wide) / 2), round((top.shape[0] + scale * high) / 2))
    cv2.putText(top, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, max(1, round(4 * scale)), cv2.LINE_AA)


def _bgr(paint: str) -> Colour:
    """`#RRGGBB` as B G R, as bright as paint on paper is."""
    red, green, blue = (round(int(paint[at:at + 2], 16) * PAPER / 255) for at in (1, 3, 5))
    return blue, green, red

