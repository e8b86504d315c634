import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from vision.drinks.crop import Crop
from vision.drinks.domain import Domain, PlacedSolid
from vision.drinks.lightness import as_light, as_lightness
from vision.drinks.pattern_search import NEIGHBOURHOODS, STEPS_UNITS, UNIT_PX, Offset, ShiftTrial, descend
from vision.drinks.pixel_coverage import CLEAR_COVER, cover_pixels
from vision.drinks.rendering import Renderings, blend, render
from vision.drinks.residual import render_costs
from vision.drinks.ring_raster import Painted, blank, paint, project_rings
from vision.drinks.ring_solid import Profile, Solid, make_solid
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box, box_around, even_sized
from vision.imaging.camera import View, module_3_lens
from vision.scene.change_detection import touched

VIEW = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([-80.0, 60.0, 480.0]))
"""A camera that looks straight down from 480 mm, 100 mm beside the drink."""

FOOT = np.array([10.0, 20.0, 0.0])
RED, BLUE, GROUND = (40.0, 45.0, 25.0), (35.0, -10.0, -40.0), (65.0, 3.0, 12.0)


@pytest.fixture(scope="module")
def solid() -> Solid:
    return make_solid(Profile(16.0, 5.9, 14.0, 16.0, 5.3, 5.2))


def paint_at(solid: Solid, foot_mm: Floats, box: Box) -> Painted:
    painted = blank(box)
    paint(painted, box, project_rings(VIEW, solid, foot_mm, 0.0))
    return painted


def a_box(solid: Solid) -> Box:
    return even_sized(box_around(project_rings(VIEW, solid, FOOT, 0.0), 12))


def a_crop(solid: Solid, off_px: tuple[float, float] = (0.0, 0.0), colour: Sequence[float] = RED) -> Crop:
    """A can, a red one as a rule, that stands so many pixels beside the nominal place."""
    box = a_box(solid)
    ground = np.full((box.height, box.width, 3), GROUND, np.float32)
    x, y = VIEW.to_table(VIEW.project(FOOT) + off_px)[0]
    colours, share = blend(paint_at(solid, np.array([x, y, 0.0]), box), solid,
                           np.tile(np.array(colour, np.float32), (len(solid.cap), 1)))
    everywhere = np.ones(ground.shape[:2], np.bool_)
    return Crop(colours + ground * (1 - share), ground, everywhere, everywhere)


def some_drawings(solid: Solid, domain: Domain, mixture: Values | None = None) -> Renderings:
    """A red can and a blue one."""
    box = a_box(solid)
    rings = project_rings(VIEW, solid, FOOT, 0.0) - (box.left, box.top)
    form = cover_pixels([PlacedSolid(solid, paint_at(solid, FOOT, box), None, rings)], domain, np.eye(2))
    colours = np.array([[[RED] * len(solid.cap), [BLUE] * len(solid.cap)]], np.float32)
    return render(form, colours, mixture=mixture)


def test_a_drink_explains_itself_and_no_other_colour_does(solid: Solid) -> None:
    crop = a_crop(solid)
    drawings = some_drawings(solid, crop.domain)
    right, wrong = render_costs(crop, drawings, [0, 1], [(0, 0), (0, 0)])
    assert right < 0.05 * wrong  # light is judged where pixels are covered whole, their colour is mixed farther in


def test_a_drink_in_the_light_of_one_lamp_alone_is_as_it_was_learned_in_that_of_both(solid: Solid) -> None:
    mixture = np.zeros((3, 3), np.float32)
    mixture[1:, 0] = 0.25, 0.35  # a warm lamp, against a cold one
    warm = a_crop(solid, colour=(RED + mixture @ RED).tolist())
    [one_light], [red, blue] = (render_costs(warm, some_drawings(solid, warm.domain, each), rows, [(0, 0)] * len(rows))
                                for each, rows in ((None, [0]), (mixture, [0, 1])))
    assert red < 0.25 * one_light
    assert red < 0.1 * blue


