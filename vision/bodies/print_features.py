"""Global localisation of a print on the table, at any turn, by feature matching.

SIFT features (D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", 2004) with Lowe's ratio test, then
RANSAC over pairs of matches.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.bodies.print_model import Print
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose

MAX_FEATURES, MAX_RATIO = 1500, 0.8
"""The most features of the picture, and the threshold of the ratio test."""

FEATURE_PX_PER_MM = 1.2
PAIR_TRIALS, MIN_APART_MM, FEATURE_TOLERANCE_MM = 500, 60.0, 2.0
"""Samples of RANSAC, the least distance of the two points of a sample, and the inlier tolerance."""

MIN_MATCHES = 8
"""A print is found when it has this many inliers."""


def anywhere(picture: Picture, known: Print) -> Pose | None:
    """The pose of a print on the table; None when it is not found."""
    view, lens = picture.view, picture.view.lens
    scale = FEATURE_PX_PER_MM / view.px_per_mm(view.to_table([(lens.width / 2, lens.height / 2)], known.height_mm)[0])
    shrink = FEATURE_PX_PER_MM / known.px_per_mm
    shrunk = cv2.resize(known.image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    own_px, seen_px = _matches(cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY), small)
    if len(own_px) < MIN_MATCHES:
        return None
    rows, columns = shrunk.shape[:2]
    own_mm = (own_px - ((columns - 1) / 2, (rows - 1) / 2)) / FEATURE_PX_PER_MM * (1, -1)
    return _rigid_anywhere(own_mm, view.to_table((seen_px + 0.5) / scale - 0.5, known.height_mm))


def _matches(print_: cv2.typing.MatLike, picture: cv2.typing.MatLike) -> tuple[Floats, Floats]:
    """The positions (n, 2: column, row) of matching features in a print and in a picture, both grey and in one
    scale."""
    sift = cv2.SIFT.create(MAX_FEATURES)
    seen, seen_like = sift.detectAndCompute(picture, None)
    own, own_like = sift.detectAndCompute(print_, None)
    if own_like is None or seen_like is None or len(own) < 2 or len(seen) < 2:
        return np.zeros((0, 2)), np.zeros((0, 2))
    pairs = [best for best, *others in cv2.BFMatcher().knnMatch(own_like, seen_like, k=2)
             if others and best.distance < MAX_RATIO * others[0].distance]
    return (np.array([own[pair.queryIdx].pt for pair in pairs]).reshape(-1, 2),
            np.array([seen[pair.trainIdx].pt for pair in pairs]).reshape(-1, 2))


def _rigid_anywhere(own_mm: Floats, at_mm: Floats) -> Pose | None:
    """The rigid motion (no reflection, no scale) with the most inliers among point pairs (n, 2) in mm."""
    random = np.random.default_rng(0)
    best, agree = None, 0
    for one, other in random.integers(0, len(own_mm), (PAIR_TRIALS, 2)):
        own, there = own_mm[other] - own_mm[one], at_mm[other] - at_mm[one]
        long, seen_long = np.linalg.norm(own), np.linalg.norm(there)
        if long < MIN_APART_MM or abs(long - seen_long) > FEATURE_TOLERANCE_MM:
            continue
        turn = float(np.degrees(np.arctan2(own[0] * there[1] - own[1] * there[0], own @ there)))
        middle = (at_mm[one] + at_mm[other]) / 2 - spin(turn) @ (own_mm[one] + own_mm[other]) / 2
        pose = Pose((float(middle[0]), float(middle[1])), turn)
        close = int((np.linalg.norm(pose.to_table(own_mm) - at_mm, axis=1) < FEATURE_TOLERANCE_MM).sum())
        if close > agree:
            best, agree = pose, close
    return best if agree >= MIN_MATCHES else None
