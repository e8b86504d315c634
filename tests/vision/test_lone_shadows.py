"""Shadows that no drink which was found throws: where they are seen, and that a drink is sought beside them alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import Point
from tests.vision.test_zones import MODELS, PALE, VIEW, WHITE, ZONE, by_renderings_alone, coded, picture
from vision.drinks.feet_seen import FeetSeen
from vision.drinks.foreground import BinaryImage
from vision.drinks.lone_shadows import clear_shades, lone_shadows
from vision.drinks.zone_detector import read_zone
from vision.imaging.box import Box
from vision.imaging.frame import Image
from vision.scene.bare_table import Bare
from vision.scene.occluders import Obstacle
from vision.scene.scene import Scene

__all__ = ["by_renderings_alone"]

DRINK_PX = 900.0


def shaded(image: Image, at_mm: Point, share: float, radius_px: int = 16) -> tuple[int, int]:
    """Draw a round shadow that leaves so much of a pale table's lightness, and tell where: column and row."""
    column, row = np.rint(VIEW.project(np.array([*at_mm, 0.0]))[0]).astype(int).tolist()
    colour = coded(np.full((1, 1, 3), np.array(PALE) * share, np.float32))[0, 0].tolist()
    cv2.circle(image, (column, row), radius_px, colour, -1)
    return column, row


def seen(image: Image) -> Scene:
    return Scene(image, VIEW, WHITE, Bare(picture({}, PALE), VIEW, WHITE), None)


@pytest.mark.parametrize(("share", "is_clear"), [(0.4, True), (0.8, False), (1.0, False)])
def test_only_a_clear_shadow_is_one(share: float, is_clear: bool) -> None:
    image = picture({}, PALE)
    column, row = shaded(image, (200.0, 0.0), share)
    shades = clear_shades(seen(image), Box(column - 50, row - 50, 100, 100))
    assert bool(shades[50, 50]) is is_clear
    assert shades[:20].sum() == 0


def test_a_shadow_beside_a_drink_is_its_own_and_one_of_a_crate_is_no_drink_s() -> None:
    shades, drinks = np.zeros((200, 600), np.uint8), np.zeros((200, 600), np.uint8)
    cv2.circle(shades, (60, 60), 18, (1,), -1)  # beside a drink
    cv2.circle(drinks, (60, 90), 14, (1,), -1)
    cv2.circle(shades, (160, 60), 14, (1,), -1)
    cv2.circle(shades, (260, 60), 18, (1,), -1)
    cv2.circle(shades, (330, 60), 6, (1,), -1)  # too small
    cv2.circle(shades, (60, 199), 18, (1,), -1)  # cut
    cv2.circle(shades, (160, 140), 14, (1,), -1)  # beside a drink, but for a blurred edge
    cv2.circle(drinks, (160, 170), 14, (1,), -1)
    cv2.rectangle(shades, (400, 20), (590, 180), (1,), -1)  # too large
    found = [tuple(np.argwhere(each).mean(axis=0).round()) for each in lone_shadows(shades, drinks, DRINK_PX)]
    assert found == [(60, 260), (60, 160)]


def test_beside_the_shadow_of_a_thing_no_drink_is_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    image = picture({}, PALE)
    column, row = shaded(image, (220.0, 30.0), 0.4)
    scene, asked = seen(image), []
    monkeypatch.setattr(FeetSeen, "best", lambda *_: asked.append(True))
    beside = np.array([(10.0, -10.0), (10.0, 10.0), (30.0, 10.0), (30.0, -10.0)]) + np.array([column, row])
    scene.lay([Obstacle(beside, height_mm=13.0)])
    read_zone(scene, ZONE, MODELS)
    assert not asked
    flat = seen(image)
    flat.lay([Obstacle(beside, height_mm=1.0)])
    read_zone(flat, ZONE, MODELS)
    assert asked


def test_beside_a_shadow_that_no_drink_throws_one_is_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    image = picture({(160.0, -40.0): "red/stub_can"}, PALE)
    shaded(image, (171.0, -40.0), 0.4)  # the can's
    column, row = shaded(image, (220.0, 30.0), 0.4)
    asked: list[tuple[float, float]] = []

    def best(self: FeetSeen, blob: BinaryImage, taken: list[Point], least_nats: float) -> None:
        rows, columns = np.nonzero(blob)
        asked.append((columns.mean() + self._box.left, rows.mean() + self._box.top))

    monkeypatch.setattr(FeetSeen, "best", best)
    assert len(read_zone(seen(image), ZONE, MODELS)) == 1
    assert np.abs(np.array(asked) - [(column, row)]).max() < 2
