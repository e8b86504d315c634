"""The drinks of enrolment pictures as exemplars, with refined feet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Body, Piece
from companion.table.crate import FLOOR_MM, RIM_MM
from vision.drinks.band_texture import learn_textures
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose, moved_to
from vision.drinks.exemplar import Exemplar
from vision.drinks.foot_search import find_foot
from vision.drinks.models import Models
from vision.drinks.ring_solid import Solid
from vision.enrolment.opened_picture import OpenedPicture
from vision.enrolment.picture_set import LaidPiece
from vision.imaging.box import box_around
from vision.imaging.footprints import is_within, opening_mm, slot_centres_mm
from vision.scene.occluders import far_mm
from vision.scene.scene import Scene

DRINK_RADIUS_MM, EXEMPLAR_MARGIN_PX = 7, 8
"""The half width of an exemplar's box about its axis, and a margin."""

USUAL_COST_PER_NAT = 2000.0
"""The initial cost of one nat, before it is calibrated."""


@dataclass(frozen=True, slots=True, eq=False)
class PicturedDrink:
    """An exemplar, and the index of the picture that shows it."""

    picture: int
    exemplar: Exemplar


def exemplars_of(drinks: Sequence[PicturedDrink]) -> list[Exemplar]:
    """The exemplars alone."""
    return [each.exemplar for each in drinks]


def extract_exemplars(opened: Sequence[OpenedPicture], scenes: Sequence[Scene], sizes: Mapping[str, Piece]
                      ) -> tuple[list[PicturedDrink], list[PicturedDrink]]:
    """Drinks on the open table, and in crates."""
    on_table: list[PicturedDrink] = []
    in_crates: list[PicturedDrink] = []
    for picture, (each, scene) in enumerate(zip(opened, scenes)):
        for laid in each.of_kind("drink", sizes):
            number = len(on_table) + len(in_crates) + 1
            exemplar = _exemplar(scene, laid, _pose(laid, each.crates), sizes[laid.appearance].size_mm[2], number)
            (in_crates if exemplar.pose.in_slot else on_table).append(PicturedDrink(picture, exemplar))
    return on_table, in_crates


def _exemplar(scene: Scene, laid: LaidPiece, pose: DrinkPose, height_mm: float, number: int) -> Exemplar:
    across = (-DRINK_RADIUS_MM, DRINK_RADIUS_MM)
    corners = np.array([(x, y, z) for x in across for y in across for z in (0, height_mm)], np.float64)
    box = box_around(scene.view.project(pose.foot_mm + corners), EXEMPLAR_MARGIN_PX)
    seen = scene.plain(box)
    return Exemplar(laid.appearance, number, pose, scene.view, box, seen, scene.background(box, seen),
                    np.ones((box.height, box.width), np.bool_))


def _pose(laid: LaidPiece, crates: Sequence[Body]) -> DrinkPose:
    """The pose of a laid drink: in the slot of a crate, or on the table."""
    for crate in crates:
        if is_within(crate, laid.at_mm):
            centres = slot_centres_mm(crate)
            centre = centres[int(np.argmin(np.linalg.norm(centres - laid.at_mm, axis=1)))]
            return DrinkPose(np.array([*laid.at_mm, FLOOR_MM]), laid.turn_deg, opening_mm(crate, centre), RIM_MM)
    return DrinkPose(np.array([*laid.at_mm, 0.0]), laid.turn_deg)


def settle_feet(scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], solids: Mapping[str, Solid]
                ) -> list[PicturedDrink]:
    """The drinks with feet refined by search: hands lay them within some mm, and cards are measured to 0.3 mm."""
    models = Models(solids, *learn_textures(exemplars_of(drinks), solids), USUAL_COST_PER_NAT)
    settled = []
    for each in drinks:
        foot = find_foot(scenes[each.picture], each.exemplar.pose, each.exemplar.drink, models)
        settled.append(_with(each, replace(each.exemplar, pose=moved_to(each.exemplar.pose, foot))))
    return settled


def among_others(scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], models: Models) -> list[PicturedDrink]:
    """Render all drinks into their scenes, and update the background and the occlusion of each by the others."""
    for each in drinks:
        own = each.exemplar
        scenes[each.picture].draw(own.number, render_drink(own.view, own.pose, own.drink, models))
    found = []
    for each in drinks:
        scene, own = scenes[each.picture], each.exemplar
        hidden = scene.hidden(own.box, own.number, far_mm(own.view, own.pose.foot_mm))
        behind = scene.background(own.box, own.seen, own.number)
        found.append(_with(each, replace(own, behind=behind, shown=~hidden)))
    return found


def _with(drink: PicturedDrink, exemplar: Exemplar) -> PicturedDrink:
    return replace(drink, exemplar=exemplar)