def test_renderings_of_part_of_the_drinks_keep_the_light_of_both_lamps(solid: Solid) -> None:
    crop, mixture = a_crop(solid), np.array([[0, 0, 0], [0.2, 0, 0], [0.3, 0, 0]], np.float32)
    both = some_drawings(solid, crop.domain, mixture)
    twice = Renderings.of([both, both])
    costs = render_costs(crop, twice, [0, 1, 2, 3], [(0, 0)] * 4)
    assert np.allclose(costs[:2], costs[2:])
    assert np.allclose(render_costs(crop, twice.some([1, 3]), [0, 1], [(0, 0)] * 2), costs[[1, 3]])


def test_many_comparisons_at_once_cost_what_each_does_alone(solid: Solid) -> None:
    crop = a_crop(solid, (1.0, 0.5))
    drawings = some_drawings(solid, crop.domain)
    offsets = [(right, down) for right in (-6, 0, 6) for down in (-6, 0, 6)]
    together = render_costs(crop, drawings, [0] * 9 + [1] * 9, offsets * 2)
    alone = [render_costs(crop, drawings, [drink], [offset])[0] for drink in (0, 1) for offset in offsets]
    assert np.allclose(together, alone, rtol=1e-4)


def test_what_is_not_explained_beside_a_drink_counts_the_same_wherever_it_is_tried(solid: Solid) -> None:
    crop = a_crop(solid)
    beside = crop.seen.copy()
    beside[:4] += np.float32(9.0)
    marked = Crop(beside, crop.background, crop.domain.mask, crop.shown)
    drawings = some_drawings(solid, crop.domain)
    offsets = [(0, 0), (0, 3), (0, -3)]
    clear, dirty = (render_costs(each, drawings, [0] * 3, offsets) for each in (crop, marked))
    assert np.allclose(dirty - clear, marked.empty - crop.empty, rtol=0.01)


