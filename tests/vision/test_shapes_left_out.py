"""Shapes that the network holds for impossible are not rendered, unless it sees them where the drink was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from companion.table import EMPTY, Appearance, Drink, colour_of, shape_of
from tests.vision.test_zones import PALE, RED, VIEW, WHITE, picture
from vision.drinks import classifier, second_opinion
from vision.drinks.classifier import confirmed, read_drink
from vision.drinks.coarse_level import Compared
from vision.drinks.coarse_to_fine import CoarseToFineSearch
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior
from vision.drinks.models import Models
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.second_opinion import UNSEEN_NATS, likely_shapes, possible_shapes, unlikely
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.shapes.shape_net import BOX_HEIGHTS_MM, KINDS_TOLD

SOLIDS = {shape: make_solid(Profile(height, 5.9, height - 1.0, height, 5.3, 4.7))
          for shape, height in BOX_HEIGHTS_MM.items() if not shape.startswith("square")}
COLOURS = {"red": RED, "green": (60.0, -40.0, 20.0)}
MODELS = Models(SOLIDS, {
    f"{colour}/{shape}": np.where(solid.cap[:, None], np.array(PALE), np.array(body)).astype(np.float32)
    for shape, solid in SOLIDS.items() for colour, body in COLOURS.items()}, {}, 1500.0)
STANDS = (190.0, 0.0)
POSE = DrinkPose(np.array([*STANDS, 0.0]), 0.0)


def told(**likely: float) -> dict[Appearance, float]:
    """What the network tells: these likelihoods, and what else there is shares the rest."""
    rest = (1 - sum(likely.values())) / (len(KINDS_TOLD) - len(likely))
    return {kind: float(np.log(likely.get(kind or "none", rest))) for kind in KINDS_TOLD}


CAN, BOTTLE = told(stub_can=0.99), told(tallest_bottle=0.99)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The shapes that are compared, search after search."""
    searched: list[set[str]] = []

    def search(compared: Compared) -> CoarseToFineSearch:
        searched.append({pose.shape for pose in compared.poses})
        return CoarseToFineSearch(compared)

    monkeypatch.setattr(classifier, "CoarseToFineSearch", search)
    return searched


def sees(patch: pytest.MonkeyPatch, found: Mapping[Appearance, float]) -> None:
    """Lets the network tell this of where a drink was found."""
    def shape_nats(*_: Any, **__: Any) -> Mapping[Appearance, float]:
        return found

    patch.setattr(second_opinion, "shape_nats", shape_nats)


def scene(drink: Drink) -> Scene:
    return Scene(picture({STANDS: drink}, models=MODELS), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)


@pytest.mark.parametrize(("seen", "likely", "possible"), [
    (told(stub_can=0.99), {"stub_can"}, {"stub_can", "short_can"}),
    (told(short_can=0.99), {"short_can"}, {"stub_can", "short_can", "tall_can"}),
    (told(tallest_bottle=0.9, stub_can=0.09), {"stub_can", "tallest_bottle"},
     {"stub_can", "short_can", "not_tallest_bottle", "tallest_bottle"}),
    (told(), set(SOLIDS), set(SOLIDS)),
])
def test_likely_shapes_are_possible_and_those_next_to_them(
    seen: Mapping[Appearance, float], likely: set[str], possible: set[str]
) -> None:
    assert {*likely_shapes(seen, MODELS)} == likely
    assert possible_shapes(seen, MODELS) == possible


def test_all_shapes_are_possible_and_none_is_behind_where_the_network_was_not_asked() -> None:
    assert possible_shapes(None, MODELS) == set(SOLIDS)
    assert unlikely(None, MODELS) == {}


def test_a_shape_is_as_far_behind_as_the_network_puts_it() -> None:
    behind = unlikely(told(stub_can=0.8, tall_can=0.1), MODELS)
    assert behind["stub_can"] == 0.0
    assert behind["tall_can"] == pytest.approx(MODELS.cost_per_nat * np.log(8))


def test_impossible_shapes_are_left_out_and_told_far_behind(monkeypatch: pytest.MonkeyPatch, rendered: list[set[str]]
                                                            ) -> None:
    sees(monkeypatch, CAN)
    reading = read_drink(scene("red/stub_can"), POSE, MODELS, DrinkPrior(seen=CAN))
    assert rendered == [{"stub_can", "short_can"}]
    assert (reading.best, {*reading.turns_deg}, reading.told) == ("red/stub_can", {"stub_can", "short_can"}, CAN)
    costs = reading.rendered_costs
    assert costs.keys() == {EMPTY, *MODELS.textures}
    of_red = min(cost for drink, cost in costs.items() if drink != EMPTY and colour_of(drink) == "red")
    assert costs["red/tallest_bottle"] == pytest.approx(of_red + UNSEEN_NATS * MODELS.cost_per_nat)
    assert {shape_of(drink) for drink in reading.feet_mm} == set(SOLIDS)
    assert reading.turn_of("tallest_bottle") == POSE.turn_deg


def test_all_are_rendered_where_the_network_sees_another_shape_once_the_drink_is_found(
    monkeypatch: pytest.MonkeyPatch, rendered: list[set[str]]
) -> None:
    sees(monkeypatch, BOTTLE)
    reading = read_drink(scene("red/tallest_bottle"), POSE, MODELS, DrinkPrior(seen=CAN))
    assert rendered == [{"stub_can", "short_can"}, set(SOLIDS)]
    assert (reading.best, {*reading.turns_deg}) == ("red/tallest_bottle", set(SOLIDS))


def test_all_are_rendered_where_no_possible_shape_explains_what_is_seen(monkeypatch: pytest.MonkeyPatch,
                                                                        rendered: list[set[str]]) -> None:
    sees(monkeypatch, told(none=0.99))
    read_drink(Scene(picture({}), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None), POSE, MODELS,
               DrinkPrior(seen=CAN))
    assert rendered == [{"stub_can", "short_can"}, set(SOLIDS)]


def test_a_reading_is_confirmed_by_the_shapes_that_were_rendered(monkeypatch: pytest.MonkeyPatch,
                                                                rendered: list[set[str]]) -> None:
    sees(monkeypatch, CAN)
    here = scene("red/stub_can")
    before = read_drink(here, POSE, MODELS, DrinkPrior(seen=CAN))
    rendered.clear()
    again = confirmed(here, before, MODELS, 0)
    assert again is not None
    assert again.best == before.best
    assert set().union(*rendered) == {*before.turns_deg}
