"""A picture that lies decoded in part shows what the whole one does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_boxes import VIEW, WHITE
from vision.imaging.box import Box
from vision.imaging.frame import Image
from vision.imaging.packed_picture import GRID_PX, PackedPicture
from vision.scene.bare_table import Bare

HEIGHT, WIDTH = 700, 1100
BOXES = (Box(500, 300, 60, 40), Box(510, 310, 20, 20), Box(300, 20, 50, 70), Box(-9, -12, 30, 40),
         Box(WIDTH - 20, HEIGHT - 15, 60, 50), Box(WIDTH + 40, 100, 10, 10), Box(-50, -50, WIDTH + 100, HEIGHT + 100))


@pytest.fixture(scope="module")
def picture() -> Image:
    """Smooth, so that a pixel's fraction makes no leap, and nowhere the same."""
    noise = np.random.default_rng(1).integers(0, 255, (14, 22, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.fixture
def packed(picture: Image) -> PackedPicture:
    return PackedPicture(np.asarray(cv2.imencode(".png", picture)[1], np.uint8))


def test_the_same_view_is_the_same_to_the_byte(picture: Image, packed: PackedPicture) -> None:
    whole, part = Bare(picture, VIEW, WHITE), Bare(packed, VIEW, WHITE)
    for box in BOXES:
        assert np.array_equal(part.seen(box, None), whole.seen(box, None)), box


def test_another_view_is_the_same_but_for_the_rounding_of_a_pixel(picture: Image, packed: PackedPicture) -> None:
    turned = np.array([(0.98, -0.05, 14.3), (0.04, 1.01, -8.7), (0.00002, -0.00001, 1)], np.float64)
    whole, part = Bare(picture, VIEW, WHITE), Bare(packed, VIEW, WHITE)
    for box in BOXES:
        assert np.abs(part.seen(box, turned) - whole.seen(box, turned)).max() < 1.5, box


def test_only_what_was_asked_for_is_kept(packed: PackedPicture) -> None:
    image, part = packed.around(Box(500, 300, 60, 40))
    assert part == Box(384, 256, 2 * GRID_PX, GRID_PX)
    assert image.shape == (GRID_PX, 2 * GRID_PX, 3)
    assert image.base is None, "a view would keep the whole one"


def test_what_is_there_is_not_decoded_again(packed: PackedPicture, monkeypatch: pytest.MonkeyPatch) -> None:
    before, _ = packed.around(Box(500, 300, 60, 40))
    monkeypatch.delattr(PackedPicture, "whole")
    after, _ = packed.around(Box(384, 256, 200, 100))
    assert after is before


def test_a_damaged_one_is_told() -> None:
    with pytest.raises(ValueError, match="damaged"):
        PackedPicture(np.zeros(40, np.uint8))
