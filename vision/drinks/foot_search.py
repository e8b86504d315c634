"""Localisation of a known drink."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.domain import PlacedSolid
from vision.drinks.drink_pose import HALO_PX, DrinkPose, image_to_table, paint_drink
from vision.drinks.models import Models
from vision.drinks.pattern_search import NEIGHBOURHOODS, STEPS_UNITS, UNIT_PX, ShiftTrial, descend
from vision.drinks.pixel_coverage import cover_pixels
from vision.drinks.rendering import render
from vision.drinks.residual import render_costs
from vision.drinks.ring_raster import at_centres, project_rings
from vision.drinks.search_area import crop_around
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import box_around
from vision.scene.scene import Scene

SEARCH_MARGIN_PX = 4
"""The margin of the search box around the drink's halo."""


def find_foot(scene: Scene, pose: DrinkPose, drink: Drink, models: Models, reach_mm: float = 1.2) -> Floats:
    """The foot (2,) of a known drink in the table frame, in mm, near a pose, by pattern search."""
    view, solid = scene.view, models.solids[shape_of(drink)]
    rings = project_rings(view, solid, pose.foot_mm, pose.turn_deg)
    box = box_around(rings, HALO_PX + SEARCH_MARGIN_PX)
    painted = paint_drink(view, solid, pose, box)
    crop = crop_around(scene, box, at_centres(painted) > 0, pose)
    placed = PlacedSolid(solid, painted, models.shading.get(shape_of(drink)), rings - (box.left, box.top))
    coverage = cover_pixels([placed], crop.domain, image_to_table(view, pose.foot_mm))
    renderings = render(coverage, models.textures[drink][None, None], mixture=scene.shadow.mixture)
    reach = int(reach_mm * view.px_per_mm(pose.foot_mm[:2], float(pose.foot_mm[2])) / UNIT_PX)

    def costs(trials: Sequence[ShiftTrial]) -> Values:
        return render_costs(crop, renderings, [0] * len(trials), [offset for _, offset in trials])

    at = middle = {0: (0, 0)}
    for step, neighbours in zip(STEPS_UNITS, NEIGHBOURHOODS):
        at = {0: descend(costs, at, step, middle, reach, neighbours)[0][1]}
    foot_px = view.project(pose.foot_mm)[0] + np.array(at[0]) * UNIT_PX
    return np.asarray(view.to_table(foot_px, float(pose.foot_mm[2]))[0], np.float64)
