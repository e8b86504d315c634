"""What the network adds to readings, with a network that says what the test wants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.table import EMPTY, Appearance, Drink, Point, shape_of
from tests.vision.test_zones import VIEW, WHITE
from vision.drinks import second_opinion
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.second_opinion import (
    NETWORK_SHARE,
    RENDERED_SHARE,
    is_seen,
    is_there,
    seen_in_slot,
    with_added,
    with_shapes,
)
from vision.scene.scene import Scene
from vision.shapes.shape_net import KINDS_TOLD

PER_NAT = 1000.0
STUB, SHORT = "red/stub_can", "red/short_can"
IN_SLOT = np.array([(0.0, 0.0), (13.0, 0.0), (13.0, 13.0), (0.0, 13.0)])


def models(stub_mm: float = 12.0) -> Models:
    solids = {"stub_can": make_solid(Profile(stub_mm, 5.9, 11.0, 12.0, 5.3, 4.7)),
              "short_can": make_solid(Profile(16.0, 5.9, 15.0, 16.0, 5.3, 4.7))}
    return Models(solids, {}, {}, PER_NAT)


def reading(costs: Mapping[Appearance, float], pose: DrinkPose) -> DrinkReading:
    feet: dict[Drink, Point] = {STUB: (100.0, 0.0), SHORT: (98.0, 0.0)}
    best = min((drink for drink in costs if drink != EMPTY), key=costs.__getitem__)
    turns = {shape_of(drink): 0.0 for drink in feet}
    offsets = {"stub_can": (1, 0), "short_can": (2, 0)}
    return DrinkReading(pose, costs, feet, best, offsets[shape_of(best)], 0.0, 100, turns, offsets)


@pytest.fixture
def scene() -> Scene:
    return Scene(np.zeros((VIEW.lens.height, VIEW.lens.width, 3), np.uint8), VIEW, WHITE, None, None)


def says(patch: pytest.MonkeyPatch, *told: Mapping[Appearance, float]) -> list[Any]:
    """Lets the network tell these likelihoods in turn; what else there is shares the rest. Returns where it looked."""
    looked: list[Any] = []

    def shape_nats(picture: Any, foot_mm: Any, in_slot: bool) -> dict[Appearance, float]:
        likely = told[min(len(looked), len(told) - 1)]
        looked.append((float(foot_mm[0]), in_slot))
        rest = (1 - sum(likely.values())) / (len(KINDS_TOLD) - len(likely))
        return {kind: float(np.log(likely.get(kind, rest))) for kind in KINDS_TOLD}

    patch.setattr(second_opinion, "shape_nats", shape_nats)
    return looked


def test_each_counts_its_share(monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    looked = says(monkeypatch, {"stub_can": 0.1, "short_can": 0.8, EMPTY: 0.01})
    pose = DrinkPose(np.array([90.0, 5.0, 1.2]), 0.0, IN_SLOT, 12.0)
    before = reading({EMPTY: 20 * PER_NAT, STUB: 10 * PER_NAT, SHORT: 11 * PER_NAT}, pose)
    after = with_shapes(scene, before, models(), None)
    assert looked == [(90.0, True)]  # the slot's middle
    assert after.best == SHORT
    assert after.offset == (2, 0)
    off = (after.costs[STUB] - after.costs[SHORT]) / PER_NAT
    assert off == pytest.approx(NETWORK_SHARE * np.log(8) - RENDERED_SHARE * 1.0)
    assert after.rendered_costs == pytest.approx(before.costs)
    assert after.misfit == pytest.approx(before.misfit)


@pytest.mark.parametrize(("told", "stub_mm", "sees"), [
    ({"tall_can": 0.9, EMPTY: 0.01}, 12.0, True),
    ({EMPTY: 0.6}, 12.0, False),
    ({"tall_can": 0.9, EMPTY: 0.01}, 20.0, False),
])
def test_it_sees_a_drink_in_a_slot_that_looks_bare(
    monkeypatch: pytest.MonkeyPatch, scene: Scene, told: Mapping[Appearance, float], stub_mm: float, sees: bool
) -> None:
    says(monkeypatch, told)
    pose = DrinkPose(np.array([90.0, 5.0, 1.2]), 0.0, IN_SLOT, 12.0)
    assert is_seen(seen_in_slot(scene, pose, models(stub_mm))) is sees


@pytest.mark.parametrize(("presence_nats", "gain", "there"), [
    (0.0, 100.0, True), (0.0, 99.0, False), (-0.1, 900.0, False), (2.0, 50.0, True), (2.0, 49.0, False),
    (4.0, 0.0, True), (4.0, -1.0, False), (9.0, -1.0, False),
])
def test_the_surer_it_sees_a_drink_the_less_that_has_to_save(presence_nats: float, gain: float, there: bool) -> None:
    seen = reading({EMPTY: 500.0, STUB: 500.0 - gain}, DrinkPose(np.array([99.0, 0.0, 0.0]), 0.0))
    assert is_there(replace(seen, presence_nats=presence_nats), 100.0) is there


def test_it_tells_that_nothing_is_there(monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    says(monkeypatch, {EMPTY: 0.994})
    pose = DrinkPose(np.array([90.0, 5.0, 1.2]), 0.0, IN_SLOT, 12.0)
    before = reading({EMPTY: 12 * PER_NAT, STUB: 10 * PER_NAT, SHORT: 14 * PER_NAT}, pose)
    after = with_shapes(scene, before, models(), None)
    assert after.is_empty


def test_on_the_open_table_it_looks_around_the_feet_of_all_likely_shapes(monkeypatch: pytest.MonkeyPatch, scene: Scene
                                                                         ) -> None:
    looked = says(monkeypatch, {"short_can": 0.9}, {"stub_can": 0.9})
    pose = DrinkPose(np.array([99.0, 0.0, 0.0]), 0.0)
    before = reading({EMPTY: 40 * PER_NAT, STUB: 10 * PER_NAT, SHORT: 11 * PER_NAT}, pose)
    after = with_shapes(scene, before, models(), None)
    assert sorted(looked) == [(98.0, False), (100.0, False)]
    off = (after.costs[SHORT] - after.costs[STUB]) / PER_NAT
    assert off == pytest.approx(RENDERED_SHARE)  # around each foot it says what is seen from there
    looked.clear()
    with_shapes(scene, reading({EMPTY: 40 * PER_NAT, STUB: 10 * PER_NAT, SHORT: 20 * PER_NAT}, pose), models(), None)
    assert looked == [(100.0, False)]


def test_a_slot_that_was_seen_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    looked = says(monkeypatch, {EMPTY: 0.9})
    pose = DrinkPose(np.array([90.0, 5.0, 1.2]), 0.0, IN_SLOT, 12.0)
    seen = seen_in_slot(scene, pose, models())
    before = reading({EMPTY: 20 * PER_NAT, STUB: 10 * PER_NAT, SHORT: 11 * PER_NAT}, pose)
    assert with_shapes(scene, before, models(), seen).told == seen
    assert len(looked) == 1


def test_drinks_of_another_height_are_not_asked_about(monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    looked = says(monkeypatch, {EMPTY: 0.9})
    before = reading({EMPTY: 1.0, STUB: 2.0, SHORT: 3.0}, DrinkPose(np.array([99.0, 0.0, 0.0]), 0.0))
    assert with_shapes(scene, before, models(stub_mm=14.0), None) is before
    assert not looked


def test_what_was_added_is_added_to_every_colour() -> None:
    added = {EMPTY: 5.0, "stub_can": -2.0}
    costs = {EMPTY: 1.0, "red/stub_can": 1.0, "blue/stub_can": 2.0}
    assert with_added(costs, added) == {EMPTY: 6.0, "red/stub_can": -1.0, "blue/stub_can": 0.0}
    assert with_added(costs, {}) == costs
