"""Connected changes of the small picture: which pixels, what they are part of, which are the same thing again."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.frame import Image
from vision.presence.blobs import Blob, change_since, connected, picture_edge, region_around, sights_kept, same_thing
from vision.presence.play_area import SmallMask

MOVED_PX = 1
"""Opening with a square of two pixels moves a change by one, right and down."""

EVERYWHERE = np.full((180, 320), 255, np.uint8)


def grey(value: int = 90) -> Image:
    return np.full((180, 320, 3), value, np.uint8)


def changed(*parts: tuple[int, int, int, int, int]) -> SmallMask:
    """A change by so many grey values in rectangles: left, top, width, height, change."""
    change = np.zeros((180, 320), np.uint8)
    for left, top, width, height, by in parts:
        change[top:top + height, left:left + width] = by
    return change


def found(change: SmallMask, within: SmallMask = EVERYWHERE) -> list[tuple[tuple[int, int, int, int], int, bool]]:
    edge = picture_edge(np.zeros((180, 320), np.uint8))
    return [((blob.box[0] - MOVED_PX, blob.box[1] - MOVED_PX, *blob.box[2:]), blob.area, blob.at_border)
            for blob in connected(change, (grey(), 3.0), within, edge)]


def blob(left: int, top: int, width: int, height: int, colour: int = 200, odd_pixels: int = 0) -> Blob:
    image = grey()
    image[top:top + height, left:left + width] = colour
    image[top, left:left + odd_pixels, 1] = colour - 60
    mask = changed((left, top, width, height, 255))
    return Blob(mask, (left, top, width, height), width * height, False, image, 0.0)


def test_a_change_is_the_largest_of_the_three_colours_beyond_what_neighbours_show() -> None:
    before, now = grey(), grey()
    before[50:70, 100] = 120  # an edge that wanders by a pixel is none
    now[50:70, 101] = 120
    now[10:14, 10:14, 2] = 130
    now[10:14, 20:24, 0] = 50
    now[10:14, 30:34] = (80, 95, 93)
    change = change_since([before], now)
    assert (change.shape, change.dtype) == ((180, 320), np.uint8)
    assert [int(change[12, column]) for column in (12, 22, 32)] == [40, 40, 10]
    assert change[50:70, 98:104].max() == 0
    assert int(change.astype(int).sum()) == 16 * (40 + 40 + 10)


def test_what_looks_as_in_one_of_the_references_is_no_change() -> None:
    now = grey()
    now[10:20, 10:20] = 140
    known = grey()
    known[10:20, 10:20] = 133
    assert int(change_since([grey(), known], now).max()) == 7
    assert int(change_since([grey()], now).max()) == 50


def test_a_change_is_joined_by_its_faint_parts_and_needs_a_sure_one() -> None:
    sure, faint = 13, 7
    assert found(changed((40, 50, 10, 8, sure), (50, 50, 10, 8, faint))) == [((40, 50, 20, 8), 160, False)]
    assert found(changed((40, 50, 10, 8, faint))) == []
    assert found(changed((40, 50, 10, 8, 12))) == [], "a change of just twelve is not sure"
    assert found(changed((40, 50, 10, 8, sure), (50, 50, 10, 8, 6))) == [((40, 50, 10, 8), 80, False)]


def test_ten_sure_pixels_are_a_change() -> None:
    faint = (40, 50, 8, 8, 7)
    assert found(changed(faint, (42, 52, 5, 2, 20))) == [((40, 50, 8, 8), 64, False)]
    assert found(changed(faint, (42, 52, 3, 3, 20))) == []
    assert [box for box, _, _ in found(changed(faint, (42, 52, 5, 2, 20), (80, 50, 3, 3, 20)))] == [(40, 50, 8, 8)]


def test_two_changes_apart_are_two_and_a_gap_of_a_pixel_is_closed() -> None:
    assert [box for box, _, _ in found(changed((40, 50, 8, 8, 20), (60, 70, 8, 6, 20)))] == [
        (40, 50, 8, 8), (60, 70, 8, 6)]
    assert [box for box, _, _ in found(changed((40, 50, 8, 8, 20), (49, 50, 8, 8, 20)))] == [(40, 50, 17, 8)]


def test_a_line_of_one_pixel_is_noise() -> None:
    assert found(changed((40, 50, 60, 1, 40))) == []


def test_only_what_lies_within_is_a_change() -> None:
    within = changed((0, 0, 45, 180, 255))
    assert found(changed((40, 50, 10, 8, 20)), within) == [((40, 50, 5, 8), 40, False)]


def test_what_touches_the_border_is_at_the_border() -> None:
    at_border = {box: border for box, _, border in found(changed(
        (1, 30, 8, 8, 20), (2, 60, 8, 8, 20), (309, 30, 8, 8, 20), (308, 60, 8, 8, 20), (100, 1, 8, 8, 20),
        (120, 2, 8, 8, 20), (100, 169, 8, 8, 20), (120, 168, 8, 8, 20)))}
    assert at_border == {
        (-1, 30, 10, 8): True, (2, 60, 8, 8): False, (309, 30, 8, 8): True, (308, 60, 8, 8): False,
        (100, -1, 8, 10): True, (120, 2, 8, 8): False, (100, 169, 8, 8): True, (120, 168, 8, 8): False}


def test_a_change_has_its_pixels_and_the_picture_it_was_seen_in() -> None:
    image = grey(7)
    one, = connected(changed((40, 50, 10, 8, 20)), (image, 3.5), EVERYWHERE, np.zeros((180, 320), np.uint8))
    assert np.array_equal(one.mask, changed((40 + MOVED_PX, 50 + MOVED_PX, 10, 8, 255)))
    assert one.image is image
    assert one.at_s == 3.5


def test_what_was_never_seen_is_a_border_too() -> None:
    edge = picture_edge(changed((100, 80, 1, 1, 255)))
    assert np.array_equal(edge, np.maximum.reduce([
        changed((97, 77, 7, 7, 255)), changed((0, 0, 320, 3, 255)), changed((0, 177, 320, 3, 255)),
        changed((0, 0, 3, 180, 255)), changed((317, 0, 3, 180, 255))]))


@pytest.mark.parametrize(("now", "is_same"), [
    (blob(40, 50, 20, 20), True),
    (blob(40, 50, 20, 17), True),  # 85 % of the pixels in common
    (blob(40, 50, 20, 16), False),
    (blob(41, 50, 20, 20), True),  # 380 of 420
    (blob(42, 50, 20, 20), False),  # 360 of 440
    (blob(40, 50, 20, 20, colour=224), True),  # by 24 in each channel
    (blob(40, 50, 20, 20, colour=225), False),
    (blob(140, 50, 20, 20), False),
])
def test_one_thing_covers_the_same_pixels_with_the_same_colours(now: Blob, is_same: bool) -> None:
    assert same_thing(blob(40, 50, 20, 20), now) is is_same


def test_some_pixels_of_another_colour_are_still_the_same_thing() -> None:
    assert same_thing(blob(40, 50, 20, 5), blob(40, 50, 20, 5, odd_pixels=14))
    assert not same_thing(blob(40, 50, 20, 5), blob(40, 50, 20, 5, odd_pixels=16))


def test_of_a_thing_its_first_sight_is_remembered_and_its_last_that_is_not_as_at_first() -> None:
    first, moved, on, other = (blob(left, 50, 60, 20) for left in (40, 42, 44, 140))
    assert sights_kept([], [first, other]) == [first, other]
    assert sights_kept([first, other], [blob(40, 50, 60, 20)]) == [first, other], "as it lay at first"
    assert sights_kept([first, other], [moved]) == [first, other, moved]
    assert sights_kept([first, other, moved], [blob(42, 50, 60, 20)]) == [first, other, moved], "as it lay then"
    assert sights_kept([first, other, moved], [on]) == [first, other, on]


def test_the_region_of_several_blobs_holds_all_and_three_pixels_more() -> None:
    assert region_around([blob(40, 50, 20, 10)]) == (slice(47, 63), slice(37, 63))
    assert region_around([blob(40, 50, 20, 10), blob(10, 90, 5, 30)]) == (slice(47, 123), slice(7, 63))
    assert region_around([blob(1, 2, 20, 10)]) == (slice(0, 15), slice(0, 24))
