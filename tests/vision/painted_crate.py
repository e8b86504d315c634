"""A crate on a navy table, painted as the eyes expect it to look, with drinks in some of its slots."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.table import Body, Drink, Place, Point, shape_of
from companion.table.crate import CRATE_MM, FLOOR_MM, slot_mm
from tests.vision.test_zones import MODELS, VIEW, WHITE, coded
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.models import Models
from vision.drinks.ring_solid import Profile, make_solid
from vision.imaging.footprints import opening_mm
from vision.photometry.background_model import CrateColours
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

NAVY, GOLD, DEPTH = (25.0, -4.0, -12.0), (60.0, 8.0, 40.0), (35.0, 8.0, 40.0)
MIRRORED, MIRRORED_PX = (61.0, 8.0, 40.0), 6
CRATE = Body("crate:1", "crate", (150.0, 40.0), CRATE_MM)
COLOURS = CrateColours(np.tile((8.0, 40.0), (20, 1)), 8.0, 62.0, 66.0)

Slot = tuple[int, int]
"""Column and row."""

SLOTS = tuple((column, row) for column in (0, 1) for row in (0, 1, 2))


def golden() -> Models:
    """Drinks whose bodies have the colour of the crate, and pale caps; the bottle's is narrow."""
    solids = {**MODELS.solids, "tallest_bottle": make_solid(Profile(36.0, 5.9, 18.0, 28.0, 2.2, 2.2))}
    textures = {drink: np.where(solids[shape_of(drink)].cap[:, None], colours, np.array((48.0, 8.0, 40.0)))
                .astype(np.float32) for drink, colours in MODELS.textures.items() if drink.startswith("red")}
    return Models(solids, textures, {}, MODELS.cost_per_nat)


def centre_mm(slot: Slot) -> Point:
    x, y = np.add(CRATE.at_mm, slot_mm(*slot)).tolist()
    return x, y


def slot_pose(slot: Slot) -> DrinkPose:
    """A drink in the middle of a slot."""
    at = np.array(centre_mm(slot))
    return DrinkPose(np.array([*at, FLOOR_MM]), 0.0, opening_mm(CRATE, at), CRATE_MM[2])


def places() -> tuple[list[Place], dict[str, Point]]:
    """The crate's slots as places, and where they are."""
    spots = {f"slot:{column},{row}": (column, row) for column, row in SLOTS}
    return ([Place(spot, slot_mm(*slot), (14.0, 14.0), ("drink",), on=CRATE.spot, floor_mm=FLOOR_MM)
             for spot, slot in spots.items()], {spot: centre_mm(slot) for spot, slot in spots.items()})


def crate_scene(
    stood: Mapping[Slot, Drink], models: Models, light: float = 1.0, mirrored: Slot | None = None,
    lit: Slot | None = None
) -> Scene:
    """The crate with these drinks; so much of the light falls into slots, but into one that is `lit` all, save behind
    two of its walls; and a lamp is mirrored in one of them, in a colour that a crate has as well."""
    bare = np.full((VIEW.lens.height, VIEW.lens.width, 3), NAVY, np.float32)
    seen = bare.copy()
    outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(CRATE_MM[:2]) / 2 + CRATE.at_mm
    openings = [opening_mm(CRATE, np.array(centre_mm(slot))) for slot in SLOTS]
    for corners, colour in [(outline, GOLD), *((opening, np.multiply(DEPTH, light)) for opening in openings)]:
        outline_px = np.rint(VIEW.project_at(corners, CRATE_MM[2])).astype(np.int32)
        cv2.fillConvexPoly(seen, outline_px, tuple(map(float, colour)))
    if lit is not None:
        opening = opening_mm(CRATE, np.array(centre_mm(lit)))
        sunny = np.rint(VIEW.project_at(opening[0] + (opening - opening[0]) * 0.8, CRATE_MM[2])).astype(np.int32)
        cv2.fillConvexPoly(seen, sunny, DEPTH)
    for slot, drink in stood.items():
        each = render_drink(VIEW, slot_pose(slot), drink, models)
        seen[each.box.slices] = each.colours + seen[each.box.slices] * (1 - each.share)
    if mirrored is not None:
        x, y = np.rint(VIEW.project(slot_pose(mirrored).foot_mm)[0]).astype(int).tolist()
        cv2.circle(seen, (x, y), MIRRORED_PX, MIRRORED, -1)
    return Scene(coded(seen), VIEW, WHITE, Bare(coded(bare), VIEW, WHITE), COLOURS, [CRATE])
