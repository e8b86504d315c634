"""Colours of bands, solved from drawn pictures in which most pixels show several things at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from companion.table import Piece
from vision.drinks.band_texture import learn_textures
from vision.drinks.band_unmixing import BandSample, Unmixed, unmix, unmixing_loss
from vision.drinks.crate_texture import learn_crate_textures
from vision.drinks.drink_pose import DrinkPose, paint_drink
from vision.drinks.exemplar import Exemplar, domain_around, sample_bands
from vision.drinks.profile_fit import first_profile, fit_profiles
from vision.drinks.rendering import blend
from vision.drinks.ring_raster import project_rings
from vision.drinks.ring_solid import Profile, make_solid
from vision.imaging.arrays import Values
from vision.imaging.box import box_around
from vision.imaging.camera import View, module_3_lens

VIEW = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([-80.0, 60.0, 480.0]))
"""A camera that looks straight down from 480 mm."""

TABLE = (30.0, -5.0, -25.0)
RED = np.array((40.0, 45.0, 25.0))
BOTTLE = Profile(30.0, 5.8, 17.0, 24.0, 3.2, 3.2)
PLACES_MM = ((-60.0, 0.0), (150.0, 20.0), (10.0, 110.0))


def shaded(bands: int) -> Values:
    """A red drink, darker towards its foot."""
    return (RED * np.linspace(0.7, 1.0, bands)[:, None]).astype(np.float32)


def exemplars(profile: Profile = BOTTLE) -> list[Exemplar]:
    solid, found = make_solid(profile), []
    for number, at_mm in enumerate(PLACES_MM, 1):
        pose = DrinkPose(np.array([*at_mm, 0.0]), 0.0)
        box = box_around(project_rings(VIEW, solid, pose.foot_mm, 0.0), 8)
        table = np.full((box.height, box.width, 3), TABLE, np.float32)
        colours, share = blend(paint_drink(VIEW, solid, pose, box), solid, shaded(len(solid.cap)))
        shown = np.ones((box.height, box.width), np.bool_)
        found.append(Exemplar("red/bottle", number, pose, VIEW, box, colours + (1 - share) * table, table, shown))
    return found


def test_bands_have_their_own_colours_though_the_table_shows_through() -> None:
    solid = make_solid(BOTTLE)
    found = unmix([sample_bands(each, solid, domain_around(each, solid)) for each in exemplars()], solid.cap)
    assert np.abs(found.colours - shaded(len(solid.cap))).max() < 4.0


def test_a_band_that_is_not_seen_takes_the_colour_of_its_neighbour() -> None:
    solid = make_solid(BOTTLE)
    shown = [sample_bands(each, solid, domain_around(each, solid)) for each in exemplars()]
    for each in shown:
        each.cover[:, :, 0] = 0
    found = unmix(shown, solid.cap)
    assert found.colours[0] == pytest.approx(found.colours[1], abs=0.5)


def test_the_right_form_leaves_least_over() -> None:
    left = {}
    for shoulder in (12.0, 17.0, 22.0):
        solid = make_solid(Profile(30.0, 5.8, shoulder, 24.0, 3.2, 3.2))
        shown = [sample_bands(each, solid, domain_around(each, solid)) for each in exemplars()]
        left[shoulder] = unmixing_loss(shown, unmix(shown, solid.cap))
    assert min(left, key=left.__getitem__) == 17.0


def test_the_form_of_a_bottle_is_found_from_its_pictures() -> None:
    size = (12.0, 12.0, 30.0)
    assert first_profile("bottle", size, True).shoulder != BOTTLE.shoulder
    found = fit_profiles(exemplars(), {"bottle": Piece("red/bottle", "drink", size, True)})["bottle"]
    assert found.shoulder == pytest.approx(BOTTLE.shoulder, abs=1.5)
    assert found.neck == pytest.approx(BOTTLE.neck, abs=2.5)
    assert found.top == pytest.approx(BOTTLE.top, abs=0.3)


@pytest.mark.parametrize("foot", [0.0, 1.3])
def test_how_round_the_edge_at_the_foot_is_is_found_too(foot: float) -> None:
    shown = exemplars(replace(BOTTLE, foot=foot))
    found = fit_profiles(shown, {"bottle": Piece("red/bottle", "drink", (12.0, 12.0, 30.0), True)})["bottle"]
    assert found.foot == pytest.approx(foot, abs=0.6)


def relit(added: Callable[[BandSample], Values]) -> list[Exemplar]:
    """The exemplars with so much added (pixels, 3) to what is seen."""
    solid, found = make_solid(BOTTLE), []
    for each in exemplars():
        domain, seen = domain_around(each, solid), each.seen.copy()
        seen[domain.mask] += added(sample_bands(each, solid, domain))
        found.append(replace(each, seen=seen))
    return found


def test_light_from_one_side_is_learned() -> None:
    brighter = relit(lambda shown: np.outer(shown.cover[0].sum(axis=1) * 8.0 * shown.side[0], (1, 0, 0)))
    _, shading = learn_textures(brighter, {"bottle": make_solid(BOTTLE)})
    towards, away = shading["bottle"][:5, 0], shading["bottle"][:5, 6]
    assert (towards > away + 0.1).all()


def test_lids_that_stood_in_shadow_in_their_crate_are_learned_as_they_are_in_the_light() -> None:
    solids = {"bottle": make_solid(BOTTLE)}
    on_table = learn_textures(exemplars(), solids)
    darker = relit(lambda shown: np.outer(-0.6 * (shown.cover[0] @ (solids["bottle"].cap * shaded(9)[:, 0]))
                                          * (shown.side[0] > 0.3), (1, 0, 0)))
    textures, shading = learn_crate_textures(darker, solids, on_table)
    cap = solids["bottle"].cap
    assert np.abs(shading["bottle"][cap] - on_table[1]["bottle"][cap]).max() < 0.01
    lid = textures["red/bottle"][cap, 0][-3:]
    assert lid == pytest.approx(on_table[0]["red/bottle"][cap, 0][-3:], rel=0.1)


def test_on_the_dark_side_colours_are_weaker_too() -> None:
    solid = make_solid(BOTTLE)
    shown = [sample_bands(each, solid, domain_around(each, solid)) for each in relit(
        lambda shown: (0.3 * shown.side[0] * shown.cover[[0, 1, 1]].sum(axis=2)).T * RED)]
    found = unmix(shown, solid.cap)
    even = Unmixed(found.colours, np.zeros_like(found.slopes))
    assert (found.slopes[0, :5] / found.colours[:5, 0] > 0.15).all()
    assert unmixing_loss(shown, found) < 0.5 * unmixing_loss(shown, even)
