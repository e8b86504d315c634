"""A print anywhere on the table, however turned: by features that picture and print have in common."""

from __future__ import annotations

import cv2
import numpy as np

from vision.bodies.print_model import Pose, Print
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import Image

FEATURES, DISTINCT = 1500, 0.8
"""So many features of the picture are compared; one counts when the next like it is so much farther off."""

FEATURE_PX_PER_MM, FEATURE_APART_MM, FEATURE_AGREES_MM = 1.2, 60.0, 2.0

LEAST_PAIRS = 8
"""A print is found when so many features agree on its place."""


def anywhere(image: Image, view: View, known: Print) -> Pose | None:
    """Where a print lies on the table; None when it is not to be seen."""
    lens = view.lens
    scale = FEATURE_PX_PER_MM / view.px_per_mm(view.to_table([(lens.width / 2, lens.height / 2)], known.height_mm)[0])
    small = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    sift = cv2.SIFT.create(FEATURES)
    seen, seen_like = sift.detectAndCompute(small, None)
    shrink = FEATURE_PX_PER_MM / known.px_per_mm
    shrunk = cv2.resize(known.image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    own, own_like = sift.detectAndCompute(cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY), None)
    if own_like is None or seen_like is None or len(own) < 2 or len(seen) < 2:
        return None
    pairs = [best for best, *others in cv2.BFMatcher().knnMatch(own_like, seen_like, k=2)
             if others and best.distance < DISTINCT * others[0].distance]
    if len(pairs) < LEAST_PAIRS:
        return None
    rows, columns = shrunk.shape[:2]
    own_px = np.array([own[pair.queryIdx].pt for pair in pairs]) - ((columns - 1) / 2, (rows - 1) / 2)
    own_mm = own_px / FEATURE_PX_PER_MM * (1, -1)
    at_px = (np.array([seen[pair.trainIdx].pt for pair in pairs]) + 0.5) / scale - 0.5
    return _rigid_anywhere(own_mm, view.to_table(at_px, known.height_mm))


def _rigid_anywhere(own_mm: Floats, at_mm: Floats) -> Pose | None:
    """The place and turn that most pairs of points (n, 2) agree on; no print lies mirrored or in another size."""
    random = np.random.default_rng(0)
    best, agree = None, 0
    for one, other in random.integers(0, len(own_mm), (500, 2)):
        own, there = own_mm[other] - own_mm[one], at_mm[other] - at_mm[one]
        long, seen_long = np.linalg.norm(own), np.linalg.norm(there)
        if long < FEATURE_APART_MM or abs(long - seen_long) > FEATURE_AGREES_MM:
            continue
        turn = float(np.degrees(np.arctan2(own[0] * there[1] - own[1] * there[0], own @ there)))
        middle = (at_mm[one] + at_mm[other]) / 2 - spin(turn) @ (own_mm[one] + own_mm[other]) / 2
        pose = Pose((float(middle[0]), float(middle[1])), turn)
        close = int((np.linalg.norm(pose.to_table(own_mm) - at_mm, axis=1) < FEATURE_AGREES_MM).sum())
        if close > agree:
            best, agree = pose, close
    return best if agree >= LEAST_PAIRS else None
