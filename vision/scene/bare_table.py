"""The bare table, warped from the enrolment picture to the present view."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.arrays import Floats
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.photometry.background_model import Lab
from vision.photometry.shadow_tint import GREY_SHADOW, Shadow
from vision.photometry.white_reference import White, to_opponent

SAME_CAMERA_PX = 0.3
"""A camera in whose picture the table's corners shifted by less did not move."""


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The table without pieces: a picture (h, w, 3) B G R with its view and white reference, and the tint of
    shadows."""

    image: Image
    view: View
    white: White
    shadow: Shadow = GREY_SHADOW

    def seen(self, box: Box, from_picture: Floats | None) -> Lab:
        """The table (h, w, 3) in a box of another picture; `from_picture` is the homography (3, 3) from that one to
        this, None for the same view."""
        if from_picture is None:
            return to_opponent(self.white, box.cut(self.image), box.left, box.top)
        matrix = from_picture @ np.array([(1, 0, box.left), (0, 1, box.top), (0, 0, 1)], np.float64)
        crop = cv2.warpPerspective(self.image, matrix, (box.width, box.height),
                                   flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        return to_opponent(self.white, np.asarray(crop, np.uint8), box.left, box.top)


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
