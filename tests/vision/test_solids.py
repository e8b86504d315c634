from dataclasses import replace

import numpy as np

from vision.drinks.ring_raster import blank, paint, project_rings
from vision.drinks.ring_solid import Profile, make_solid
from vision.imaging.box import box_around
from vision.imaging.camera import View, module_3_lens

CAN = Profile(16.0, 5.8, 15.0, 16.0, 5.4, 5.2)
BOTTLE = Profile(36.0, 5.9, 16.0, 21.0, 3.3, 3.3)
ABOVE = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0]))


def test_rings_rise_from_the_foot_to_the_lid() -> None:
    for profile in (CAN, BOTTLE):
        solid = make_solid(profile)
        assert np.all(np.diff(solid.heights_mm) >= -1e-9)
        assert solid.heights_mm[0] == 0
        assert solid.heights_mm[-1] == profile.height


def test_a_rounded_foot_is_narrower_than_the_body_above_it() -> None:
    solid = make_solid(replace(CAN, foot=1.2))
    radii = np.linalg.norm(solid.outlines_mm, axis=2).mean(axis=1)
    assert np.isclose(radii[0], CAN.body - 1.2)
    assert np.all(np.diff(radii[solid.heights_mm <= 1.2]) > 0)
    assert np.isclose(radii[np.flatnonzero(solid.heights_mm >= 1.2)[0]], CAN.body)


def test_the_lid_belongs_to_the_cap_and_the_foot_does_not() -> None:
    solid = make_solid(BOTTLE)
    assert not solid.cap[solid.bands[0]]
    assert solid.cap[solid.bands[-1]]


def test_the_rim_around_a_lid_is_of_the_cap_and_has_a_band_of_its_own() -> None:
    solid = make_solid(CAN)
    radii = np.linalg.norm(solid.outlines_mm, axis=2).mean(axis=1)
    rim = int(np.flatnonzero((solid.heights_mm == CAN.height) & solid.cap[solid.bands])[0])
    assert np.isclose(radii[rim], CAN.top)
    assert list(solid.bands).count(solid.bands[rim]) == 1


def test_a_cap_may_be_broader_than_the_throat_below_it() -> None:
    solid = make_solid(replace(BOTTLE, throat=2.4, collar=31.0))
    radii = np.linalg.norm(solid.outlines_mm, axis=2).mean(axis=1)
    is_cap = solid.cap[solid.bands]
    assert np.allclose(radii[(solid.heights_mm > BOTTLE.neck) & ~is_cap], 2.4)
    assert solid.heights_mm[is_cap].min() > 31.0
    assert np.isclose(radii[is_cap].max(), BOTTLE.top)
    assert make_solid(CAN).cap.sum() == make_solid(replace(CAN, throat=2.4, collar=15.0)).cap.sum()


def test_a_taller_drink_leans_farther_away_from_below_the_camera() -> None:
    foot = np.array([100.0, 0.0, 0.0])
    low, high = (project_rings(ABOVE, make_solid(profile), foot, 0.0)[-1].mean(axis=0) for profile in (CAN, BOTTLE))
    assert high[0] - low[0] > 2


def test_seen_from_right_above_only_the_lid_is_painted_in_the_middle() -> None:
    solid = make_solid(CAN)
    rings = project_rings(ABOVE, solid, np.zeros(3), 0.0)
    box = box_around(rings, 3)
    painted = blank(box)
    paint(painted, box, rings)
    height, width = painted.shape
    assert painted[height // 2, width // 2] == len(solid)
    assert painted[0, 0] == 0
