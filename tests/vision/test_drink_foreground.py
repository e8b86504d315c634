"""What differs from the bare table, in good light and through the noise of a camera in a dim evening."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_zones import VIEW, WHITE, picture
from vision.drinks import foreground
from vision.drinks.foreground import foreground_masks, strewn_with
from vision.imaging.box import Box
from vision.photometry.channel_noise import FULL_TRUST, Noise, Trust
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

AT_MM = (160.0, 0.0)


def masked(noise: float) -> tuple[float, float]:
    """The shares of foreground where a can stands, and elsewhere around it, through noise of this standard deviation in
    grey values."""
    rng = np.random.default_rng(0)
    bare, seen = (np.clip(image + rng.normal(0.0, noise, image.shape), 0, 255).round().astype(np.uint8)
                  for image in (picture({}), picture({AT_MM: "red/stub_can"})))
    x, y = np.rint(VIEW.project(np.array([*AT_MM, 6.0]))[0]).astype(int).tolist()
    table = Bare(bare, VIEW, WHITE)
    mask, _ = foreground_masks(Scene(seen, VIEW, WHITE, table, None), Box(x - 100, y - 100, 200, 200))
    around = mask.copy()
    around[60:140, 60:140] = 0
    return float(mask[94:106, 94:106].mean()), float(around.sum() / (200 * 200 - 80 * 80))


@pytest.mark.parametrize("noise", [0.0, 6.0, 12.0])
def test_a_can_is_foreground_and_noise_is_not(noise: float) -> None:
    can, elsewhere = masked(noise)
    assert can > 0.9
    assert elsewhere < 0.001


def test_what_is_far_for_a_good_camera_is_noise_of_a_poor_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreground, "NOISE_TIMES", 0.0)
    assert masked(12.0)[1] > 0.01


def test_blotches_of_colour_are_no_specks_where_colours_are_trusted_little() -> None:
    rng, plain, (x, y) = np.random.default_rng(0), picture({}), (1152, 648)
    blotches = cv2.GaussianBlur(rng.normal(0.0, 1.0, plain.shape), (0, 0), 2.5)
    blotches = 14 * (blotches - blotches.mean(axis=2, keepdims=True)) / blotches.std()
    seen, table = np.clip(plain + blotches, 0, 255).astype(np.uint8), Bare(plain, VIEW, WHITE)

    def specks(trust: Trust) -> float:
        scene = Scene(seen, VIEW, WHITE, table, None)
        scene.noise = Noise(trust, 0.0)
        return float(foreground_masks(scene, Box(x - 100, y - 100, 200, 200))[1].mean())

    assert specks(FULL_TRUST) > 0.02
    assert specks((1.0, 0.5, 0.5)) < 0.4 * specks(FULL_TRUST)


def test_a_can_is_foreground_through_any_noise() -> None:
    assert masked(20.0)[0] > 0.9


def test_a_thin_ring_is_found_by_its_specks_and_noise_is_not() -> None:
    specks = (np.random.default_rng(1).random((200, 300)) < 0.01).astype(np.uint8)
    assert list(strewn_with(specks, 24, 0.04)) == []
    cv2.circle(specks, (80, 90), 12, (1,), 1)
    cv2.circle(specks, (200, 120), 12, (1,), 1)
    specks[90:102, 70:80] = 0  # a part of it is not seen
    found = list(strewn_with(specks, 24, 0.04))
    assert len(found) == 2
    assert np.abs(np.subtract(found, [(200, 120), (80, 90)])).max() <= 6
