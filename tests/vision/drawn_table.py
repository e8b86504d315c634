"""A table with its four tag cards, drawn as a camera above it sees it: for what happens between pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np

from companion.table import Point
from companion.table.tag_card import (
    BLACK_AT_MM,
    GREY_AT_MM,
    MARKER_AT_MM,
    MARKER_CELLS,
    MARKER_MM,
    SHADE_FRAME_MM,
    SHADE_PATCH_MM,
    TAG_CARD_MM,
    WHITE_AT_MM,
)
from vision.enrolment.picture_set import make_small
from vision.imaging.camera import Lens, View, module_3_lens
from vision.imaging.frame import Frame, Image

PX_PER_MM = 4
LEFT_MM, TOP_MM, WIDE_MM, DEEP_MM = -180.0, 500.0, 960.0, 650.0
PAPER, GREY, BLACK = (235, 235, 235), (119, 119, 119), (25, 25, 25)
CARDS_MM: Mapping[int, Point] = {0: (0.0, 0.0), 1: (560.0, 0.0), 2: (560.0, 330.0), 3: (0.0, 330.0)}
HEIGHT_MM = 720.0


@dataclass(frozen=True)
class DrawnTable:
    """Where the centres of the cards' markers lie, what the camera looks at, and dark things with their radius (mm)."""

    cards_mm: Mapping[int, Point] = field(default_factory=lambda: CARDS_MM)
    looks_at_mm: Point = (300.0, 160.0)
    things: tuple[tuple[Point, float], ...] = ()

    def with_card(self, card: int, right_mm: float) -> DrawnTable:
        """With a card pushed to the right."""
        x, y = self.cards_mm[card]
        return replace(self, cards_mm={**self.cards_mm, card: (x + right_mm, y)})

    def seen_from(self, right_mm: float) -> DrawnTable:
        """With the camera pushed to the right."""
        return replace(self, looks_at_mm=(self.looks_at_mm[0] + right_mm, self.looks_at_mm[1]))

    @property
    def view(self) -> View:
        """The camera, looking straight down."""
        x, y = self.looks_at_mm
        return View(LENS, np.diag([1.0, -1.0, -1.0]), np.array([-x, y, HEIGHT_MM]))

    def frame(self, number: int, at_s: float) -> Frame:
        """What the camera sees."""
        corners = np.array([(LEFT_MM, TOP_MM), (LEFT_MM + WIDE_MM, TOP_MM), (LEFT_MM + WIDE_MM, TOP_MM - DEEP_MM),
                            (LEFT_MM, TOP_MM - DEEP_MM)])
        flat = _flat(tuple(sorted(self.cards_mm.items())), self.things)
        at_px = np.array([(0, 0), (flat.shape[1], 0), flat.shape[1::-1], (0, flat.shape[0])], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(at_px, self.view.project_at(corners, 0.3).astype(np.float32))
        image = np.asarray(cv2.warpPerspective(flat, warp, (LENS.width, LENS.height), flags=cv2.INTER_AREA), np.uint8)
        return Frame(image, make_small(image), at_s, number)


LENS: Lens = module_3_lens()


@cache
def _table() -> Image:
    """The bare table (h, w, 3) from above, with some grain to tell one part from another."""
    rows, columns = int(DEEP_MM * PX_PER_MM), int(WIDE_MM * PX_PER_MM)
    grain = np.random.default_rng(3).normal(0.0, 14.0, (rows // 40, columns // 40, 1))
    large = cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.clip(np.array((95.0, 110.0, 120.0)) + large, 0, 255).astype(np.uint8)


@cache
def _flat(cards: tuple[tuple[int, Point], ...], things: tuple[tuple[Point, float], ...]) -> Image:
    image = _table().copy()
    for card, (x, y) in cards:
        left, bottom = x - MARKER_AT_MM[0], y - MARKER_AT_MM[1]
        _rectangle(image, (left, bottom), TAG_CARD_MM, PAPER)
        _marker(image, card, (x, y))
        for (across, up), shade in ((WHITE_AT_MM[0], PAPER), (WHITE_AT_MM[1], PAPER), (GREY_AT_MM, GREY),
                                    (BLACK_AT_MM, BLACK)):
            for side, colour in ((SHADE_PATCH_MM + 2 * SHADE_FRAME_MM, BLACK), (SHADE_PATCH_MM, shade)):
                _rectangle(image, (left + across - side / 2, bottom + up - side / 2), (side, side), colour)
    for at_mm, radius_mm in things:
        cv2.circle(image, _px(at_mm), int(radius_mm * PX_PER_MM), (60, 40, 30), -1)
    return image


def _marker(image: Image, card: int, at_mm: Point) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, card, MARKER_CELLS)
    side = int(MARKER_MM * PX_PER_MM)
    drawn = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    column, row = _px((at_mm[0] - MARKER_MM / 2, at_mm[1] + MARKER_MM / 2))
    image[row:row + side, column:column + side] = np.where(drawn[..., None] > 0, PAPER, BLACK)


def _rectangle(image: Image, corner_mm: Point, size_mm: tuple[float, float], colour: tuple[int, int, int]) -> None:
    left, bottom = _px(corner_mm)
    right, top = _px((corner_mm[0] + size_mm[0], corner_mm[1] + size_mm[1]))
    image[top:bottom, left:right] = colour


def _px(at_mm: Point) -> tuple[int, int]:
    return round((at_mm[0] - LEFT_MM) * PX_PER_MM), round((TOP_MM - at_mm[1]) * PX_PER_MM)
