"""Drinks that the network sees where renderings would not look, in paintings: it is told where they are."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.table import EMPTY, Point
from tests.vision.test_zones import MODELS, VIEW, WHITE, ZONE, picture
from vision.drinks import feet_seen, second_opinion, zone_detector
from vision.drinks.classifier import FREE_LIGHT_NATS, read_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.feet_seen import GRID_MM, FeetSeen
from vision.drinks.zone_detector import read_zone
from vision.drinks.zone_rereading import MIN_SPACING_MM
from vision.imaging.box import Box
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.shapes.shape_net import KINDS_TOLD

STANDS: Point = (180.0, 0.0)


def sees(patch: pytest.MonkeyPatch, *feet: Point) -> list[Point]:
    """Lets the network see drinks at these feet, and nothing 4 mm from them. Returns where it was asked."""
    asked: list[Point] = []

    def shape_nats(picture: Any, foot_mm: Any, in_slot: bool, mirrored: bool = True) -> dict[str, float]:
        asked.append((float(foot_mm[0]), float(foot_mm[1])))
        far = min((float(np.hypot(*np.subtract(foot, foot_mm[:2]))) for foot in feet), default=np.inf)
        likely = {EMPTY: 0.001, "stub_can": 0.9} if far < 4 else {EMPTY: 0.99}
        rest = (1 - sum(likely.values())) / (len(KINDS_TOLD) - len(likely))
        return {kind: float(np.log(likely.get(kind, rest))) for kind in KINDS_TOLD}

    for module in (feet_seen, second_opinion):
        patch.setattr(module, "shape_nats", shape_nats)
    return asked


def scene() -> Scene:
    return Scene(picture({STANDS: "red/stub_can"}), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)


def blob(box: Box) -> Any:
    """The lower half of what is seen of the drink."""
    mask = np.zeros((box.height, box.width), np.uint8)
    column, row = np.rint(VIEW.project(np.array([*STANDS, 0.0]))[0]).astype(int) - (box.left, box.top)
    mask[row:row + 16, column - 16:column + 16] = 1
    return mask


def test_the_surest_foot_of_the_grid_is_found_and_none_is_asked_about_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = sees(monkeypatch, STANDS)
    left, top = np.rint(VIEW.project(np.array([*STANDS, 0.0]))[0]).astype(int) - 60
    box = Box(int(left), int(top), 120, 120)
    seen = FeetSeen(scene(), MODELS, box, {})
    foot = seen.best(blob(box), (), 2.0)
    assert foot is not None
    assert np.hypot(*np.subtract(foot, STANDS)) < GRID_MM
    assert len(asked) == len(set(asked)) < 60
    before = len(asked)
    assert seen.best(blob(box), (), 2.0) == foot
    assert len(asked) == before


def test_it_is_not_asked_where_another_drink_leaves_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = sees(monkeypatch, STANDS)
    left, top = np.rint(VIEW.project(np.array([*STANDS, 0.0]))[0]).astype(int) - 60
    box, other = Box(int(left), int(top), 120, 120), (STANDS[0] + 2.0, STANDS[1])
    assert FeetSeen(scene(), MODELS, box, {}).best(blob(box), [other], 2.0) is None
    assert asked
    assert min(np.hypot(*np.subtract(foot, other)) for foot in asked) >= MIN_SPACING_MM


def test_where_the_network_sees_none_nothing_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch)

    def rendered(*_: object) -> None:
        pytest.fail("a drink was rendered")

    monkeypatch.setattr(zone_detector, "read_drink", rendered)
    assert not read_zone(scene(), ZONE, MODELS)


def test_a_drink_is_found_though_its_silhouette_is_sought_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    sees(monkeypatch, STANDS)
    aside = (STANDS[0] + 12, STANDS[1])
    monkeypatch.setattr(zone_detector, "_feet", lambda zone, blob: [(aside, "stub_can")])
    found = read_zone(scene(), ZONE, MODELS)
    assert [np.hypot(*np.subtract(each.at_mm, STANDS)) < 1 for each in found] == [True]


def test_that_the_table_lies_in_a_shadow_where_the_network_sees_a_drink_costs_as_much_as_an_empty_slot(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    sees(monkeypatch, STANDS)
    clear = picture({})
    bare, pose = Bare(clear, VIEW, WHITE), DrinkPose(np.array([*STANDS, 0.0]), 0.0)
    lit, shaded = (
        read_drink(Scene((light * clear).astype(np.uint8), VIEW, WHITE, bare, None), pose, MODELS).added[EMPTY]
        for light in (1.0, 0.7))
    assert shaded - lit == pytest.approx(FREE_LIGHT_NATS * MODELS.cost_per_nat, rel=0.01)


@pytest.mark.parametrize(("size_mm", "sought"), [(5.0, False), (20.0, True)])
def test_around_a_stain_that_is_smaller_than_a_drink_none_is_sought_where_surely_none_is_seen(
    monkeypatch: pytest.MonkeyPatch, size_mm: float, sought: bool
) -> None:
    asked = sees(monkeypatch)
    monkeypatch.setattr(zone_detector, "_find_strewn", lambda *_: None)
    corners = np.array(STANDS) + size_mm / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    stained = picture({}).copy()
    cv2.fillConvexPoly(stained, np.rint(VIEW.project_at(corners, 0.0)).astype(np.int32), (40, 40, 200))
    assert not read_zone(Scene(stained, VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None), ZONE, MODELS)
    assert asked
    assert (len(asked) > 2) is sought
