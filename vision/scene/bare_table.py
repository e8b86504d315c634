"""The bare table, warped from the enrolment picture to the present view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.table import Point
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.imaging.packed_picture import PackedPicture
from vision.photometry.background_model import Lab
from vision.photometry.shadow_tint import GREY_SHADOW, Shadow
from vision.photometry.white_reference import White, to_opponent

EXPECTED_PX = 100
"""So far beyond its foot a thing is seen."""

BLENDED_PX = 2
"""So far around a point its colour is blended from."""

SAME_CAMERA_PX = 0.3
"""A camera in whose picture the table's corners shifted by less did not move."""


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The table without pieces: a picture (h, w, 3) B G R with its view and white reference, and the tint of
    shadows."""

    picture: Image | PackedPicture
    view: View
    white: White
    shadow: Shadow = GREY_SHADOW

    def seen(self, box: Box, from_picture: Floats | None) -> Lab:
        """The table (h, w, 3) in a box of another picture; `from_picture` is the homography (3, 3) from that one to
        this, None for the same view."""
        if from_picture is None:
            image, part = self._around(box)
            there = Box(box.left - part.left, box.top - part.top, box.width, box.height)
            return to_opponent(self.white, there.cut(image), box.left, box.top)
        matrix = from_picture @ _moved(box.left, box.top)
        image, part = self._around(_shown(matrix, box))
        crop = cv2.warpPerspective(image, _moved(-part.left, -part.top) @ matrix, (box.width, box.height),
                                   flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        return to_opponent(self.white, np.asarray(crop, np.uint8), box.left, box.top)


    def expect(self, outlines_mm: Sequence[Sequence[Point]]) -> None:
        """What lies in these outlines (n, 2) on the table will be asked for: it is unpacked now, not while a picture is
        read, which takes memory enough."""
        self._around(box_around(self.view.project_at(np.concatenate(outlines_mm), 0.0), EXPECTED_PX))

    @property
    def image(self) -> Image:
        """The whole picture (h, w, 3)."""
        return self.picture.whole() if isinstance(self.picture, PackedPicture) else self.picture

    def _around(self, box: Box) -> tuple[Image, Box]:
        """A part of the picture with all of a box, and which part that is."""
        if isinstance(self.picture, PackedPicture):
            return self.picture.around(box)
        height, width = self.picture.shape[:2]
        return self.picture, Box(0, 0, width, height)


def _moved(right: int, down: int) -> Floats:
    return np.array([(1, 0, right), (0, 1, down), (0, 0, 1)], np.float64)


def _shown(to_picture: Floats, box: Box) -> Box:
    """The part of the picture that a homography (3, 3) from the pixels of a box looks at, and what its edge blends."""
    corners = np.array([[(0, 0), (box.width, 0), (box.width, box.height), (0, box.height)]], np.float64)
    return box_around(cv2.perspectiveTransform(corners, to_picture)[0].astype(np.float64), BLENDED_PX)


def table_homography(view: View, bare: View) -> Floats | None:
    """The homography (3, 3) induced by the table plane from one picture to another; None when the camera did not move.
    """
    width, height = view.lens.width, view.lens.height
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    there = bare.project_at(view.to_table(corners), 0.0)
    if np.abs(there - corners).max() < SAME_CAMERA_PX:
        return None
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), there.astype(np.float32)), np.float64)


def edge_colour(seen: Lab) -> Lab:
    """A picture (h, w, 3) of one colour, the median along the border of what is seen."""
    edge = np.concatenate([seen[:3].reshape(-1, 3), seen[-3:].reshape(-1, 3), seen[:, :3].reshape(-1, 3),
                           seen[:, -3:].reshape(-1, 3)])
    return np.broadcast_to(np.median(edge, axis=0), seen.shape).astype(np.float32)
