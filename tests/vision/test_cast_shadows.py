"""The heights of drinks by the shadows that they cast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.games import registry
from companion.table import EMPTY, Drink, Point, shape_of
from tests.vision.test_zones import VIEW, WHITE, coded, picture
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.one_of_each import named_together
from vision.drinks.ring_solid import Profile, make_solid
from vision.drinks.shadow_evidence import read_shadows
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.drinks.sky_light import all_occluded, fit_sky, non_negative, occluded, sky
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.enrolment.shadow_calibration import learn_trust
from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image
from vision.photometry.white_reference import GAMMA
from vision.pieces.piece_set_file import load_piece_set, save_piece_set
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
HEIGHTS = {"stub_can": 12.0, "short_can": 16.0, "tall_can": 22.0}
SOLIDS = {shape: make_solid(Profile(height, 5.9, height - 1, height, 5.3, 4.7)) for shape, height in HEIGHTS.items()}
SOLIDS["tallest_bottle"] = make_solid(Profile(36.0, 5.9, 18.0, 28.0, 3.3, 3.3))
TRUST = ShadowTrust(20.0, 0.05)
WOOD, GREEN = (55.0, 2.0, 20.0), (35.0, -25.0, 15.0)
ALL = np.arange(len(sky()[1]))

STOOD: dict[Point, Drink] = {
    (20.0, 30.0): "red/short_can", (45.0, 32.0): "red/tall_can", (72.0, 28.0): "red/stub_can",
    (98.0, 31.0): "red/tallest_bottle", (20.0, -10.0): "green/stub_can", (47.0, -12.0): "green/tall_can",
    (72.0, -8.0): "green/short_can", (96.0, -11.0): "green/tallest_bottle"}
"""Near the point below the camera, where lids hide feet."""

COARSE_PX = 3
"""Shadows are computed for every third pixel."""

DRINKS = [f"{colour}/{shape}" for colour in ("red", "green") for shape in SOLIDS]
MODELS = Models(SOLIDS, {drink: np.full((len(SOLIDS[shape_of(drink)].cap), 3), GREEN, np.float32) for drink in DRINKS},
                {}, 1500.0, shadows=TRUST)


def lamp(turn_deg: float, elevation_deg: float) -> Values:
    """The light (k,) of one lamp, three fifths of all, under an even sky."""
    flat, steep = sky()
    towards = np.radians(turn_deg)
    aside = np.hypot(*(flat - (np.cos(towards), np.sin(towards))).T)
    off = aside + np.abs(steep - 1 / np.tan(np.radians(elevation_deg)))
    light = np.full(len(steep), 0.4 / len(steep))
    light[off.argmin()] += 0.6
    return np.asarray(light, np.float32)


def shaded(stood: Mapping[Point, Drink], points_mm: Floats) -> Values:
    """How much of each direction (n, k) is kept away from points (n, 2)."""
    shade = np.zeros((len(points_mm), len(ALL)), np.float32)
    for at, drink in stood.items():
        np.maximum(shade, occluded(points_mm, np.array(at), SOLIDS[shape_of(drink)], ALL), out=shade)
    return shade


def lit_picture(stood: Mapping[Point, Drink], light: Values) -> Image:
    """A wooden table with these drinks and their shadows."""
    rows, columns = np.mgrid[0:VIEW.lens.height:COARSE_PX, 0:VIEW.lens.width:COARSE_PX]
    points = VIEW.to_table(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64))
    near = np.abs(points - (60.0, 10.0)).max(axis=1) < 110
    share = np.ones(len(points), np.float32)
    share[near] = 1 - shaded(stood, points[near]) @ light
    left = cv2.resize(share.reshape(rows.shape), (VIEW.lens.width, VIEW.lens.height)) ** (1 / GAMMA)
    table = coded(np.asarray(np.array(WOOD) * left[..., None], np.float32))
    drinks = picture(stood, WOOD, MODELS)
    plain = picture({}, WOOD)
    return np.where((drinks == plain).all(axis=2, keepdims=True), table, drinks)


def readings(stood: Mapping[Point, Drink], light_on: float = 0.0) -> list[DrinkReading]:
    """What a rendering says that cannot tell one can from another; it may prefer low ones by so many nats."""
    return [_reading(at_mm, drink, light_on) for at_mm, drink in stood.items()]


def _reading(at_mm: Point, drink: Drink, low_nats: float) -> DrinkReading:
    colour, is_can = drink.split("/")[0], "can" in drink
    costs = dict.fromkeys(DRINKS, 40.0) | {EMPTY: 90.0}
    for shape in SOLIDS:
        if ("can" in shape) == is_can:
            costs[f"{colour}/{shape}"] = low_nats * list(HEIGHTS).index(shape) if is_can else 0.0
    costs = {each: 1500.0 * cost for each, cost in costs.items()}
    best = min(costs, key=costs.__getitem__)
    pose = DrinkPose(np.array([*at_mm, 0.0]), 0.0)
    return DrinkReading(pose, costs, dict.fromkeys(DRINKS, at_mm), best, (0, 0), 0.0, 400,
                        dict.fromkeys(SOLIDS, 0.0), dict.fromkeys(SOLIDS, (0, 0)))


def told(stood: Mapping[Point, Drink], light: Values, models: Models = MODELS, low_nats: float = 0.0) -> list[Drink]:
    scene = Scene(lit_picture(stood, light), VIEW, WHITE, Bare(picture({}, WOOD), VIEW, WHITE), None)
    return [each.best for each in read_shadows(scene, [], readings(stood, low_nats), models)]


# ---------------------------------------------------------------- the sky


def test_a_shadow_is_as_long_as_the_light_is_low_and_the_drink_high() -> None:
    flat, steep = sky()
    right = int((np.hypot(*(flat - (1.0, 0.0)).T) + np.abs(steep - 1 / np.tan(np.radians(43.0)))).argmin())
    ends = []
    for shape in HEIGHTS:
        along = np.column_stack([np.arange(-60, 60, 0.25), np.zeros(480)])
        shade = occluded(along, np.zeros(2), SOLIDS[shape], np.array([right]))[:, 0]
        ends.append(float(along[shade > 0.5, 0].min()))
        assert along[shade > 0.5, 0].max() == pytest.approx(5.9, abs=0.6)  # no shadow on the side of the light
    assert ends == pytest.approx([-(5.3 + height / np.tan(np.radians(43.0))) for height in HEIGHTS.values()], abs=0.6)


def test_beyond_all_shadows_the_table_has_all_its_light() -> None:
    far = np.array([(200.0, 0.0), (0.0, -300.0)])
    assert not occluded(far, np.zeros(2), SOLIDS["tallest_bottle"], ALL).any()


def test_what_all_drinks_keep_away_together_is_the_most_that_any_does() -> None:
    points = np.random.default_rng(1).uniform(-60, 120, (400, 2))
    standing = [(np.array(at), SOLIDS[shape_of(drink)]) for at, drink in STOOD.items()]
    alone = [occluded(points, foot, solid, ALL) for foot, solid in standing]
    assert np.array_equal(all_occluded(points, standing), np.maximum.reduce(alone))


def test_the_light_is_found_that_casts_the_shadows() -> None:
    points = np.random.default_rng(1).uniform((-20, -50), (130, 70), (1500, 2))
    shade, light = shaded(STOOD, points), lamp(30.0, 43.0)
    found, off = fit_sky((1 - shade) @ light, shade)
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1.0, abs=0.02)
    assert off < 0.021  # the least that is assumed
    assert np.abs((1 - shade) @ found - (1 - shade) @ light).max() < 0.06


@given(some.integers(0, 2 ** 32 - 1))
def test_the_equations_are_solved_without_negative_light(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, right = random.normal(size=(30, 12)), random.normal(size=30)
    gram, pull = rows.T @ rows, rows.T @ right
    found = non_negative(gram, pull, np.maximum(random.normal(size=12), 0))
    slope = gram @ found - pull
    assert (found >= 0).all()
    assert slope.min() > -1e-4  # more of nothing is a gain
    assert np.abs(slope[found > 0]).max(initial=0) < 1e-6  # and what there is, is best as it is


# ---------------------------------------------------------------- what shadows tell


@pytest.mark.parametrize("turn_deg", [30.0, 150.0, 265.0])
def test_heights_that_no_lid_tells_are_told_by_shadows(turn_deg: float) -> None:
    assert told(STOOD, lamp(turn_deg, 43.0)) == list(STOOD.values())


def test_what_the_rendering_prefers_is_overruled_by_a_clear_shadow() -> None:
    assert told(STOOD, lamp(30.0, 43.0), low_nats=0.5) == list(STOOD.values())


def test_three_drinks_are_too_few_to_tell_the_light_by() -> None:
    few = dict(list(STOOD.items())[:3])
    scene = Scene(lit_picture(few, lamp(30.0, 43.0)), VIEW, WHITE, Bare(picture({}, WOOD), VIEW, WHITE), None)
    before = readings(few)
    assert read_shadows(scene, [], before, MODELS) == before


def test_where_things_lie_all_about_the_drinks_no_shadow_is_seen() -> None:
    image = lit_picture(STOOD, lamp(30.0, 43.0))
    image[(image == picture({}, WOOD)).all(axis=2)] = (40, 200, 40)
    bare = Bare(picture({}, (80.0, 40.0, 20.0)), VIEW, WHITE)
    before = readings(STOOD)
    assert [each.costs for each in read_shadows(Scene(image, VIEW, WHITE, bare, None), [], before, MODELS)] == [
        each.costs for each in before]


def test_shadows_that_are_not_believed_change_nothing() -> None:
    models = replace(MODELS, shadows=NO_TRUST)
    scene = Scene(lit_picture(STOOD, lamp(30.0, 43.0)), VIEW, WHITE, Bare(picture({}, WOOD), VIEW, WHITE), None)
    before = readings(STOOD)
    assert read_shadows(scene, [], before, models) == before


def test_drinks_that_stand_keep_their_shapes_and_help_to_tell_a_new_one() -> None:
    scene = Scene(lit_picture(STOOD, lamp(30.0, 43.0)), VIEW, WHITE, Bare(picture({}, WOOD), VIEW, WHITE), None)
    standing = [replace(each, best=drink) for each, drink in zip(readings(STOOD), STOOD.values())]
    new, = read_shadows(scene, standing[1:], readings(STOOD, 0.2)[:1], MODELS)
    assert new.best == "red/short_can"


def test_no_shadow_says_more_than_the_share_of_those_that_tell_nothing_allows() -> None:
    nats = TRUST.nats({"stub_can": 0.0, "short_can": 1e6, "tall_can": 2e6})
    assert np.exp(list(nats.values())).sum() == pytest.approx(1.0)
    assert nats["short_can"] == nats["tall_can"] == pytest.approx(np.log(0.05 / 3))
    assert len(set(NO_TRUST.nats({"stub_can": 0.0, "short_can": 5.0}).values())) == 1


def test_no_drink_is_named_twice() -> None:
    nats = np.array([(0.0, -1.0, -9.0), (0.0, -4.0, -9.0), (-9.0, -9.0, 0.0)])
    assert named_together(nats, ["a", "b", "c"]) == ["b", "a", "c"]
    assert named_together(nats[:2], ["a", "b", "c"]) == ["b", "a"]


# ---------------------------------------------------------------- at enrolment


def test_without_drinks_that_were_held_out_shadows_are_not_believed() -> None:
    assert learn_trust([], [], MODELS) == NO_TRUST


def test_how_far_shadows_are_believed_is_measured_and_kept(learned_once: None, tmp_path: Path) -> None:
    known = read_set(EXCERPT)
    pieces = enrol_set(known, registry.kinds(known.game))
    assert pieces.shadows != NO_TRUST
    save_piece_set(pieces, tmp_path / "some.pieces")
    assert load_piece_set(tmp_path / "some.pieces").shadows == pieces.shadows
