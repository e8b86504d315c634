"""Drinks on the bare table, painted as the eyes expect them to look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from companion.table import Drink, Point, shape_of
from vision.drinks import zone_detector
from vision.drinks.classifier import read_drink
from vision.drinks.coarse_to_fine import CoarseToFineSearch
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.silhouettes import Silhouettes
from vision.drinks.zone_changes import ZoneChanges
from vision.drinks.zone_detector import read_zone
from vision.imaging.arrays import Values
from vision.imaging.box import Box
from vision.imaging.camera import View, module_3_lens
from vision.imaging.frame import Image
from vision.photometry.white_reference import GAMMA, OPPONENT, PAPER_REFLECTANCE, White
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

VIEW = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0]))
"""A camera that looks straight down from 600 mm."""

WHITE = White(np.zeros((3, 3)), np.ones(3), {})
NAVY, RED, PALE = (25.0, -4.0, -12.0), (40.0, 45.0, 25.0), (85.0, 0.0, 2.0)
SOLIDS = {"stub_can": make_solid(Profile(12.0, 5.9, 11.0, 12.0, 5.3, 4.7)),
          "tallest_bottle": make_solid(Profile(36.0, 5.9, 18.0, 28.0, 3.3, 3.3))}
ZONE = ((130.0, -60.0), (260.0, -60.0), (260.0, 60.0), (130.0, 60.0))


def texture(drink: Drink) -> Values:
    """A body of the drink's colour, below a pale cap."""
    body = np.array(RED if drink.startswith("red") else NAVY)
    return np.where(SOLIDS[shape_of(drink)].cap[:, None], np.array(PALE), body).astype(np.float32)


DRINKS = ("red/stub_can", "red/tallest_bottle", "navy/stub_can", "navy/tallest_bottle")
MODELS = Models(SOLIDS, {drink: texture(drink) for drink in DRINKS}, {}, 1500.0)


