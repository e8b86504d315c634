"""What zones that lie close together see: a piece between two of them is seen from both, and counts in one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.table import Point, Sight, Spot
from vision.imaging.arrays import Floats

SAME_PIECE_MM = 6.0
"""Sights of two zones no farther apart are of one piece: half of the narrowest one."""


def counted_once(sights: Sequence[Sight], zones: Mapping[Spot, Floats]) -> list[Sight]:
    """The sights of zones, by their corners (4, 2) in the table frame (mm), without those of a piece that lies deeper
    within another zone, or less far outside, and is seen there too."""
    return [each for each in sights
            if not any(other.spot != each.spot and math.dist(other.at_mm, each.at_mm) <= SAME_PIECE_MM
                       and _depth_mm(other.at_mm, zones[other.spot]) > _depth_mm(each.at_mm, zones[each.spot])
                       for other in sights)]


def _depth_mm(at_mm: Point, corners: Floats) -> float:
    """How far within a zone a point lies; negative outside."""
    return float(cv2.pointPolygonTest(corners.astype(np.float32).reshape(-1, 1, 2), at_mm, True))
