"""A small square of the picture as seen from straight above at one height, and what is seen there when nothing lies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.faces.registration import FitTarget, cost_of_target, make_target
from vision.faces.templates import PX_PER_MM, Face
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View, spin
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

    def brightest(self, scene: Scene) -> npt.NDArray[np.float32]:
        """The linear light (3,) B G R at the window's centre that a burnt-out pixel stands for."""
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


class Surface(Protocol):
    """What is seen at a place while nothing lies there."""

    def under(self, scene: Scene, window: Window) -> Lab:
        """Its colours (side, side, 3) in a window."""


@dataclass(frozen=True, slots=True)
class BareTable:
    """The table itself, as enrolled."""

    def under(self, scene: Scene, window: Window) -> Lab:
        """Its colours in a window."""
        return window.warp(scene.bare(window.box))


@dataclass(frozen=True, slots=True, eq=False)
class PrintedSurface:
    """A flat thing, such as a board or a packing crate, whose foot's centre lies at `at_mm`, turned by `turn_deg`, with
    its top at `height_mm` above the table; beside it is what lies `beneath`."""

    face: Face
    at_mm: Point
    turn_deg: float
    height_mm: float
    beneath: Surface = BareTable()

    def under(self, scene: Scene, window: Window) -> Lab:
        """Its colours in a window."""
        to_face = self._to_face(scene.view, window)
        side = window.side_px
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        colours = np.asarray(cv2.warpAffine(self.face.colours, to_face, (side, side), flags=flags,
                                            borderMode=cv2.BORDER_REPLICATE), np.float32)
        there = cv2.warpAffine(self.face.mask.view(np.uint8), to_face, (side, side),
                               flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
        if not there.all():
            cv2.copyTo(self.beneath.under(scene, window), 1 - there, colours)
        return colours

    def _to_face(self, view: View, window: Window) -> Floats:
        """The affine map (2, 3) from the window's pixels to the face's, along the lines of sight."""
        eye = view.position_mm
        share = (window.height_mm - self.height_mm) / (eye[2] - window.height_mm)
        linear = spin(-self.turn_deg) * (1 + share)
        centre = np.asarray(window.centre_mm)
        middle = spin(-self.turn_deg) @ (centre + (centre - eye[:2]) * share - self.at_mm)
        flip = np.diag((1.0, -1.0))
        own = flip @ linear @ flip
        first = flip @ middle * PX_PER_MM - own @ (window.reach_px, window.reach_px) + self.face.middle_px
        return np.column_stack([own, first])


@dataclass(frozen=True, eq=False)
class CandidateWindow:
    """What is seen where the centre of one of some faces, all of one `form`, may lie (`centres_px`, in px right and up
    of the window's middle): a window at the height of their tops, of which no more is looked at than is asked for."""

    scene: Scene
    ground: Surface | None
    form: tuple[Face, ...]
    centres_px: npt.NDArray[np.intp]
    window: Window

    @cached_property
    def colours(self) -> Lab:
        """The window's colours."""
        return self.window.seen(self.scene)

    @cached_property
    def sight(self) -> FitTarget:
        """The same, ready to be fitted to."""
        return make_target(self.colours, self.window.brightest(self.scene))

    @cached_property
    def _bare(self) -> FitTarget:
        assert self.ground is not None
        return make_target(self.ground.under(self.scene, self.window), self.sight.brightest)

    def bare_cost(self, shift_mm: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0) -> tuple[float, float]:
        """Cost and prior of nothing lying where a face would lie."""
        return cost_of_target(self.sight, self._bare, self.form[0].form, shift_mm, turn_deg)


def top_of(view: View, point_mm: Point, from_mm: float, to_mm: float) -> Floats:
    """The point (2,) at height `to_mm` that is seen where `point_mm` at height `from_mm` is."""
    eye = view.position_mm
    at = np.asarray(point_mm, np.float64)
    return np.asarray(at + (at - eye[:2]) * (from_mm - to_mm) / (eye[2] - from_mm), np.float64)


