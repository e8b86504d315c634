"""The colour of shadows: learned from a table and its shadows, and put on the bare table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.photometry.background_model import nearest_table
from vision.photometry.shadow_tint import GREY_SHADOW, LampShadow, Pixels, Shadow, Takes, learn_shadow
from vision.photometry.white_reference import OPPONENT

WARM = (1.3, 1.1, 0.75)
"""What is left of the light beside a brown table is red."""

BROWN, BLUE = (0.5, 0.75, 0.9), (0.36, 0.23, 0.2)
"""Gamma-coded B G R."""


def lab(light: npt.NDArray[np.float64]) -> Pixels:
    """Gamma-coded B G R (n, 3) as lightness and opponent colours."""
    return np.asarray(light @ OPPONENT.T, np.float32)


def table(colour: tuple[float, float, float], taken: npt.NDArray[np.float64], takes: tuple[float, float, float]
          ) -> tuple[Pixels, Pixels]:
    """A table of one colour (n, 3) in shadows that take these shares (n,), and the same without."""
    bare = np.tile(np.array(colour), (len(taken), 1))
    return lab(bare * (1 - taken[:, None] * np.array(takes))), lab(bare)


def in_proportion(takes: tuple[float, float, float], colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """The same colour of shadows, that takes once the share of lightness of a thing of this colour."""
    weights = OPPONENT[0] * np.array(colour)
    blue, green, red = (float(each) for each in np.array(takes) * weights.sum() / (weights @ np.array(takes)))
    return blue, green, red


@pytest.mark.parametrize("colour", [BROWN, BLUE])
def test_the_colour_of_shadows_is_learned(colour: tuple[float, float, float]) -> None:
    takes = in_proportion(WARM, colour)
    seen, bare = table(colour, np.linspace(0, 0.6, 2000), takes)
    noise = np.random.default_rng(1).normal(0, 0.5, seen.shape).astype(np.float32)
    assert learn_shadow([seen + noise], [bare]).takes == pytest.approx(takes, abs=0.03)


def test_what_is_no_shadow_hardly_counts() -> None:
    takes = in_proportion(WARM, BROWN)
    seen, bare = table(BROWN, np.linspace(0.05, 0.6, 2000), takes)
    seen[::8] += np.array((-5, -30, 20), np.float32)  # something green lies there
    assert learn_shadow([seen], [bare]).takes == pytest.approx(takes, abs=0.05)


def test_a_table_without_shadows_has_grey_ones() -> None:
    seen, bare = table(BROWN, np.zeros(2000), WARM)
    assert learn_shadow([seen], [bare]) == GREY_SHADOW


@given(st.floats(0.1, 0.9), st.tuples(*[st.floats(0.6, 1.4)] * 3))
def test_the_nearest_colour_of_the_table_is_that_of_its_shadow(taken: float, takes: tuple[float, float, float]) -> None:
    shadow = Shadow(in_proportion(takes, BROWN))
    seen, bare = (pixels[None] for pixels in table(BROWN, np.full(4, taken * 0.7), shadow.takes))
    np.testing.assert_allclose(nearest_table(seen, bare, shadow=shadow), seen, atol=0.05)


def test_grey_shadows_keep_the_hue() -> None:
    bare = lab(np.array([BROWN]))[None]
    np.testing.assert_allclose(nearest_table(bare * 0.5, bare), bare * 0.5, rtol=1e-5)


# ---------------------------------------------------------------- two lamps of other colours

WHITE = (0.95, 0.95, 0.95)

COLD, WARMER = (0.3, 0.95, 1.4), (2.3, 1.0, 0.5)
"""A shadow in the light of a window keeps a bulb away, and is blue; one in a bulb's light keeps away a window's."""

MIXED = Shadow(lamps=(LampShadow(COLD, 0.3), LampShadow(WARMER, 0.2)))


def mixed_light(seed: int = 1) -> tuple[Pixels, Pixels]:
    """A white table in the light of two lamps: in the shadow of either, of both, and of none."""
    rng = np.random.default_rng(seed)
    shadows = [np.concatenate(each) for each in zip(
        table(WHITE, rng.uniform(0, 0.3, 3000), in_proportion(COLD, WHITE)),
        table(WHITE, rng.uniform(0, 0.2, 3000), in_proportion(WARMER, WHITE)))]
    return shadows[0] + rng.normal(0, 0.4, shadows[0].shape).astype(np.float32), shadows[1]


def test_what_one_of_two_lamps_lights_alone_has_the_colour_of_that_lamp() -> None:
    white = np.array([80.0, 0.0, 0.0])
    in_window = Shadow(lamps=(LampShadow(COLD, 0.3), LampShadow(WARMER, 0.2))).mixture
    in_bulb = Shadow(lamps=(LampShadow(WARMER, 0.2), LampShadow(COLD, 0.3))).mixture
    assert in_window is not None
    assert in_bulb is not None
    assert np.allclose(in_window, -in_bulb)
    lightness, *gained = in_window @ white
    assert lightness == 0.0
    left = 1 - 0.3 * np.array(COLD)  # of B G R where the bulb is kept away
    assert np.dot(gained, (OPPONENT @ (left - left.mean()))[1:]) > 0
    assert Shadow().mixture is None


def test_two_lamps_throw_shadows_of_two_colours() -> None:
    seen, bare = mixed_light()
    lamps = learn_shadow([seen], [bare]).lamps
    assert lamps is not None
    cold, warm = sorted(lamps, key=lambda each: each.takes[0])
    assert cold.takes == pytest.approx(in_proportion(COLD, WHITE), abs=0.25)
    assert warm.takes == pytest.approx(in_proportion(WARMER, WHITE), abs=0.25)
    assert cold.most == pytest.approx(0.3, abs=0.03)
    assert warm.most == pytest.approx(0.2, abs=0.03)


def test_a_dark_table_that_mirrors_a_room_has_deep_shadows_of_another_colour_than_light_ones() -> None:
    """What mirrors a window is bluish, and most of what is seen of a dark table; a bulb's shadows leave that alone."""
    dark, mirrored, bulb = (0.23, 0.25, 0.35), (1.8, 1.15, 0.55), (0.6, 0.9, 1.2)
    rng = np.random.default_rng(3)
    seen, bare = (np.concatenate(each) for each in zip(
        table(dark, np.zeros(100_000), mirrored),
        table(dark, rng.uniform(0.05, 0.17, 30_000), in_proportion(mirrored, dark)),
        table(dark, rng.uniform(0.3, 0.5, 2000), in_proportion(bulb, dark))))
    seen += lab(rng.normal(0, 1, seen.shape) * (0.03, 0.011, 0.015))  # a noisy camera
    shadow = learn_shadow([seen], [bare])
    deep = lab(np.array([dark]) * (1 - 0.45 * np.array(in_proportion(bulb, dark))))[None]
    off = nearest_table(deep, lab(np.array([dark]))[None], shadow=shadow) - deep
    assert shadow.lamps is not None
    assert np.abs(off).max() < 5.5  # of 12, were all shadows as the light ones