def test_what_something_nearer_hides_tells_nothing(solid: Solid) -> None:
    crop = a_crop(solid)
    shown = crop.shown.copy()
    shown[crop.shown.shape[0] // 2:] = False
    hidden = crop.seen.copy()
    hidden[~shown] = BLUE
    half = Crop(hidden, crop.background, crop.domain.mask & shown, shown)
    red, blue = render_costs(half, some_drawings(solid, half.domain), [0, 1], [(0, 0), (0, 0)])
    assert red < 0.1 * blue


def test_no_drink_saves_more_at_any_offset_than_the_background_leaves_there(solid: Solid) -> None:
    crop = a_crop(solid, (1.5, -1.0))
    noise = np.random.default_rng(1).normal(0, 6, crop.seen.shape).astype(np.float32)
    shown = crop.shown.copy()
    shown[:, :crop.shown.shape[1] // 2] = False
    disc = np.hypot(*(np.indices(shown.shape) - np.array(shown.shape)[:, None, None] / 2)) < 14
    for each in (crop, Crop(crop.seen + noise, crop.background, disc & shown, shown)):
        low, high = (-9, -6), (5, 21)
        offsets = [(x, y) for x in range(low[0], high[0] + 1, 2) for y in range(low[1], high[1] + 1, 3)]
        drawings = some_drawings(solid, each.domain)
        saved = each.empty - np.concatenate([render_costs(each, drawings, [row] * len(offsets), offsets)
                                             for row in (0, 1)])
        most = each.most_saved(low, high)
        assert saved.max() <= most
        assert each.empty <= most
    bare = Crop(crop.background + noise / np.float32(6), crop.background, crop.domain.mask, crop.shown)
    assert bare.most_saved(low, high) < 0.2 * crop.empty


def test_a_drink_is_found_where_it_stands_in_a_picture_half_as_large(solid: Solid) -> None:
    crop = a_crop(solid, (2.0, -1.25)).halved()
    box = a_box(solid)
    small = Box(0, 0, box.width // 2, box.height // 2)
    rings = (project_rings(VIEW, solid, FOOT, 0.0) - (box.left, box.top) - 0.5) / 2
    painted = blank(small)
    paint(painted, small, rings)
    form = cover_pixels([PlacedSolid(solid, painted, None, rings)], crop.domain, np.eye(2), 2)
    drawings = render(form, np.array([[[RED] * len(solid.cap)]], np.float32))

    def costs(trials: Sequence[ShiftTrial]) -> Values:
        return render_costs(crop, drawings, [0] * len(trials), [offset for _, offset in trials])

    at: Offset = (0, 0)
    for step, ways in zip(STEPS_UNITS, NEIGHBOURHOODS):
        at = descend(costs, {0: at}, step, {0: (0, 0)}, 20, ways)[0][1]
    assert np.abs(np.multiply(at, UNIT_PX) - (2.0, -1.25)).max() <= 2 * UNIT_PX


def test_all_searches_go_to_their_own_lowest_place_within_reach() -> None:
    lowest = {3: (4, -2), 7: (-9, 1), 8: (30, 0)}

    def costs(trials: Sequence[ShiftTrial]) -> Floats:
        return np.array([float(np.hypot(*np.subtract(at, lowest[number]))) for number, at in trials])

    middle = dict.fromkeys(lowest, (0, 0))
    found = descend(costs, middle, 1, middle, 10, NEIGHBOURHOODS[0])
    assert {number: at for number, (_, at) in found.items()} == {3: (4, -2), 7: (-9, 1), 8: (10, 0)}
    assert found[3][0] == 0.0


def test_a_search_that_began_on_the_wrong_side_crosses_to_the_other() -> None:
    def costs(trials: Sequence[ShiftTrial]) -> Floats:
        return np.array([float(np.hypot(at[0] - 9, at[1])) for _, at in trials])

    start: dict[int, Offset] = {0: (-8, 0)}
    assert descend(costs, start, 1, start, 10, NEIGHBOURHOODS[0]) == {0: (0.0, (9, 0))}


def test_a_pixel_of_play_is_no_touch() -> None:
    picture = np.zeros((40, 40, 3), np.float32)
    picture[:, 20:] = 60.0
    assert not touched(picture, np.roll(picture, 1, axis=1))
    assert touched(picture, np.roll(picture, 4, axis=1))


def test_a_drink_in_other_light_still_explains_itself(solid: Solid) -> None:
    crop = a_crop(solid)
    drawings = some_drawings(solid, crop.domain)
    painted = np.abs(crop.seen - crop.background).sum(axis=2, keepdims=True) > 30
    shaded = Crop(crop.seen * np.where(painted, np.float32(0.8), np.float32(1)), crop.background, crop.domain.mask,
                  crop.shown)
    right, wrong = render_costs(shaded, drawings, [0, 1], [(0, 0), (0, 0)])
    assert right < 0.2 * wrong


def test_a_body_that_a_near_lamp_lights_from_one_side_still_explains_itself(solid: Solid) -> None:
    crop = a_crop(solid)
    drawings = some_drawings(solid, crop.domain)
    brighter = np.zeros(crop.domain.mask.shape, np.float32)
    is_body = np.hypot(*drawings.slanted[0, 0]) > 10
    brighter[crop.domain.mask] = 0.25 * drawings.side[0, 0] * is_body  # by the azimuth that is faced
    lit = Crop(crop.seen * (1 + brighter[..., None]), crop.background, crop.domain.mask, crop.shown)
    even = dataclasses.replace(drawings, side=np.zeros_like(drawings.side))
    red, blue = render_costs(lit, drawings, [0, 1], [(0, 0), (0, 0)])
    assert red < 0.5 * render_costs(lit, even, [0], [(0, 0)])[0]
    assert red < 0.2 * blue


def test_behind_a_pixel_that_is_covered_in_part_lies_what_is_beside_it(solid: Solid) -> None:
    domain = a_crop(solid).domain
    drawings = some_drawings(solid, domain)
    clear = drawings.clear[0, 0]
    assert (clear[drawings.beside[0]] > 1 - CLEAR_COVER).all()
    assert (drawings.beside[0][clear > 1 - CLEAR_COVER] == np.flatnonzero(clear > 1 - CLEAR_COVER)).all()


def test_light_adds_up_and_lightness_does_not() -> None:
    bright, dark = as_light(np.array(80.0)), as_light(np.array(20.0))
    assert as_lightness((bright + dark) / 2) > 50
    assert np.isclose(as_lightness(bright), 80.0)
