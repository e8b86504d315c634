"""A board, or the camera over it, was pushed: where its corners are now, by what the board itself looks like.

Key points of the board at the last free look are found again in the new picture (SIFT), and RANSAC finds the homography
that most of them agree on. A chequered board looks alike in many places: so only a small push is believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.table.board_corners import BoardCorners
from vision.imaging.arrays import Floats
from vision.imaging.frame import Image

Grey = npt.NDArray[np.uint8]
WIDTH_PX: Final = 800
"""Pictures are compared at this width."""
MAX_POINTS: Final = 1200
RATIO: Final = 0.8
"""A match counts when the next best one is so much farther off (Lowe)."""
OFF_PX: Final = 2.0
"""How far a point may be from where the homography puts it."""
LEAST_INLIERS, LEAST_SHARE = 25, 0.3
MOST_PUSHED: Final = 0.3
"""No corner is believed to be farther away than this share of the board's side."""
LEAST_PUSHED: Final = 0.004
"""Less is no push, as a share of the side."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenBoard:
    """A picture in grey, made smaller by `scale`, in which the board's corners were `corners`."""

    grey: Grey
    scale: float
    corners: BoardCorners


def seen_board(image: Image, corners: BoardCorners) -> SeenBoard:
    """What is kept of a picture, to find the board again."""
    scale = min(1.0, WIDTH_PX / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return SeenBoard(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), scale, corners)


def find_again(before: SeenBoard, image: Image) -> BoardCorners | None:
    """Where the corners are in a new picture, if the board was pushed a little and is well seen; else None."""
    now = seen_board(image, before.corners)
    if now.grey.shape != before.grey.shape:
        return None
    outline = np.array(before.corners.in_px, np.float64) * before.scale
    board = np.zeros(before.grey.shape, np.uint8)
    cv2.fillConvexPoly(board, np.rint(_grown(outline)).astype(np.int32), (255,))
    sift = cv2.SIFT.create(MAX_POINTS)
    then_points, then = sift.detectAndCompute(before.grey, board)
    now_points, found = sift.detectAndCompute(now.grey, None)
    if then is None or found is None or len(found) < 2:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(then, found, k=2)
    good = [first for first, second in pairs if first.distance < RATIO * second.distance]
    if len(good) < LEAST_INLIERS:
        return None
    origin = np.array([then_points[each.queryIdx].pt for each in good], np.float64)
    there = np.array([now_points[each.trainIdx].pt for each in good], np.float64)
    warp, inliers = cv2.findHomography(origin, there, cv2.RANSAC, OFF_PX)
    if warp is None or inliers.sum() < max(LEAST_INLIERS, LEAST_SHARE * len(good)):
        return None
    moved = cv2.perspectiveTransform(outline[None], warp)[0]
    side = float(np.sqrt(cv2.contourArea(outline.astype(np.float32))))
    pushed = np.hypot(*(moved - outline).T) / side
    if pushed.max() > MOST_PUSHED or pushed.max() < LEAST_PUSHED:
        return None
    in_px = tuple((float(x), float(y)) for x, y in moved / before.scale)
    return BoardCorners(before.corners.in_mm, in_px)


def _grown(outline: Floats) -> Floats:
    """An outline and a little around it."""
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * 1.1, np.float64)
