"""Slots of a crate, painted as the eyes expect them to look."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import EMPTY, Body, Drink, shape_of
from companion.table.crate import CRATE_MM, FLOOR_MM, slot_mm
from tests.vision.test_zones import MODELS, VIEW, WHITE, coded
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.models import Models
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.slot_geometry import learn_empty_slots
from vision.imaging.footprints import opening_mm
from vision.photometry.background_model import CrateColours
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

NAVY, GOLD, DEPTH = (25.0, -4.0, -12.0), (60.0, 8.0, 40.0), (35.0, 8.0, 40.0)
CRATE = Body("crate:1", "crate", (150.0, 40.0), CRATE_MM)
COLOURS = CrateColours(np.tile((8.0, 40.0), (20, 1)), 8.0, 62.0, 66.0)


def golden() -> Models:
    """Drinks whose bodies have the colour of the crate, and pale caps; the bottle's is narrow."""
    solids = {**MODELS.solids, "tallest_bottle": make_solid(Profile(36.0, 5.9, 18.0, 28.0, 2.2, 2.2))}
    textures = {drink: np.where(solids[shape_of(drink)].cap[:, None], colours, np.array((48.0, 8.0, 40.0)))
                .astype(np.float32) for drink, colours in MODELS.textures.items() if drink.startswith("red")}
    return Models(solids, textures, {}, MODELS.cost_per_nat)


def scene_with(drink: Drink | None, models: Models, light: float = 1.0) -> tuple[Scene, DrinkPose]:
    """A crate in one slot of which a drink may stand, and that slot; so much of the light falls into slots."""
    at = np.add(CRATE.at_mm, slot_mm(0, 1))
    pose = DrinkPose(np.array([*at, FLOOR_MM]), 0.0, opening_mm(CRATE, at), CRATE_MM[2])
    bare = np.full((VIEW.lens.height, VIEW.lens.width, 3), NAVY, np.float32)
    seen = bare.copy()
    half = np.array(CRATE_MM[:2]) / 2
    outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + CRATE.at_mm
    slots = [opening_mm(CRATE, np.add(CRATE.at_mm, slot_mm(column, row))) for column in (0, 1) for row in (0, 1, 2)]
    for corners, colour in [(outline, GOLD), *((slot, np.multiply(DEPTH, light)) for slot in slots)]:
        cv2.fillConvexPoly(seen, np.rint(VIEW.project_at(corners, CRATE_MM[2])).astype(np.int32), colour)
    if drink is not None:
        each = render_drink(VIEW, pose, drink, models)
        seen[each.box.slices] = each.colours + seen[each.box.slices] * (1 - each.share)
    return Scene(coded(seen), VIEW, WHITE, Bare(coded(bare), VIEW, WHITE), COLOURS, [CRATE]), pose


@pytest.mark.parametrize("drink", ["red/stub_can", "red/tallest_bottle"])
def test_a_drink_of_the_crates_colour_is_seen_by_its_cap(drink: Drink) -> None:
    models = golden()
    scene, pose = scene_with(drink, models)
    reading = read_drink(scene, pose, models)
    assert not reading.is_empty
    assert reading.best == drink


def test_an_empty_slot_is_empty() -> None:
    models = golden()
    scene, pose = scene_with(None, models)
    assert read_drink(scene, pose, models).is_empty


def test_a_slot_that_was_in_shadow_while_it_was_empty_is_still_empty_in_the_light() -> None:
    models = golden()
    shaded, pose = scene_with(None, models, light=0.5)
    lit, _ = scene_with(None, models)
    assert pose.opening_mm is not None
    lit.recall(learn_empty_slots(shaded, [CRATE], [pose.opening_mm], None))
    reading = read_drink(lit, pose, models)
    assert reading.is_empty
    assert reading.costs[reading.best] - reading.costs[EMPTY] > 10 * models.cost_per_nat
