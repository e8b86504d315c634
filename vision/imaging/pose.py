"""The pose of a body on the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.table import Body, Point
from vision.imaging.arrays import Floats
from vision.imaging.camera import spin


@dataclass(frozen=True, slots=True)
class Pose:
    """A planar pose in the table frame: centre (mm) and turn (degrees, anticlockwise)."""

    at_mm: Point
    turn_deg: float

    def to_table(self, own_mm: Floats) -> Floats:
        """Points (..., 2) in mm from the body's own frame to the table frame."""
        return np.asarray(own_mm @ spin(self.turn_deg).T + self.at_mm, np.float64)


def pose_of(body: Body) -> Pose:
    """The pose of a body as it is given."""
    return Pose(body.at_mm, body.turn_deg)
