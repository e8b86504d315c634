"""From which seat somebody reaches over the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.table import Point
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.presence.blobs import Blob
from vision.presence.play_area import SmallMask, small_scale

SHOULDER_MM = 480.0
"""So far from the middle of the table is the shoulder from which an arm comes."""

MAX_ASIDE_DEG, CLEARLY_DEG = 45.0, 20.0
"""An arm is a player's whose seat is not farther than this from where its shoulder would be, and nearer than any other
seat by so much. In the ten picture sets the farthest is 44 degrees: players reach across themselves."""


@dataclass(frozen=True, slots=True)
class Arm:
    """What is seen of an arm, in pixels of the small picture: its middle, and where it enters the picture."""

    middle_px: Point
    enters_px: Point


def arm_of(hand: Blob, edge: SmallMask) -> Arm | None:
    """A hand's blob as an arm; None where it does not come from the border, `edge` (180, 320)."""
    entering = np.asarray(cv2.bitwise_and(hand.mask, edge), np.uint8)
    return Arm(_middle(hand.mask), _middle(entering)) if cv2.countNonZero(entering) else None


@dataclass(frozen=True, slots=True, eq=False)
class Shoulders:
    """Where the players' shoulders are: in which direction (degrees) each of them sits, seen from the middle (2,) of
    the table (mm)."""

    directions: Mapping[int, float]
    middle_mm: Floats

    @classmethod
    def around(cls, areas: Iterable[ArrayLike], directions: Mapping[int, float]) -> Shoulders:
        """Around a table with areas (corners, 2) in mm."""
        return cls(dict(directions), np.concatenate([np.array(area) for area in areas]).mean(axis=0))

    def whose(self, arm: Arm, view: View) -> int | None:
        """The player whose arm it is; None where two sit near, or nobody."""
        middle, enters = view.to_table(np.array([arm.middle_px, arm.enters_px]) / small_scale(view))
        shoulder = _on_circle(enters - self.middle_mm, enters - middle)
        at_deg = float(np.degrees(np.arctan2(shoulder[1], shoulder[0])))
        aside = sorted((abs((at_deg - deg + 180.0) % 360.0 - 180.0), seat) for seat, deg in self.directions.items())
        if not aside or aside[0][0] > MAX_ASIDE_DEG:
            return None
        return aside[0][1] if len(aside) == 1 or aside[1][0] - aside[0][0] > CLEARLY_DEG else None


def _on_circle(at_mm: Floats, towards: Floats) -> Floats:
    """Where a ray from a point (2,) leaves the circle of the shoulders, all about its middle; the point itself if it
    lies beyond it."""
    length = float(np.hypot(*towards))
    if length == 0.0:
        return at_mm
    ahead = towards / length
    along = float(at_mm @ ahead)
    within = along * along + SHOULDER_MM**2 - float(at_mm @ at_mm)
    return np.asarray(at_mm + max(np.sqrt(max(within, 0.0)) - along, 0.0) * ahead, np.float64)


def _middle(mask: SmallMask) -> Point:
    moments = cv2.moments(mask, binaryImage=True)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
