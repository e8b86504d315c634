"""Whether a part of the picture looks as before: by how much it may change, and by how far it may wander."""

from __future__ import annotations

import numpy as np
import pytest

from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC
from vision.scene.change_detection import FEWEST, MOST_NOISE, NOISE_PEAK, TOUCHED, NoiseLevel, change_map, touched


def part(height: int = 24, width: int = 30) -> Lab:
    """Colours that differ from pixel to pixel (h, w, 3)."""
    lab = np.random.default_rng(2).normal(0, 20, (height, width, 3)) + np.array([60, 5, -5])
    return np.asarray(lab, np.float32)


def with_spot(change: tuple[float, float, float], size: int = 9, at: tuple[int, int] = (8, 10)) -> Lab:
    lab = part()
    lab[at[0]:at[0] + size, at[1]:at[1] + size] += np.array(change, np.float32)
    return lab


def test_what_is_the_same_did_not_change() -> None:
    assert not touched(part(), part())
    assert change_map(part(), part(), 0.0).max() == 0
    assert change_map(part(), part(), 0.0).shape == (22, 28)


@pytest.mark.parametrize(("right", "down"), [(-1, 0), (1, 0), (0, -1), (0, 1)])
def test_a_pixel_to_each_side_is_no_change(right: int, down: int) -> None:
    whole = part(30, 40)
    before, now = whole[3:-3, 3:-3], whole[3 + down:27 + down, 3 + right:37 + right]
    assert not touched(before, now)
    assert touched(before, whole[3 + 2 * down:27 + 2 * down, 3 + 2 * right:37 + 2 * right])


def test_a_pixel_aslant_is_a_change() -> None:
    whole = part(30, 40)
    assert touched(whole[3:-3, 3:-3], whole[4:-2, 4:-2])


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_a_change_counts_by_the_metric_of_its_channel(channel: int) -> None:
    change = np.zeros((24, 30, 3), np.float32)
    change[..., channel] = 10.0
    plain = np.full((24, 30, 3), 50.0, np.float32)
    found = change_map(plain, np.asarray(plain + change, np.float32), 0.0)
    assert found == pytest.approx(10.0 * METRIC[channel])


def test_channels_add_as_squares() -> None:
    plain = np.full((24, 30, 3), 50.0, np.float32)
    found = change_map(plain, np.asarray(plain + np.array([3.0, -4.0, 12.0]), np.float32), 0.0)
    assert found == pytest.approx(float(np.linalg.norm(METRIC * np.array([3.0, 4.0, 12.0]))), rel=1e-5)


def test_a_change_is_averaged_over_seven_pixels() -> None:
    plain = np.zeros((40, 40, 3), np.float32)
    dot = plain.copy()
    dot[18:22, 18:22, 0] = 49.0  # a pixel's play leaves 2 x 2 of it
    found = change_map(plain, dot, 0.0)
    assert found.max() == pytest.approx(4 * METRIC[0], rel=1e-3)
    assert np.argwhere(found > 0).min(axis=0).tolist() == [15, 15]
    assert np.argwhere(found > 0).max(axis=0).tolist() == [22, 22]


def test_touched_is_more_than_the_limit() -> None:
    plain = np.zeros((24, 30, 3), np.float32)
    for share, is_touched in ((0.99, False), (1.01, True)):
        change = np.full_like(plain, 0.0)
        change[..., 0] = share * TOUCHED / METRIC[0]
        assert touched(plain, change) is is_touched


def test_where_nothing_changed_much_a_pixels_play_is_not_looked_for() -> None:
    plain = np.zeros((24, 30, 3), np.float32)
    line = plain.copy()
    line[:, 15, 0] = 30.0
    quick, thorough = change_map(line, plain, 100.0), change_map(line, plain, 0.0)
    assert quick.max() == pytest.approx(30.0 * METRIC[0] / 7, rel=1e-3)
    assert thorough.max() == pytest.approx(30.0 * METRIC[0] / 7, rel=1e-3), "it is gone, wherever one looks"
    moved = np.roll(line, 1, axis=1)
    assert change_map(line, moved, 100.0).max() == pytest.approx(60.0 * METRIC[0] / 7, rel=1e-3)
    assert change_map(line, moved, 0.0).max() < 60.0 * METRIC[0] / 7


def test_with_a_spot_of_another_colour_it_was_touched() -> None:
    assert touched(part(), with_spot((0.0, 25.0, 0.0)))
    assert not touched(part(), with_spot((0.0, 1.0, 0.0)))


def noisy(seed: int, sd: float = 3.5) -> Lab:
    """The part in a dim picture, of which a camera makes noise."""
    return np.asarray(part() + np.random.default_rng(seed).normal(0, sd, part().shape), np.float32)


@pytest.fixture
def used_to_noise() -> NoiseLevel:
    level = NoiseLevel()
    for look in range(FEWEST):
        level.changed(noisy(10 + look), noisy(20 + look))
    return level


def test_noise_is_no_change_once_it_is_known(used_to_noise: NoiseLevel) -> None:
    assert NoiseLevel().changed(noisy(5), noisy(6)) > 1.0
    assert used_to_noise.changed(noisy(5), noisy(6)) <= 1.0


def test_the_level_of_noise_is_the_median_of_medians() -> None:
    level, medians = NoiseLevel(), []
    for look, (rows, sd) in enumerate([(20, 0.9), (21, 1.1), (21, 1.0), (20, 1.2), (21, 1.05)]):
        before, now = (noisy(seed, sd)[:rows, :rows] for seed in (10 + look, 20 + look))
        level.changed(before, now)
        medians.append(float(np.median(change_map(before, now, TOUCHED))))
        if look + 1 >= FEWEST:
            assert level.peak == NOISE_PEAK * np.median(medians)
            assert TOUCHED < level.peak < MOST_NOISE


def test_what_changed_is_seen_in_noise_too(used_to_noise: NoiseLevel) -> None:
    now = noisy(6)
    now[8:17, 10:19] += np.array((40, 0, 0), np.float32)
    assert used_to_noise.changed(noisy(5), now) > 1.0


def test_a_part_that_changed_as_a_whole_is_no_noise(used_to_noise: NoiseLevel) -> None:
    assert used_to_noise.changed(part(), part() + np.array((30, 0, 0), np.float32)) > 1.0


def test_few_touched_parts_do_not_make_the_others_noisy() -> None:
    level = NoiseLevel()
    for _ in range(FEWEST):
        level.changed(part(), part())
    for _ in range(FEWEST - 1):
        assert level.changed(part(), part() + np.array((30, 0, 0), np.float32)) > 1.0
    assert level.changed(part(), with_spot((12, 0, 0))) > 1.0


BLUE_IS_NOISE = (1.0, 1.0, 0.3)


def blotched(seed: int) -> Lab:
    """The part in an evening's light, with noise of blue and yellow alone."""
    return np.asarray(part() + np.random.default_rng(seed).normal(0, 12, part().shape) * (0.0, 0.0, 1.0), np.float32)


def test_noise_in_a_colour_that_is_hardly_trusted_is_no_change_and_what_lightness_shows_is_one() -> None:
    before, now = blotched(1), blotched(2)
    assert touched(before, now)
    level = NoiseLevel(BLUE_IS_NOISE)
    assert not level.touched(before, now)
    assert level.changed(before, now) <= 1.0
    assert not level.stirred(before, now).any()
    now[8:17, 10:19] += np.array((20, 0, 0), np.float32)
    assert level.touched(before, now)
    stirred = level.stirred(before, now)
    assert stirred.shape == now.shape[:2]
    assert stirred[12, 14]
    assert not stirred[0].any()
