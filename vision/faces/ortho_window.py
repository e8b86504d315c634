"""A rectified window: a small square orthophoto of a plane at one height above the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.table import Point
from vision.faces.templates import PX_PER_MM
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.photometry.background_model import Lab
from vision.scene.scene import Scene


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A square around `centre_mm` at `height_mm` above the table, `reach_px` pixels of `PX_PER_MM` to each side; pixel
    (u, v) shows the point `centre_mm + ((u - reach_px), (reach_px - v)) / PX_PER_MM`. `to_px` (3, 3) is the homography
    from its pixels to those of the picture's `box`."""

    centre_mm: Point
    height_mm: float
    reach_px: int
    box: Box
    to_px: Floats

    @property
    def side_px(self) -> int:
        """Pixels along each side."""
        return 2 * self.reach_px + 1

    def warp(self, colours: Lab) -> Lab:
        """Colours (h, w, 3) of the picture's `box` as the window shows them (side, side, 3)."""
        side = self.side_px
        return np.asarray(cv2.warpPerspective(
            colours, self.to_px, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE), np.float32)

    def seen(self, scene: Scene) -> Lab:
        """The picture (side, side, 3) as white-referenced lightness and colours."""
        return self.warp(scene.seen(self.box))

    def brightest(self, scene: Scene) -> Values:
        """The linear light (3,) B G R at the window's centre of a clipped pixel."""
        burnt = np.full((1, 1, 3), 255, np.uint8)
        middle = self.box.left + self.box.width // 2, self.box.top + self.box.height // 2
        return np.asarray(scene.white.normalise(burnt, *middle)[0, 0], np.float32)


def make_window(view: View, centre_mm: Point, height_mm: float, reach_mm: float) -> Window:
    """The window around a point."""
    reach_px = int(np.ceil(reach_mm * PX_PER_MM))
    reach = reach_px / PX_PER_MM
    corners = np.array([(-reach, reach), (reach, reach), (reach, -reach), (-reach, -reach)]) + centre_mm
    px = view.project_at(corners, height_mm)
    box = box_around(px, 2)
    last = 2.0 * reach_px
    own = np.array([(0, 0), (last, 0), (last, last), (0, last)], np.float32)
    there = (px - (box.left, box.top)).astype(np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(own, there), np.float64)
    return Window(centre_mm, height_mm, reach_px, box, to_px)


def top_of(view: View, point_mm: Point, from_mm: float, to_mm: float) -> Floats:
    """The point (2,) at height `to_mm` on the viewing ray through `point_mm` at height `from_mm`."""
    eye = view.position_mm
    at = np.asarray(point_mm, np.float64)
    return np.asarray(at + (at - eye[:2]) * (from_mm - to_mm) / (eye[2] - from_mm), np.float64)


