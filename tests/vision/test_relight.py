"""A picture in the light of another: a curve for each channel, and a slope over the picture."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import Floats
from vision.imaging.frame import Image
from vision.presence.relight import match_lamps, match_light

ACROSS, DOWN = np.meshgrid(np.linspace(-1, 1, 320), np.linspace(-1, 1, 180))


def table() -> Image:
    """Many colours, in squares of 20 pixels."""
    colours = np.random.default_rng(5).integers(20, 200, (9, 16, 3))
    return np.asarray(np.kron(colours, np.ones((20, 20, 1), np.int64)), np.uint8)


def rounded(values: Floats) -> Image:
    return np.asarray(np.rint(values).clip(0, 255), np.uint8)


def darker_and_tinted(values: Floats) -> Floats:
    return np.asarray(values * np.array([0.9, 0.8, 0.7]), np.float64)


def offset(values: Floats) -> Floats:
    return np.asarray(values + np.array([12.0, 0.0, -9.0]), np.float64)


def curved(values: Floats) -> Floats:
    return values + 0.0012 * values * (255 - values)


def sloping(values: Floats) -> Floats:
    return values * (1 + 0.12 * ACROSS - 0.07 * DOWN)[..., None]


def sloping_in_red(values: Floats) -> Floats:
    return values * np.stack([np.ones_like(ACROSS), np.ones_like(ACROSS), 1 + 0.15 * DOWN], axis=2)


def all_together(values: Floats) -> Floats:
    return sloping(darker_and_tinted(values)) + 5.0


LIGHTS = [darker_and_tinted, offset, curved, sloping, sloping_in_red, all_together]


@pytest.mark.parametrize("light", LIGHTS)
def test_the_light_of_another_picture_is_found_to_two_grey_values(light: Callable[[Floats], Floats]) -> None:
    now = rounded(light(table().astype(np.float64)))
    matched = match_light(table(), now)
    assert (matched.shape, matched.dtype) == ((180, 320, 3), np.uint8)
    assert cv2.absdiff(matched, now).max() <= 2


@pytest.mark.parametrize("light", LIGHTS)
def test_what_really_changed_does_not_bend_the_light(light: Callable[[Floats], Floats]) -> None:
    lit = rounded(light(table().astype(np.float64)))
    now = lit.copy()
    now[60:120, 100:180] = (230, 20, 120)
    assert cv2.absdiff(match_light(table(), now), lit).max() <= 3


@pytest.mark.parametrize("light", LIGHTS)
def test_a_region_is_matched_as_it_is_in_the_whole(light: Callable[[Floats], Floats]) -> None:
    now = rounded(light(table().astype(np.float64)))
    region = (slice(30, 90), slice(200, 260))
    assert np.array_equal(match_light(table(), now, region), match_light(table(), now)[region])


def test_the_same_picture_stays_as_it_is() -> None:
    assert cv2.absdiff(match_light(table(), table()), table()).max() <= 1


def test_a_table_of_one_colour_takes_the_light_of_the_picture() -> None:
    plain, dimmer = np.full((180, 320, 3), 120, np.uint8), np.full((180, 320, 3), 90, np.uint8)
    assert cv2.absdiff(match_light(plain, dimmer), dimmer).max() <= 1


def test_a_slope_of_one_hundredth_is_left_out() -> None:
    slightly = rounded(table() * (1 + 0.008 * ACROSS)[..., None])
    left, right = (match_light(table(), slightly)[:, part].astype(int) - table()[:, part]
                   for part in (slice(0, 40), slice(280, 320)))
    assert abs(left.mean() - right.mean()) < 0.2
    clearly = rounded(table() * (1 + 0.05 * ACROSS)[..., None])
    left, right = (match_light(table(), clearly)[:, part].astype(int) - table()[:, part]
                   for part in (slice(0, 40), slice(280, 320)))
    assert right.mean() - left.mean() > 6


def test_a_lamp_is_matched_beside_what_is_new() -> None:
    spot = np.exp(-((ACROSS + 0.5) ** 2 + DOWN ** 2) / (2 * 0.6 ** 2))[..., None] * np.array((0.6, 0.8, 1.0))
    lit = rounded(table() * (1.0 + spot) * 0.6)
    new = lit.copy()
    new[60:120, 200:260] = 20
    outside = np.ones((180, 320), np.bool_)
    outside[60:120, 200:260] = False
    for image in (lit, new):
        off = np.abs(match_lamps(table(), image).astype(int) - lit)[outside]
        assert np.median(off) <= 2
        assert np.percentile(off, 98) <= 12
