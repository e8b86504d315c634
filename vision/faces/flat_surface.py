"""The ground of a place, seen while nothing lies there: the bare table, or the top of another flat thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from companion.table import Point
from vision.faces.ortho_window import Window
from vision.faces.templates import PX_PER_MM, Face
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.photometry.background_model import Lab
from vision.scene.scene import Scene


class Surface(Protocol):
    """The ground of a place, seen while nothing lies there."""

    def under(self, scene: Scene, window: Window) -> Lab:
        """Its colours (side, side, 3) in a window."""


@dataclass(frozen=True, slots=True)
class BareTable:
    """The bare table, as enrolled."""

    def under(self, scene: Scene, window: Window) -> Lab:
        """Its colours in a window."""
        return window.warp(scene.bare(window.box))


@dataclass(frozen=True, slots=True, eq=False)
class PrintedSurface:
    """The top of a flat thing, such as a board or a packing crate, with its foot's centre at `at_mm`, turned by
    `turn_deg`, its top `height_mm` above the table; `beneath` is the surface around it."""

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
        """The affine map (2, 3) from the window's pixels to the face's, along the viewing rays."""
        eye = view.position_mm
        share = (window.height_mm - self.height_mm) / (eye[2] - window.height_mm)
        linear = spin(-self.turn_deg) * (1 + share)
        centre = np.asarray(window.centre_mm)
        middle = spin(-self.turn_deg) @ (centre + (centre - eye[:2]) * share - self.at_mm)
        flip = np.diag((1.0, -1.0))
        own = flip @ linear @ flip
        first = flip @ middle * PX_PER_MM - own @ (window.reach_px, window.reach_px) + self.face.middle_px
        return np.column_stack([own, first])
