"""Shadows and sleeves on painted tables, with grain and without."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image
from vision.presence.blobs import Blob
from vision.presence.foreground import is_light
from vision.presence.grain import hides_table, shows_table
from vision.presence.play_area import SmallMask

DEEP = np.array((0.55, 0.5, 0.42))
"""What a shadow leaves of blue, green and red light."""


def wood(contrast: float = 0.15) -> Image:
    rng = np.random.default_rng(2)
    grain = cv2.GaussianBlur(rng.normal(0.0, 1.0, (180, 320)).astype(np.float32), (0, 0), 1.2, sigmaY=0.6)
    shine = 1.0 + contrast * grain / grain.std()
    return np.asarray((np.array((60, 90, 130)) * shine[..., None]).clip(0, 255), np.uint8)


def play() -> SmallMask:
    mask = np.zeros((180, 320), np.uint8)
    mask[40:140, 60:260] = 255
    return mask


def seen(image: Image | Floats, mask: SmallMask) -> Blob:
    """What a camera shows of it, as a blob a little larger than the mask."""
    mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
    noise = np.random.default_rng(4).normal(0.0, 0.7, image.shape)
    left, top, width, height = cv2.boundingRect(mask)
    return Blob(mask, (left, top, width, height), cv2.countNonZero(mask), True,
                np.asarray((image + noise).clip(0, 255), np.uint8), 0.0)


def box(rows: slice, columns: slice) -> SmallMask:
    mask = np.zeros((180, 320), np.uint8)
    mask[rows, columns] = 255
    return mask


def shaded(table: Image, mask: SmallMask) -> Floats:
    return np.asarray(np.where(mask[..., None] > 0, table * DEEP, table))


BEAM = box(slice(0, 50), slice(80, 320))


def test_a_deep_shadow_with_a_sharp_edge_is_no_more_than_shade_where_the_table_has_a_grain() -> None:
    assert is_light(seen(shaded(wood(), BEAM), BEAM), wood())
    assert not is_light(seen(shaded(wood(0.0), BEAM), BEAM), wood(0.0)), "a sleeve may look so on a plain table"


def test_a_sleeve_as_dark_as_a_shadow_hides_the_grain() -> None:
    sleeve = np.where(BEAM[..., None] > 0, wood().mean(axis=(0, 1)) * DEEP, wood())
    assert not is_light(seen(sleeve, BEAM), wood())
    other = np.where(BEAM[..., None] > 0, wood()[::-1] * DEEP, wood())
    assert not is_light(seen(other, BEAM), wood()), "nor is it a sleeve with a weave of its own"


@pytest.mark.parametrize("wide", [12, 40])
def test_a_hand_in_its_own_shadow_is_found(wide: int) -> None:
    image = shaded(wood(), BEAM)
    image[0:30, 150:150 + wide] = wood().mean(axis=(0, 1)) * DEEP * 0.8
    assert not is_light(seen(image, BEAM), wood())


def test_a_piece_that_was_played_in_a_shadow_is_no_hand_but_what_an_arm_leads_to_is() -> None:
    mask = box(slice(0, 90), slice(80, 320))
    image = shaded(wood(), mask)
    image[60:72, 120:132] = 30, 160, 170
    assert shows_table(seen(image, mask), wood(), play())
    assert not shows_table(seen(image, mask), wood()), "anywhere else it may be one"
    image[0:72, 120:132] = 30, 160, 170
    assert not shows_table(seen(image, mask), wood(), play())


def test_what_is_too_thin_to_show_any_grain_is_not_judged() -> None:
    thin = box(slice(0, 90), slice(100, 105))
    assert not shows_table(seen(shaded(wood(), thin), thin), wood())


def test_a_faint_shade_that_noise_frays_is_shade_and_a_frayed_sleeve_is_none() -> None:
    holes = np.random.default_rng(5).random((180, 320)) < 0.06
    frayed = np.where(holes, 0, box(slice(0, 90), slice(150, 175))).astype(np.uint8)
    sleeve = np.where(frayed[..., None] > 0, 0.5 * wood(0.0), wood()).astype(np.float64)
    shade: Floats = wood() * np.array((0.8, 0.78, 0.75))
    for image, shows in ((shade, True), (sleeve, False)):
        blob = seen(image, frayed)
        assert shows_table(replace(blob, mask=frayed, area=cv2.countNonZero(frayed)), wood(), play()) is shows


def test_what_hides_the_table_is_the_thing_and_not_its_coloured_light() -> None:
    bounced = box(slice(0, 50), slice(120, 220))
    mug = box(slice(0, 24), slice(150, 190))
    image = np.where(bounced[..., None] > 0, wood() * np.array((0.55, 0.5, 1.1)), wood())
    image[mug > 0] = 30, 30, 190
    hides = hides_table(seen(image, bounced), wood())
    middle = cv2.erode(mug, np.ones((7, 7), np.uint8))
    assert cv2.countNonZero(cv2.subtract(middle, hides)) < 0.02 * cv2.countNonZero(middle)
    assert cv2.countNonZero(cv2.subtract(hides, mug)) < 0.15 * cv2.countNonZero(mug)
    plain = wood(0.0)
    image = np.where(bounced[..., None] > 0, plain * np.array((0.55, 0.5, 1.1)), plain)
    told = cv2.countNonZero(hides_table(seen(image, bounced), plain)) / cv2.countNonZero(bounced)
    assert told > 0.9, "without grain nothing is told"


def test_in_a_dim_picture_noise_is_no_outline_of_a_shade_and_hides_no_arm() -> None:
    def noisy(image: Values, seed: int) -> Image:
        return np.clip(image + np.random.default_rng(seed).normal(0, 4, image.shape), 0, 255).astype(np.uint8)

    plain = np.full((180, 320, 3), 50, np.float32)
    before, mask = noisy(plain, 1), np.zeros((180, 320), np.uint8)
    mask[60:100, 100:140] = 255
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 8)[..., None]
    arm = plain * (1 - 0.4 * (mask[..., None] > 0))
    shades = [Blob(mask, (100, 60, 40, 40), 1600, False, noisy(image, 2), 0.0)
              for image in (plain * (1 - 0.1 * soft), arm.astype(np.float32))]
    arm_in_it = shades[1]
    arm_in_it.image[75:85, 100:140] = noisy(plain * 0.9, 3)[75:85, 100:140]

    assert [is_light(each, before) for each in shades] == [True, False]


@pytest.mark.parametrize(("leaves", "light"), [(0.8, True), (0.6, False)])
def test_a_faint_shade_has_an_edge_also_where_noise_makes_single_pixels_darker(leaves: float, light: bool) -> None:
    rng, plain = np.random.default_rng(3), np.full((180, 320, 3), 90, np.float32)

    def noisy(image: Values) -> Image:
        return np.asarray(np.clip(image + rng.normal(0, 3, image.shape), 0, 255), np.uint8)

    shade = 1 - (1 - leaves) * (BEAM[..., None] > 0)
    assert is_light(seen(noisy(plain * shade), BEAM), noisy(plain)) == light
