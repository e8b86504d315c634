"""The slots of upright crates: their poses on the table, their boxes in the picture, and the look of empty ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.table import Body, Place, Point, Spot
from companion.table.crate import RIM_MM, WALL_MM
from vision.drinks.drink_pose import DrinkPose
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.footprints import BLOCK_MM, opening_mm, outline_mm
from vision.scene.empty_slot_model import Emptied, learn_emptied
from vision.scene.scene import Scene

COLOUR_BLEED_PX = 4
"""The distance from a drink within which its chroma bleeds."""


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A slot of a crate: the `number` in the scene of what stands there, its `pose`, and the `box` of the picture in
    which the slot and what it holds are seen."""

    number: int
    pose: DrinkPose
    box: Box


def slot_poses(places: Sequence[Place], centres_mm: Mapping[Spot, Point], crates: Sequence[Body]
               ) -> dict[Spot, DrinkPose]:
    """The pose of a drink in the middle of each place on a crate, as far as the places' centres are known (mm)."""
    standing = {crate.spot: crate for crate in crates}
    poses = {}
    for place in places:
        if place.on is not None and place.on in standing and place.spot in centres_mm:
            crate, centre = standing[place.on], np.array(centres_mm[place.spot])
            foot = np.array([*centre, place.floor_mm])
            poses[place.spot] = DrinkPose(foot, crate.turn_deg, opening_mm(crate, centre), RIM_MM)
    return poses


@lru_cache(maxsize=96)  # a slot stays where it is from look to look
def slot_box(view: View, pose: DrinkPose) -> Box:
    """The part of the picture in which a slot and what it holds are seen."""
    assert pose.opening_mm is not None
    return box_around(np.concatenate([view.project_at(pose.opening_mm, height) for height in (RIM_MM, BLOCK_MM)]), 0)


def learn_empty_slots(scene: Scene, crates: Sequence[Body], openings_mm: Sequence[Floats], before: Emptied | None
                      ) -> Emptied | None:
    """The remembered background of crates, updated `before` by what is now seen of empty slots, given by their openings
    (4, 2) in mm."""
    if not crates:
        return None
    corners = np.concatenate([outline_mm(crate) for crate in crates])
    box = box_around(np.concatenate([scene.view.project_at(corners, height) for height in (0.0, RIM_MM)]), 2)
    free = np.zeros((box.height, box.width), np.uint8)
    for opening in openings_mm:
        out = opening + WALL_MM * np.sign(opening - opening.mean(axis=0))
        px = scene.view.project_at(out, RIM_MM) - (box.left, box.top)
        cv2.fillConvexPoly(free, np.rint(px).astype(np.int32), 1)
    drawn = scene.hidden(box, 0, np.inf).astype(np.uint8)
    beside = cv2.dilate(drawn, np.ones((2 * COLOUR_BLEED_PX + 1, 2 * COLOUR_BLEED_PX + 1), np.uint8)) > 0
    return learn_emptied(before, box, scene.plain(box), (free > 0) & ~beside)
