"""Slots of a crate, painted as the eyes expect them to look."""

from __future__ import annotations

import pytest

from companion.table import EMPTY, Drink
from tests.vision.painted_crate import CRATE, crate_scene, golden, slot_pose
from vision.drinks.classifier import read_drink
from vision.drinks.slot_evenness import uneven_cost
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
    assert cost > models.cost_per_nat
    plain, mirrored = (read_drink(each, pose, models).costs for each in (crate_scene({}, models), scene))
    assert mirrored[EMPTY] - cost < plain[EMPTY]  # the background alone explains the lamp for nothing
    assert mirrored[EMPTY] > plain[EMPTY] + 0.8 * cost
