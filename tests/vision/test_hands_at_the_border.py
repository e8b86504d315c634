"""What comes in from the border: hands, or the ends of them, and things that the border cuts."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest

from tests.vision.test_foreground import AREA, BLUE, DARK_SKIN, FINGERS, LIGHT_SKIN, Colour, drawn, round_thing, table
from vision.presence.foreground import looks_like_a_thing, skin_of

BLACK: Colour = (8, 7, 8)
DARK_RED: Colour = (35, 40, 110)


@pytest.mark.parametrize(("radius", "centre", "is_thing"), [(8, 174, False), (18, 169, True), (18, 185, True)])
def test_a_fingertip_and_its_shadow_are_as_round_as_a_mug(radius: int, centre: int, is_thing: bool) -> None:
    blob = round_thing(radius, BLUE, at=(160, centre))
    skin = blob.mask.copy()
    skin[:, 160 - radius // 4:] = 0
    blob.image[skin > 0] = LIGHT_SKIN
    assert looks_like_a_thing(blob, table(), AREA, 0.0) is is_thing


@pytest.mark.parametrize(("wide_px", "is_thing"), [(3, True), (7, False)])
def test_a_case_in_a_skin_s_colour_is_an_edge_and_fingers_are_none(wide_px: int, is_thing: bool) -> None:
    """A black phone that the border cuts, and a dark sleeve out of which as much skin shows, two fingers thick."""
    blob = drawn([(120, 179), (150, 140), (185, 165), (175, 179)], BLACK)
    if is_thing:
        edge = cv2.subtract(blob.mask, cv2.erode(blob.mask, np.ones((wide_px, wide_px), np.uint8)))
        blob.image[edge > 0] = DARK_RED
    else:
        blob.image[150:150 + wide_px, 143:165] = LIGHT_SKIN
    assert looks_like_a_thing(blob, table(), AREA, 0.08) is is_thing


@pytest.mark.parametrize(("on_play", "is_thing"), [(0.0, True), (0.25, True), (0.3, False), (0.9, False), (1.0, True)])
def test_what_reaches_from_the_border_among_the_pieces_is_a_hand_though_no_skin_is_told(
    on_play: float, is_thing: bool
) -> None:
    too_dark = (26, 28, 30)
    assert looks_like_a_thing(drawn(FINGERS, too_dark), table(), AREA, on_play=on_play) is is_thing


@pytest.mark.parametrize(("colour", "is_thing"), [(LIGHT_SKIN, False), (BLUE, True)])
def test_fingertips_in_a_row_at_the_border_are_no_cable(colour: Colour, is_thing: bool) -> None:
    comb = [(100, 0), (100, 12), (104, 12), (104, 3), (118, 3), (118, 16), (122, 16), (122, 3), (140, 3), (140, 10),
            (144, 10), (144, 0)]
    assert looks_like_a_thing(drawn(comb, colour), table(), AREA, on_play=0.0) is is_thing


def test_a_single_finger_from_the_border_is_no_rectangular_thing() -> None:
    finger = drawn([(150, 0), (150, 30), (157, 30), (157, 0)], BLUE)
    assert not looks_like_a_thing(finger, table(), AREA, on_play=0.5)
    book = drawn([(110, 0), (110, 60), (190, 60), (190, 0)], BLUE)
    assert looks_like_a_thing(book, table(), AREA, on_play=0.5)


@pytest.mark.parametrize(("skin_px", "is_hand"), [(160, True), (60, False)])
def test_two_fingers_of_skin_from_the_border_are_a_hand_however_little_of_it_that_is(
        skin_px: int, is_hand: bool) -> None:
    blob = dataclasses.replace(drawn(FINGERS, BLUE), at_border=True)
    at = np.argwhere(cv2.erode(blob.mask, np.ones((3, 3), np.uint8)))[:skin_px]
    blob.image[at[:, 0], at[:, 1]] = DARK_SKIN
    assert skin_of(blob, table(), AREA).share < 0.25
    assert looks_like_a_thing(blob, table(), AREA, on_play=0.2) == (not is_hand)


@pytest.mark.parametrize(("fingers", "is_hand"), [(1, False), (2, True)])
def test_fingers_apart_from_each_other_are_as_much_of_a_hand_as_one_patch(fingers: int, is_hand: bool) -> None:
    blob = dataclasses.replace(drawn([(100, 0), (100, 30), (190, 30), (190, 0)], BLUE), at_border=True)
    for number in range(fingers):
        blob.image[4:14, 110 + 20 * number:118 + 20 * number] = LIGHT_SKIN
    assert skin_of(blob, table(), AREA).patch_mm2 == pytest.approx(500.0)
    assert looks_like_a_thing(blob, table(), AREA, on_play=0.2) == (not is_hand)


@pytest.mark.parametrize("is_at_border", [True, False])
def test_some_skin_and_no_plain_outline_are_a_hand(is_at_border: bool) -> None:
    blob = dataclasses.replace(drawn(FINGERS, BLUE), at_border=is_at_border)  # a dark arm may fall to pieces
    blob.image[0:12, 98:152] = LIGHT_SKIN
    assert not looks_like_a_thing(blob, table(), AREA, on_play=0.0)


def test_orange_cards_at_the_border_are_no_hand_where_pieces_lie() -> None:
    cards = drawn([(110, 0), (110, 30), (190, 30), (190, 0)], LIGHT_SKIN)
    assert looks_like_a_thing(cards, table(), AREA, on_play=1.0)
    assert not looks_like_a_thing(cards, table(), AREA, on_play=0.5)
    assert not looks_like_a_thing(drawn(FINGERS, LIGHT_SKIN), table(), AREA, on_play=1.0)
