"""Slots of a crate, painted as the eyes expect them to look."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table import EMPTY, Drink
from tests.vision.painted_crate import CRATE, crate_scene, golden, slot_pose
from vision.drinks.classifier import FREE_LIGHT_NATS, UNEVEN_NATS, read_drink
from vision.drinks.models import Models
from vision.drinks.slot_evenness import altered_cost, raised_cost, uneven_cost
from vision.drinks.slot_geometry import learn_empty_slots

SLOT = (0, 1)


@pytest.mark.parametrize("drink", ["red/stub_can", "red/tallest_bottle"])
def test_a_drink_of_the_crates_colour_is_seen_by_its_cap(drink: Drink) -> None:
    models = golden()
    scene, pose = crate_scene({SLOT: drink}, models), slot_pose(SLOT)
    reading = read_drink(scene, pose, models)
    assert not reading.is_empty
    assert reading.best == drink


def test_an_empty_slot_is_empty() -> None:
    models = golden()
    scene, pose = crate_scene({}, models), slot_pose(SLOT)
    assert read_drink(scene, pose, models).is_empty


def test_a_slot_that_was_in_shadow_while_it_was_empty_is_still_empty_in_the_light() -> None:
    models = golden()
    shaded, lit, pose = crate_scene({}, models, light=0.5), crate_scene({}, models), slot_pose(SLOT)
    assert pose.opening_mm is not None
    lit.recall(learn_empty_slots(shaded, [CRATE], [pose.opening_mm], None))
    reading = read_drink(lit, pose, models)
    assert reading.is_empty
    assert reading.costs[reading.best] - reading.costs[EMPTY] > 10 * models.cost_per_nat


@pytest.mark.parametrize("light", [0.4, 1.0])
def test_a_slot_that_is_lit_evenly_may_be_empty(light: float) -> None:
    assert uneven_cost(crate_scene({}, golden(), light), slot_pose(SLOT)) == 0


def test_a_lamp_mirrored_in_the_crates_colour_speaks_against_an_empty_slot() -> None:
    models, pose = golden(), slot_pose(SLOT)
    scene = crate_scene({}, models, mirrored=SLOT)
    cost = uneven_cost(scene, pose)
    besides = cost + FREE_LIGHT_NATS * models.cost_per_nat
    assert cost > models.cost_per_nat
    plain, mirrored = (read_drink(each, pose, models).costs for each in (crate_scene({}, models), scene))
    assert mirrored[EMPTY] - besides < plain[EMPTY]  # the background alone explains the lamp for nothing
    assert mirrored[EMPTY] > plain[EMPTY] + 0.8 * cost


def test_a_middle_that_is_lighter_than_all_corners_speaks_against_an_empty_slot() -> None:
    models, pose = golden(), slot_pose(SLOT)
    assert raised_cost(crate_scene({}, models, light=0.4, mirrored=SLOT), pose, 0) > 10 * models.cost_per_nat
    assert raised_cost(crate_scene({}, models, light=0.4), pose, 0) == 0
    assert raised_cost(crate_scene({}, models, light=0.4, lit=SLOT), pose, 0) == 0


def camouflaged() -> Models:
    """Drinks all in the colour of the crate: their lids are a little lighter than its floor, their sides dark."""
    models = golden()
    textures = {drink: np.where(models.solids["stub_can"].cap[:, None], (58.0, 8.0, 40.0), (15.0, 8.0, 40.0))
                .astype(np.float32) for drink in models.textures if drink.endswith("stub_can")}
    solids = {"stub_can": models.solids["stub_can"]}
    return Models(solids, textures, {}, models.cost_per_nat)


def test_a_drink_all_in_the_crates_colour_is_seen_where_the_slot_was_seen_empty() -> None:
    models, pose = camouflaged(), slot_pose(SLOT)
    assert pose.opening_mm is not None
    scene = crate_scene({SLOT: "red/stub_can"}, models)
    scene.recall(learn_empty_slots(crate_scene({}, models), [CRATE], [pose.opening_mm], None))
    known = read_drink(scene, pose, models)  # a crate has all these colours itself, in more and in less light
    for_empty = (FREE_LIGHT_NATS + UNEVEN_NATS) * models.cost_per_nat
    assert altered_cost(scene, pose, 0) > for_empty
    assert known.costs[EMPTY] - for_empty < known.costs["red/stub_can"] < known.costs[EMPTY]


@pytest.mark.parametrize("light", [0.4, 0.7, 1.0])
def test_an_empty_slot_in_other_light_looks_as_it_did(light: float) -> None:
    models, pose = camouflaged(), slot_pose(SLOT)
    assert pose.opening_mm is not None
    scene = crate_scene({}, models, light)
    assert altered_cost(scene, pose, 0) == 0, "nothing is known of it yet"
    scene.recall(learn_empty_slots(crate_scene({}, models), [CRATE], [pose.opening_mm], None))
    assert altered_cost(scene, pose, 0) == 0