@pytest.fixture(autouse=True)
def by_renderings_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network has learned how drinks look, not how these are painted."""
    monkeypatch.setattr(Models, "network_knows", False)


def picture(stood: Mapping[Point, Drink], table: tuple[float, float, float] = NAVY, models: Models = MODELS) -> Image:
    """A table with these drinks."""
    seen = np.full((VIEW.lens.height, VIEW.lens.width, 3), table, np.float32)
    for at_mm, drink in stood.items():
        each = render_drink(VIEW, DrinkPose(np.array([*at_mm, 0.0]), 0.0), drink, models)
        seen[each.box.slices] = each.colours + seen[each.box.slices] * (1 - each.share)
    return coded(seen)


def coded(seen: Values) -> Image:
    """Colours (h, w, 3) Lab as a picture has them."""
    light = np.clip(seen @ np.linalg.inv(OPPONENT).T / PAPER_REFLECTANCE ** (1 / GAMMA), 0, 1) ** GAMMA
    level = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * level), np.uint8)


@pytest.mark.parametrize(("aside_mm", "told"), [(0.0, 1), (9.0, 1), (12.5, 0)])
def test_a_drink_that_is_found_beyond_the_tolerance_of_a_zone_is_not_told(
    monkeypatch: pytest.MonkeyPatch, aside_mm: float, told: int
) -> None:
    at = (260.0 + aside_mm, 0.0)
    monkeypatch.setattr(zone_detector, "_feet", lambda zone, blob: [(min(at, (269.5, 0.0)), "stub_can")])
    image = picture({at: "red/stub_can"})
    assert len(read_zone(Scene(image, VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None), ZONE, MODELS)) == told


def test_a_bottle_that_looks_like_the_table_is_found_by_its_lid() -> None:
    stood: dict[Point, Drink] = {(160.0, -40.0): "red/stub_can", (160.0, 0.0): "red/tallest_bottle",
                                 (160.0, 40.0): "red/stub_can", (220.0, 30.0): "navy/tallest_bottle"}
    scene = Scene(picture(stood), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    found = {reading.feet_mm[reading.best]: reading.best for reading in read_zone(scene, ZONE, MODELS)}
    for at_mm, drink in stood.items():
        near = min(found, key=lambda foot: np.hypot(*np.subtract(foot, at_mm)))
        assert np.hypot(*np.subtract(near, at_mm)) < 1.5
        assert found[near] == drink
    assert len(found) == len(stood)


def test_single_drinks_far_from_the_camera_are_found_where_they_stand() -> None:
    stood: dict[Point, Drink] = {(310.0, -30.0): "red/stub_can", (350.0, 20.0): "red/tallest_bottle",
                                 (370.0, -40.0): "red/stub_can"}
    zone = tuple((x + 160.0, y) for x, y in ZONE)
    scene = Scene(picture(stood), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    found = [(reading.best, reading.feet_mm[reading.best]) for reading in read_zone(scene, zone, MODELS)]
    assert len(found) == len(stood)
    for at_mm, drink in stood.items():
        best, foot = min(found, key=lambda each: np.hypot(*np.subtract(each[1], at_mm)))
        assert best == drink
        assert np.hypot(*np.subtract(foot, at_mm)) < 0.5


def test_cans_whose_lids_look_like_the_table_are_found_by_a_crescent_of_their_bodies() -> None:
    stood: dict[Point, Drink] = {(150.0, -30.0): "red/stub_can", (170.0, 20.0): "navy/stub_can",
                                 (200.0, -40.0): "navy/stub_can", (240.0, 30.0): "red/stub_can"}
    scene = Scene(picture(stood, PALE), VIEW, WHITE, Bare(picture({}, PALE), VIEW, WHITE), None)
    found = [(reading.best, reading.feet_mm[reading.best]) for reading in read_zone(scene, ZONE, MODELS)]
    assert len(found) == len(stood)
    for at_mm, drink in stood.items():
        best, foot = min(found, key=lambda each: np.hypot(*np.subtract(each[1], at_mm)))
        assert best == drink
        assert np.hypot(*np.subtract(foot, at_mm)) < 1.0


def test_a_can_too_much_like_the_table_to_be_noticed_is_found_where_it_stood() -> None:
    table, faint = (60.0, 0.0, 2.0), (60.0, 3.5, 5.5)
    textures = MODELS.textures | {"navy/stub_can": np.full_like(MODELS.textures["navy/stub_can"], faint)}
    models = Models(SOLIDS, textures, {}, 1500.0)
    stood: dict[Point, Drink] = {(160.0, -40.0): "red/stub_can", (200.0, 20.0): "navy/stub_can"}
    image, bare = picture(stood, table, models), Bare(picture({}, table), VIEW, WHITE)
    found = [[reading.best for reading in read_zone(Scene(image, VIEW, WHITE, bare, None), ZONE, models, (), stood_mm)]
             for stood_mm in ((), ((200.0, 20.0), (230.0, -20.0)))]
    assert found == [["red/stub_can"], ["red/stub_can", "navy/stub_can"]]


@pytest.mark.parametrize("off_mm", [(-4.0, -4.0), (-4.0, 4.0), (0.0, -4.0), (4.0, 0.0)])
def test_heights_are_told_where_a_silhouette_gave_a_foot_that_is_far_off(
        monkeypatch: pytest.MonkeyPatch, off_mm: Point) -> None:
    solids = SOLIDS | {"short_can": make_solid(Profile(16.0, 5.9, 15.0, 16.0, 5.3, 4.7))}
    textures = MODELS.textures | {f"{colour}/short_can": texture(f"{colour}/stub_can") for colour in ("red", "navy")}
    models = Models(solids, textures, {}, 1500.0)
    stood: dict[Point, Drink] = {(160.0, -40.0): "red/stub_can", (220.0, 30.0): "red/short_can"}
    for at_mm, drink in stood.items():
        foot = (at_mm[0] + off_mm[0], at_mm[1] + off_mm[1])
        monkeypatch.setattr(Silhouettes, "best_foot", lambda *_, foot=foot, **__: (foot, "stub_can"))
        image, bare = picture({at_mm: drink}, PALE, models), Bare(picture({}, PALE), VIEW, WHITE)
        found = read_zone(Scene(image, VIEW, WHITE, bare, None), ZONE, models)
        assert [each.best for each in found] == [drink]
        assert np.hypot(*np.subtract(found[0].at_mm, at_mm)) < 0.5


def test_what_shows_only_a_drink_that_was_found_before_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    stood: dict[Point, Drink] = {(160.0, -40.0): "red/stub_can", (220.0, 30.0): "red/tallest_bottle"}
    scene = Scene(picture(stood), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    reading = read_zone(scene, ZONE, MODELS)[0]
    asked = iter(range(10))

    def same(*_: object) -> DrinkReading:
        next(asked)
        return reading

    monkeypatch.setattr(zone_detector, "read_drink", same)
    read_zone(scene, ZONE, MODELS)


@pytest.mark.parametrize(("usual_misfit", "there"), [(np.inf, 2), (10.0, 1)])
def test_a_thing_that_drinks_explain_but_badly_is_no_drink(usual_misfit: float, there: int) -> None:
    image = picture({(160.0, -40.0): "red/stub_can", (210.0, 10.0): "red/stub_can"})
    left, top = VIEW.project(np.array([210.0, 10.0, 0.0]))[0].astype(int) - 20
    is_green = np.arange(40) % 6 < 5  # but for a few red stripes
    image[top:top + 40, left:left + 40][is_green] = coded(np.full((1, 1, 3), (60.0, -30.0, 40.0), np.float32))
    scene = Scene(image, VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    assert len(read_zone(scene, ZONE, replace(MODELS, usual_misfit=usual_misfit))) == there


def test_where_nothing_stands_no_drink_is_compared_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    def closely(*_: object) -> None:
        pytest.fail("compared at full resolution")

    scene = Scene(picture({}), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    monkeypatch.setattr(CoarseToFineSearch, "fine_costs", closely)
    prior = DrinkPrior(least_gain=1000.0)
    assert read_drink(scene, DrinkPose(np.array([200.0, 0.0, 0.0]), 0.0), MODELS, prior).gain < 0


@pytest.mark.parametrize(("changed_mm", "told"), [(None, 2), ((160.0, -40.0), 1), ((200.0, -40.0), 0)])
def test_in_a_zone_that_was_read_drinks_are_sought_near_what_changed(changed_mm: Point | None, told: int) -> None:
    image = picture({(160.0, -40.0): "red/stub_can", (220.0, 30.0): "red/tallest_bottle"})
    changes = None
    if changed_mm is not None:
        column, row = np.rint(VIEW.project(np.array([*changed_mm, 0.0]))[0]).astype(int)
        changes = ZoneChanges(Box(int(column) - 5, int(row) - 5, 10, 10), np.ones((10, 10), np.bool_))
    scene = Scene(image, VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    assert len(read_zone(scene, ZONE, MODELS, changes=changes)) == told


def test_what_is_near_a_change_is_told_in_any_box() -> None:
    changed = np.zeros((40, 80), np.bool_)
    changed[10, 60] = True  # at 150, 60 in the picture
    changes = ZoneChanges(Box(90, 50, 80, 40), changed)
    near = changes.near(Box(100, 55, 60, 20), 12)
    assert np.argwhere(near).min(axis=0).tolist() == [0, 38]
    assert near.sum() == 18 * 22
    assert not changes.near(Box(200, 50, 80, 40), 12).any()
    assert changes.near(Box(162, 50, 10, 10), 12).sum() == 10
