"""Shadows beside drinks, painted as the eyes expect them to look."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import EMPTY
from tests.vision.test_zones import PALE, VIEW, WHITE, coded
from vision.drinks import zone_detector
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import render_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.models import Models
from vision.drinks.ring_raster import outline_of
from vision.drinks.ring_solid import Profile, make_solid
from vision.imaging.arrays import Floats
from vision.photometry.shadow_tint import DEEPEST_SHADOW, Shadow
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene
from vision.scene.shadow_depth import FARTHEST_PX, expect_deeper, learn_deepest, light_beside

BROWN, DARK = (60.0, 12.0, 24.0), (21.0, 4.2, 8.4)
"""A table, and what has its hue with a third of its lightness."""

SOLIDS = {shape: make_solid(Profile(height, 5.9, height - 1, height, 5.3, 4.7))
          for shape, height in (("stub_can", 12.0), ("short_can", 16.0))}
MODELS = Models(SOLIDS, {f"dark/{shape}": np.where(solid.cap[:, None], np.array(PALE), np.array(DARK))
                         .astype(np.float32) for shape, solid in SOLIDS.items()}, {}, 1500.0)
STANDS = [DrinkPose(np.array([x, 40.0, 0.0]), 0.0) for x in (150.0, 190.0, 230.0)]


def table(leaves: float, expected: float = DEEPEST_SHADOW) -> tuple[Scene, list[Floats]]:
    """Short cans on a brown table in shadows that leave so much of its light, where such were learned that leave the
    `expected` share; and their outlines."""
    bare = np.full((VIEW.lens.height, VIEW.lens.width, 3), BROWN, np.float32)
    seen = bare.copy()
    outlines = [outline_of(VIEW, SOLIDS["short_can"], stand.foot_mm, 0.0) for stand in STANDS]
    for stand, outline in zip(STANDS, outlines):
        shade = np.zeros(seen.shape[:2], np.uint8)
        cv2.fillConvexPoly(shade, np.rint(outline).astype(np.int32), 1)
        shade = cv2.dilate(shade, np.ones((2 * FARTHEST_PX + 3,) * 2, np.uint8))
        seen[shade > 0] = bare[shade > 0] * leaves
        can = render_drink(VIEW, stand, "dark/short_can", MODELS)
        seen[can.box.slices] = can.colours + seen[can.box.slices] * (1 - can.share)
    return Scene(coded(seen), VIEW, WHITE, Bare(coded(bare), VIEW, WHITE, Shadow(deepest=expected)), None), outlines


@pytest.mark.parametrize("leaves", [0.4, 0.7, 0.95])
def test_it_is_learned_how_much_light_shadows_leave(leaves: float) -> None:
    assert learn_deepest(light_beside(*table(leaves))) == pytest.approx(leaves, abs=0.03)


def test_too_few_pixels_teach_nothing() -> None:
    assert learn_deepest(np.full(20, 0.7, np.float32)) == DEEPEST_SHADOW


def test_what_is_darker_than_shadows_is_the_drink_itself() -> None:
    def leads_by(expected: float) -> float:
        scene, _ = table(0.7, expected)
        costs = read_drink(scene, STANDS[0], MODELS).costs
        assert min(costs, key=costs.__getitem__) == "dark/short_can"
        return costs[EMPTY] - costs["dark/short_can"]

    assert leads_by(0.7) > 1.15 * leads_by(DEEPEST_SHADOW)


def test_much_deeper_shadows_are_those_of_another_light() -> None:
    scene, outlines = table(0.3, expected=0.7)
    assert expect_deeper(scene, outlines)
    assert scene.shadow.deepest == pytest.approx(0.3, abs=0.03)
    scene, outlines = table(0.6, expected=0.7)
    assert not expect_deeper(scene, outlines)
    assert scene.shadow.deepest == 0.7
    assert not expect_deeper(scene, [])


def test_a_few_drinks_tell_how_deep_shadows_are_before_the_others_are_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Models, "network_knows", False)
    monkeypatch.setattr(zone_detector, "ENOUGH_FOR_SHADOWS", 1)
    scene, _ = table(0.3, expected=0.7)
    found = zone_detector.read_zone(scene, [(130.0, 20.0), (250.0, 20.0), (250.0, 60.0), (130.0, 60.0)], MODELS)
    assert scene.shadow.deepest == pytest.approx(0.3, abs=0.03)
    assert sorted(each.at_mm[0] for each in found) == pytest.approx([stand.foot_mm[0] for stand in STANDS], abs=2.0)
