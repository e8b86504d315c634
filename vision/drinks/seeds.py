"""Start offsets of the search for a drink: a slot's middle, or on the open table by what was seen there."""

from __future__ import annotations

import numpy as np

from companion.table import Point
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.models import Models
from vision.drinks.pattern_search import STEPS_UNITS, UNIT_PX, Offset
from vision.imaging.camera import View


def starts_by_middle(view: View, pose: DrinkPose, models: Models, like: str | None, reach: int) -> dict[str, Offset]:
    """The start offset of each shape, within reach: 0 in a slot; on the open table the one at which the centre of its
    silhouette coincides with that of the shape `like`, or of one of middle height."""
    if pose.in_slot:
        return dict.fromkeys(models.solids, (0, 0))
    lean = view.lean(pose.foot_mm[:2], float(pose.foot_mm[2])) / UNIT_PX
    heights = models.heights_mm
    height = heights[like] if like is not None else float(np.median(list(heights.values())))
    step = STEPS_UNITS[0]
    starts = {}
    for shape in heights:
        off = np.clip(np.rint(lean * (height - heights[shape]) / 2 / step) * step, -reach, reach)
        starts[shape] = (int(off[0]), int(off[1]))
    return starts


def starts_by_lid(view: View, pose: DrinkPose, models: Models, like: str, foot_mm: Point) -> dict[str, Offset]:
    """The start offset of each shape at which its lid coincides with that of the shape `like` with its foot at x, y
    (mm): a body may look like the table."""
    lid_px = view.project([*foot_mm, models.heights_mm[like]])
    here = view.project(pose.foot_mm)[0]
    starts = {}
    for shape, height in models.heights_mm.items():
        foot_px = view.project([*view.to_table(lid_px, height)[0], float(pose.foot_mm[2])])[0]
        off = np.rint((foot_px - here) / UNIT_PX / STEPS_UNITS[0]) * STEPS_UNITS[0]
        starts[shape] = (int(off[0]), int(off[1]))
    return starts
