"""What is wrong with a picture as a whole, at and beside each limit."""

from __future__ import annotations

import numpy as np
import pytest

from companion.errors import Phrase, phrase
from vision.imaging.frame import Frame, Image
from vision.presence.image_health import FROZEN_FRAMES, FreezeDetector, ImageHealth


def grey(value: int) -> Image:
    return np.full((180, 320, 3), value, np.uint8)


def tinted(red: int, blue: int) -> Image:
    """A table whose upper left part is red and whose right is blue, by these grey values over grey."""
    image = grey(100)
    image[:90, :200, 2] += np.uint8(red)
    image[60:, 220:, 0] += np.uint8(blue)
    return image


TABLE = tinted(60, 40)


@pytest.mark.parametrize(("picture", "said"), [
    (grey(7), phrase("eyes.black")),
    (grey(8), None),
    (grey(250), None),
    (grey(251), phrase("eyes.too_bright")),
])
def test_a_picture_that_shows_nothing_is_useless(picture: Image, said: Phrase | None) -> None:
    assert ImageHealth(()).useless(picture) == said
    assert ImageHealth(()).look(picture) == said


def test_a_few_bright_pixels_are_a_picture_and_a_bright_half_is_not_too_bright() -> None:
    spark = grey(0)
    spark[:8] = 200
    assert ImageHealth(()).useless(spark) is None
    bright = grey(255)
    bright[:100] = 100
    assert ImageHealth(()).useless(bright) is None
    assert ImageHealth(()).useless(np.asarray(bright[::-1, ::-1].clip(0, 255), np.uint8)) is None


def test_where_there_were_colours_a_grey_picture_is_useless() -> None:
    assert ImageHealth([TABLE]).useless(grey(100)) == phrase("eyes.no_colours")
    assert ImageHealth([TABLE]).useless(tinted(1, 0)) == phrase("eyes.no_colours")
    assert ImageHealth([TABLE]).useless(tinted(2, 0)) is None
    assert ImageHealth([grey(90)]).useless(grey(100)) is None, "a grey table is grey"
    assert ImageHealth([tinted(6, 6)]).useless(grey(100)) is None, "its colours are too faint to be missed"


@pytest.mark.parametrize(("picture", "said"), [
    (TABLE, None),
    (np.ascontiguousarray(TABLE[::-1, ::-1]), phrase("eyes.upside_down")),
    (np.ascontiguousarray(TABLE[:, ::-1]), phrase("eyes.mirrored")),
    (np.ascontiguousarray(TABLE[::-1]), phrase("eyes.flipped")),
    (np.ascontiguousarray(TABLE[..., ::-1]), phrase("eyes.colours_swapped")),
])
def test_a_picture_that_is_turned_is_known(picture: Image, said: Phrase | None) -> None:
    assert ImageHealth([TABLE]).look(picture) == said
    assert ImageHealth([grey(60), TABLE]).look(np.asarray(picture)) == said or said == phrase("eyes.colours_swapped")


@pytest.mark.parametrize("gains", [(1.3, 1.0, 0.7), (0.7, 1.0, 1.3)])
def test_light_of_another_colour_exchanges_none(gains: tuple[float, float, float]) -> None:
    table = grey(120)
    table[:60, :60] = 230  # a card
    table[100:110, 100:110] = (60, 40, 150)
    for before in (gains, gains[::-1]):
        seen = [np.asarray(np.clip(table * np.array(each), 0, 255), np.uint8) for each in (before, gains)]
        assert ImageHealth([seen[0]]).look(seen[1]) is None


def test_another_table_is_not_a_turned_one() -> None:
    other = grey(100)
    other[20:50, 30:60] = 220
    assert ImageHealth([TABLE]).look(tinted(60, 0)) is None
    rng = np.random.default_rng(3)
    assert ImageHealth([TABLE]).look(np.asarray(rng.integers(60, 200, (180, 320, 3)), np.uint8)) is None


def test_a_symmetrical_table_is_never_turned() -> None:
    table = grey(90)
    table[60:120, 100:220, 2] = 200
    assert ImageHealth([table]).look(np.ascontiguousarray(table[::-1, ::-1])) is None


def test_without_an_earlier_picture_nothing_is_turned() -> None:
    assert ImageHealth(()).look(TABLE) is None


def seen_for(frames: int, every_s: float, number: int = 1) -> list[bool]:
    camera = FreezeDetector()
    return [camera.is_frozen(Frame(grey(9), grey(9), 100.0 + every_s * index, 5 + number * index))
            for index in range(frames + 1)]


def test_a_camera_is_frozen_after_twenty_frames_and_ten_seconds_alike() -> None:
    assert seen_for(20, 0.5) == [False] * 20 + [True]
    assert seen_for(22, 0.5)[20:] == [True] * 3
    assert not any(seen_for(20, 0.49)), "not long enough"
    assert seen_for(21, 0.49)[-1]
    assert not any(seen_for(19, 5.0)), "not enough frames"


def test_a_frame_that_is_shown_again_is_no_new_one() -> None:
    assert not any(seen_for(60, 1.0, number=0))


def test_another_picture_begins_anew() -> None:
    camera = FreezeDetector()
    for index in range(FROZEN_FRAMES):
        assert not camera.is_frozen(Frame(grey(9), grey(9), float(index), index))
    assert not camera.is_frozen(Frame(grey(10), grey(10), 20.0, 20))
    later = [camera.is_frozen(Frame(grey(10), grey(10), 20.0 + index, 20 + index)) for index in range(1, 21)]
    assert later == [False] * 19 + [True]
