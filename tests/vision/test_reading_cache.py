"""Readings kept for as long as their part of the picture looks the same."""

from __future__ import annotations

import numpy as np

from companion.table import EMPTY, Sight
from tests.vision.test_zones import VIEW, WHITE
from vision.imaging.box import Box
from vision.photometry.channel_noise import Noise
from vision.scene.reading_cache import ReadingCache, summarise, summary_changed
from vision.scene.scene import Scene

BOX = Box(100, 80, 40, 30)
SIGHTS = (Sight("a", (0.0, 0.0), {EMPTY: 0.0}),)


def scene(level: int = 90) -> Scene:
    image = np.full((VIEW.lens.height, VIEW.lens.width, 3), 90, np.uint8)
    image[85:100, 105:130] = level
    return Scene(image, VIEW, WHITE, None, None)


def kept() -> ReadingCache:
    cache = ReadingCache()
    cache.keep(scene(), "a", BOX, SIGHTS)
    return cache


def test_what_looks_the_same_keeps_its_reading_and_is_not_fresh() -> None:
    sight, = kept().read(scene(), "a", BOX, lambda: ())
    assert (sight.spot, sight.fresh) == ("a", False)


def test_what_changed_is_read_anew_and_kept() -> None:
    cache = kept()
    assert cache.recall(scene(200), "a", BOX) is None
    assert cache.read(scene(200), "a", BOX, lambda: ()) == ()
    assert cache.recall(scene(200), "a", BOX) == ()


def test_another_part_of_the_picture_is_no_earlier_reading() -> None:
    assert kept().recall(scene(), "a", Box(100, 80, 41, 30)) is None
    assert kept().recall(scene(), "b", BOX) is None


def test_after_the_camera_moved_nothing_is_known() -> None:
    cache = kept()
    cache.clear()
    assert cache.get("a") is None
    assert cache.recall(scene(), "a", BOX) is None


def test_from_now_on_another_box_says_whether_a_spot_changed() -> None:
    cache = kept()
    cache.watch(scene(), "a", Box(300, 300, 40, 30))
    assert cache.recall(scene(200), "a", Box(300, 300, 40, 30)) is not None


def test_a_thumbnail_shows_what_is_trusted() -> None:
    trusted, doubted = scene(), scene()
    doubted.noise = Noise((1.0, 1.0, 0.25), 0.0)
    plain, weighed = summarise(trusted, BOX), summarise(doubted, BOX)
    assert np.array_equal(weighed, plain * np.array(doubted.trust, np.float32))
    other = plain + np.array((0.0, 0.0, 8.0), np.float32)
    assert summary_changed(plain, other)
    assert not summary_changed(plain * doubted.trust, other * doubted.trust)
