"""The surroundings of a foot as planes at the heights of lids: at the right height a lid is in the middle of its plane.

Each plane is a square around the foot's axis, turned so that its rows go away from the camera, as what is higher is
displaced (R. T. Collins, "A space-sweep approach to true multi-image matching", CVPR 1996, here for one picture and a
known foot). So all places look alike, wherever the camera stands.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Values
from vision.imaging.box import box_around
from vision.photometry.white_reference import LitPicture

PLANES_MM = (0.0, 12.0, 16.0, 22.0, 24.0, 30.0, 36.0)
"""Heights above the foot."""

SIDE_PX, MM_PER_PX = 48, 0.4
"""A plane has so many pixels a side, each of this size: about as a camera sees them."""

BRIGHTEST = 1.4
"""The square root of the reflectance of what is brighter than any paper."""


def sweep(picture: LitPicture, foot_mm: Floats, side_px: int = SIDE_PX) -> Values:
    """The planes (planes, 3, side, side) B G R, square roots of reflectances, around a foot (3,) in the table frame."""
    corners = _corners(picture, foot_mm, side_px)
    heights = np.repeat(float(foot_mm[2]) + np.array(PLANES_MM), len(corners))
    px = picture.view.project(np.column_stack([np.tile(corners, (len(PLANES_MM), 1)), heights]))
    box = box_around(px, 2)
    light = picture.white.normalise(box.cut(picture.image), box.left, box.top)
    coded = np.sqrt(np.clip(light, 0.0, BRIGHTEST * BRIGHTEST))
    into = np.array([(0, 0), (0, side_px - 1), (side_px - 1, side_px - 1), (side_px - 1, 0)], np.float32)
    planes = np.empty((len(PLANES_MM), 3, side_px, side_px), np.float32)
    for plane, seen in zip(planes, (px - (box.left, box.top)).astype(np.float32).reshape(-1, 4, 2)):
        warp = cv2.getPerspectiveTransform(into, seen)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        found = cv2.warpPerspective(coded, warp, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        plane[:] = found.transpose(2, 0, 1)
    return planes


def slant(picture: LitPicture, foot_mm: Floats) -> float:
    """By how much the top of a thing is displaced for each mm of its height, in mm on the table."""
    eye = picture.view.position_mm
    return float(np.hypot(*(foot_mm[:2] - eye[:2])) / (eye[2] - foot_mm[2]))


def _corners(picture: LitPicture, foot_mm: Floats, side_px: int) -> Floats:
    """The corners (4, 2) in mm of a plane: its first pixel, the last of its first column, the last, and the last of its
    first row."""
    away = foot_mm[:2] - picture.view.position_mm[:2]
    along = away / max(float(np.hypot(*away)), 1e-6)
    across = np.array([-along[1], along[0]])
    half = (side_px - 1) / 2 * MM_PER_PX
    return np.array([foot_mm[:2] + half * (down * along + right * across)
                     for right, down in ((-1, -1), (-1, 1), (1, 1), (1, -1))])