@pytest.mark.parametrize("takes", [WARM, (1.0, 1.0, 1.0)])
def test_one_lamp_throws_shadows_of_one_colour(takes: Takes) -> None:
    seen, bare = table(BROWN, np.linspace(0, 0.6, 4000), in_proportion(takes, BROWN))
    noise = np.random.default_rng(1).normal(0, 0.8, seen.shape).astype(np.float32)
    assert learn_shadow([seen + noise], [bare]).lamps is None


def test_pieces_beside_shadows_are_no_second_lamp() -> None:
    seen, bare = table(BROWN, np.linspace(0.05, 0.6, 4000), in_proportion(WARM, BROWN))
    strange = np.random.default_rng(2).uniform(-40, 40, (800, 3)).astype(np.float32)
    seen[::5, 1:] += strange[:, 1:]  # things of many colours
    assert learn_shadow([seen], [bare]).lamps is None


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_table_may_be_in_the_shadow_of_either_lamp_or_of_both(cold: float, warm: float) -> None:
    bare = np.tile(np.array(WHITE), (4, 1))
    takes = 0.3 * cold * np.array(in_proportion(COLD, WHITE)) + 0.2 * warm * np.array(in_proportion(WARMER, WHITE))
    shadow = Shadow(lamps=(LampShadow(in_proportion(COLD, WHITE), 0.3), LampShadow(in_proportion(WARMER, WHITE), 0.2)))
    seen = lab(bare * (1 - takes))[None]
    np.testing.assert_allclose(nearest_table(seen, lab(bare)[None], shadow=shadow), seen, atol=0.1)


def test_what_is_darker_than_both_lamps_shadows_keeps_their_colour() -> None:
    bare = lab(np.array([WHITE]))[None]
    grey = nearest_table(bare * 0.2, bare, shadow=MIXED) - bare * 0.2
    assert np.abs(grey[..., 1:]).max() > 3  # a black lid is no shadow there
