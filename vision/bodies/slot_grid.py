"""Where a block of crates stands that fits as well a slot farther on: on a table of their colour its outer rims are
hardly seen, and the walls between slots look like rims.

Where two crates touch, two rims lie side by side; between two slots there is one wall.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table import Body
from companion.table.crate import PITCH_MM
from vision.bodies.rim_templates import RIM_INSIDE_MM, SIDE_SAMPLES, RimMap, outlines
from vision.imaging.camera import spin
from vision.imaging.pose import Pose

CLEARER = 0.15
"""A block stands a slot farther on if its rims are so much likelier to lie side by side there."""

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

TOUCHING_MM = 3.0
"""The middles of the facing sides of two crates are no farther apart where they touch."""


def on_its_slots(rims: RimMap, expected: Sequence[Body], poses: Sequence[Pose]) -> list[Pose]:
    """The poses of a block of crates that was found, or those a slot to a side where more of its rims lie side by side.
    """
    there = [(_double_rims(rims, expected, moved), moved) for moved in (_moved(poses, step) for step in STEPS)]
    most, found = max(there, key=lambda each: each[0])
    return found if most > _double_rims(rims, expected, poses) + CLEARER else list(poses)


def _moved(poses: Sequence[Pose], slots: tuple[int, int]) -> list[Pose]:
    """Poses, moved by some slots across and along the first crate."""
    off = spin(poses[0].turn_deg) @ (np.array(slots) * PITCH_MM)
    return [Pose((float(pose.at_mm[0] + off[0]), float(pose.at_mm[1] + off[1])), pose.turn_deg) for pose in poses]


def _double_rims(rims: RimMap, expected: Sequence[Body], poses: Sequence[Pose]) -> float:
    """How likely both are rims where two sides face each other: 0 to 1, the mean over all such sides along which the
    block has least."""
    outline = outlines(expected[0].size_mm, RIM_INSIDE_MM)
    middles = outline.reshape(4, SIDE_SAMPLES, 2).mean(axis=1)
    at = np.concatenate([pose.to_table(middles) for pose in poses])
    seen = np.concatenate([np.median(rims.at(outline, pose).reshape(4, SIDE_SAMPLES), axis=1) for pose in poses])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    pairs = np.argwhere(np.triu(apart < TOUCHING_MM, 1))
    by_way = [seen[pairs[(pairs[:, 0] % 4 < 2) == across]].min(axis=1) for across in (True, False)]
    return float(min((each.mean() for each in by_way if each.size), default=1.0))
