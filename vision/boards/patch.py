"""A board seen straight from above: the picture of the board and a margin around it, rectified by its four corners."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import cv2
import numpy as np

from companion.table import Layout
from companion.table.board_corners import BoardCorners, places_of
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.frame import Image

PITCH_PX: Final = 32
"""From a place to the next one, in the rectified picture."""
GATE_PITCH_PX: Final = 12
"""The same in the small one that is watched."""
MARGIN: Final = 0.75
"""What is watched around the board, as a share of the pitch: whoever reaches over the board crosses it."""
MAX_PATCH_PX: Final = 720
COARSER: Final = 1.6
"""A picture with so many pixels to one of the rectified one is made smaller first, or thin lines would flicker."""
LOG_OFFSET: Final = 10.0
"""What is added to a grey value before its logarithm is taken: darker ones are mostly noise."""


class BoardView:
    """Rectifies the pictures of a camera that sees a board's corners at `corners`; its places stand in `layout`.
    `corners_px` and `corners_mm` (4, 2) are these in the picture and in the layout."""

    def __init__(self, layout: Layout, corners: BoardCorners) -> None:
        places = places_of(layout)
        self.corners = corners
        self.corners_px, self.corners_mm = np.array(corners.in_px, np.float64), np.array(corners.in_mm, np.float64)
        self._at = np.array([place.at_mm for place in places], np.float64)
        self.pitch_mm = _pitch(self._at)
        low, high = self.corners_mm.min(axis=0), self.corners_mm.max(axis=0)
        most = float((high - low).max()) + 2 * MARGIN * self.pitch_mm
        self.px_per_mm = min(PITCH_PX / self.pitch_mm, MAX_PATCH_PX / most)
        self.pitch_px = self.px_per_mm * self.pitch_mm
        self._left, self._far = low[0] - MARGIN * self.pitch_mm, high[1] + MARGIN * self.pitch_mm
        wide, deep = (high - low + 2 * MARGIN * self.pitch_mm) * self.px_per_mm
        self.size = (round(wide), round(deep))
        self._to_patch = cv2.getPerspectiveTransform(
            self.corners_px.astype(np.float32), self.to_px(self.corners_mm).astype(np.float32))

    def to_px(self, points_mm: Floats) -> Floats:
        """Points (n, 2) of the layout in the rectified picture, whose far edge is up."""
        return np.column_stack([points_mm[:, 0] - self._left, self._far - points_mm[:, 1]]) * self.px_per_mm

    def in_picture(self, points_mm: Floats) -> Floats:
        """Points (n, 2) of the layout in the camera's picture."""
        points = np.column_stack([self.to_px(points_mm), np.ones(len(points_mm))]) @ np.linalg.inv(self._to_patch).T
        return np.asarray(points[:, :2] / points[:, 2:], np.float64)

    @cached_property
    def places_px(self) -> Floats:
        """The centres (n, 2) of the places in the rectified picture."""
        return self.to_px(self._at)

    @cached_property
    def gate_size(self) -> tuple[int, int]:
        """Width and height of the small rectified picture."""
        shrink = GATE_PITCH_PX / self.pitch_px
        return round(self.size[0] * shrink), round(self.size[1] * shrink)

    @cached_property
    def on_board(self) -> Mask:
        """Where the small rectified picture shows the board itself (h, w)."""
        width, height = self.gate_size
        shrink = np.array([width, height]) / np.array(self.size)
        corners = self.to_px(self.corners_mm) * shrink
        board = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(board, np.rint(corners).astype(np.int32), (1,))
        return board > 0

    def seen(self, shape: tuple[int, ...]) -> Mask:
        """Where (h, w) the small rectified picture shows what a picture of this shape has, and not what lies beyond."""
        inside = np.zeros(shape[:2], np.uint8)
        inside[1:-1, 1:-1] = 255
        whole = cv2.warpPerspective(inside, self._to_patch, self.size)
        return np.asarray(cv2.resize(whole, self.gate_size, interpolation=cv2.INTER_AREA) > 254)

    def beside(self, shape: tuple[int, ...], size: tuple[int, int]) -> Mask:
        """Where a picture of this shape, made as small as `size` (width, height), shows neither board nor margin."""
        height, width = shape[:2]
        corners = np.array([[(0, 0), (self.size[0], 0), self.size, (0, self.size[1])]], np.float64)
        back = cv2.perspectiveTransform(corners, np.linalg.inv(self._to_patch))[0]
        inside = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(inside, np.rint(back * (size[0] / width, size[1] / height)).astype(np.int32), (1,))
        return np.asarray(inside == 0)

    def rectified(self, image: Image) -> Image:
        """The board seen from straight above (h, w, 3)."""
        scale = np.eye(3)
        shrink = int(np.sqrt(_area(self.corners_px)) / max(np.sqrt(_area(self.to_px(self.corners_mm))), 1.0) / COARSER)
        if shrink > 1:
            height, width = image.shape[:2]
            image = np.asarray(cv2.resize(image, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA))
            across, down = width / image.shape[1], height / image.shape[0]
            scale = np.array([(across, 0, (across - 1) / 2), (0, down, (down - 1) / 2), (0, 0, 1.0)])
        return np.asarray(cv2.warpPerspective(image, self._to_patch @ scale, self.size, flags=cv2.INTER_LINEAR,
                                              borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def small(self, whole: Image, shape: tuple[int, ...]) -> Values:
        """The small rectified picture (h, w, 3) as logarithms, from a whole one that was made smaller and had this
        shape."""
        across, down = whole.shape[1] / shape[1], whole.shape[0] / shape[0]
        shrunk = np.array([(across, 0, (across - 1) / 2), (0, down, (down - 1) / 2), (0, 0, 1.0)])
        width, height = self.gate_size
        wide, deep = width / self.size[0], height / self.size[1]
        smaller = np.array([(wide, 0, (wide - 1) / 2), (0, deep, (deep - 1) / 2), (0, 0, 1.0)])
        warp = smaller @ self._to_patch @ np.linalg.inv(shrunk)
        small = cv2.warpPerspective(whole, warp, self.gate_size, borderMode=cv2.BORDER_REPLICATE)
        return logarithms(np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8))


def logarithms(image: Image) -> Values:
    """A picture (h, w, 3) as logarithms: where more light falls, the same is added everywhere."""
    return np.asarray(np.log(image.astype(np.float32) + np.float32(LOG_OFFSET)), np.float32)


def _pitch(at_mm: Floats) -> float:
    """The least distance between two places."""
    apart = np.hypot(*(at_mm[:, None] - at_mm[None]).transpose(2, 0, 1))
    return float(apart[apart > 0].min()) if len(at_mm) > 1 else 50.0


def _area(corners: Floats) -> float:
    x, y = corners.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)
