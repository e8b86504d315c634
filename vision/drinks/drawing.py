"""Drinks that were read, rendered into the scene as background and occluders of their neighbours."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from companion.table import Drink, Point, shape_of
from vision.drinks.drink_pose import HALO_PX, DrinkPose, paint_drink
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.rendering import blend
from vision.drinks.ring_raster import outline_of, project_rings
from vision.imaging.arrays import Floats
from vision.imaging.box import box_around
from vision.imaging.camera import View
from vision.scene.occluders import Drawn, far_mm
from vision.scene.scene import Scene


@lru_cache(maxsize=96)  # what stands untouched is asked for again in every picture
def outline_px(view: View, reading: DrinkReading, models: Models) -> Floats:
    """The convex silhouette (n, 2) in px of the drink that was read."""
    foot = np.array([*reading.at_mm, reading.pose.foot_mm[2]])
    return outline_of(view, models.solids[shape_of(reading.best)], foot, reading.turn_deg)


def draw_reading(scene: Scene, number: int, reading: DrinkReading, models: Models) -> None:
    """Render the drink that was read into the scene, with this number."""
    scene.draw(number, _drawn(scene.view, reading.pose, reading.best, reading.at_mm, reading.turn_deg, models))


@lru_cache(maxsize=96)  # what stands untouched is drawn into every picture
def _drawn(view: View, pose: DrinkPose, drink: Drink, at_mm: Point, turn_deg: float, models: Models) -> Drawn:
    """The rendering of a drink at a position (mm) near a pose."""
    there = replace(pose, foot_mm=np.array([*at_mm, pose.foot_mm[2]]), turn_deg=turn_deg)
    return render_drink(view, there, drink, models)


def render_drink(view: View, pose: DrinkPose, drink: Drink, models: Models) -> Drawn:
    """The rendering of a drink in a pose."""
    solid = models.solids[shape_of(drink)]
    box = box_around(project_rings(view, solid, pose.foot_mm, pose.turn_deg), HALO_PX)
    colours, share = blend(paint_drink(view, solid, pose, box), solid, models.textures[drink])
    return Drawn(box, colours, share, far_mm(view, pose.foot_mm))
