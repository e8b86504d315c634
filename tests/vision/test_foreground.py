"""Skin and mugs: painted things on a painted table, beside white cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.frame import Image
from vision.presence.blobs import Blob
from vision.presence.foreground import looks_like_a_mug, skin_share
from vision.presence.play_area import PlayArea

Colour = tuple[int, int, int]
"""B, G, R."""

GREY_TABLE: Colour = (120, 120, 120)
LIGHT_SKIN: Colour = (130, 160, 220)
DARK_SKIN: Colour = (30, 40, 75)


def area(px_per_mm: float = 0.4) -> PlayArea:
    cards = np.zeros((180, 320), np.uint8)
    cards[10:30, 10:30] = 255
    return PlayArea(np.zeros((180, 320), np.uint8), cards, 60.0, px_per_mm)


AREA = area()


def table(colour: Colour = GREY_TABLE, card: Colour = (235, 235, 235)) -> Image:
    image = np.full((180, 320, 3), colour, np.uint8)
    image[10:30, 10:30] = card
    return image


def thing(image: Image, parts: dict[Colour, int], left: int = 100, top: int = 60) -> Blob:
    """Rows of 20 pixels of some colours, one below the other."""
    image, mask, row = image.copy(), np.zeros((180, 320), np.uint8), top
    for colour, rows in parts.items():
        image[row:row + rows, left:left + 20] = colour
        mask[row:row + rows, left:left + 20] = 255
        row += rows
    return Blob(mask, (left, top, 20, row - top), 20 * (row - top), False, image, 0.0)


@pytest.mark.parametrize(("colour", "share"), [
    (LIGHT_SKIN, 1.0),
    (DARK_SKIN, 1.0),
    ((200, 60, 40), 0.0),  # blue
    ((60, 170, 60), 0.0),  # green
    ((60, 200, 220), 0.0),  # yellow: as much green as red
    ((160, 60, 220), 0.0),  # pink: too little green
    ((200, 200, 210), 0.0),  # white
    ((40, 20, 20), 0.0),  # black, a little blue
    ((30, 30, 60), 1.0),  # dark and twice as red as green and blue
    ((40, 40, 50), 0.0),  # dark and hardly redder
])
def test_which_colours_could_be_skin(colour: Colour, share: float) -> None:
    assert skin_share(thing(table(), {colour: 10}), table(), AREA) == share


def test_the_share_of_skin_is_of_the_thing_without_its_shadow() -> None:
    blue, shadow = (200, 60, 40), (90, 90, 90)
    assert skin_share(thing(table(), {LIGHT_SKIN: 5, blue: 15}), table(), AREA) == 0.25
    assert skin_share(thing(table(), {LIGHT_SKIN: 5, blue: 15, shadow: 20}), table(), AREA) == 0.25


def test_what_is_shadow_alone_or_tiny_may_be_skin() -> None:
    assert skin_share(thing(table(), {(90, 90, 90): 10}), table(), AREA) == 1.0
    assert skin_share(thing(table(), {(90, 90, 90): 10, (200, 60, 40): 1}), table(), AREA) == 0.0, "20 pixels"
    few = thing(table(), {(200, 60, 40): 1})
    few.mask[60, 119] = 0
    assert skin_share(few, table(), AREA) == 1.0, "19 pixels"


def test_a_shadow_is_darker_in_all_colours_alike() -> None:
    red_table = table((60, 60, 160))
    assert skin_share(thing(red_table, {(45, 45, 125): 10}), red_table, AREA) == 1.0, "all shadow"
    assert skin_share(thing(table(), {(60, 60, 110): 10}), table(), AREA) == 1.0, "redder: skin"
    assert skin_share(thing(table(), {(110, 60, 60): 10}), table(), AREA) == 0.0, "bluer: a thing"
    assert skin_share(thing(table(), {(140, 140, 140): 10}), table(), AREA) == 0.0, "brighter: a thing"


def test_skin_is_judged_in_the_light_that_the_cards_show() -> None:
    warm_card, warm_skin, warm_white = (120, 180, 235), (66, 118, 215), (110, 170, 225)
    warm = table((61, 91, 120), warm_card)
    assert skin_share(thing(warm, {warm_white: 10}), warm, AREA) == 0.0, "white in warm light is no skin"
    assert skin_share(thing(warm, {warm_skin: 10}), warm, AREA) == 1.0
    assert skin_share(thing(table((61, 91, 120)), {warm_white: 10}), table((61, 91, 120)), AREA) == 1.0


def test_without_cards_white_is_white() -> None:
    nothing = PlayArea(AREA.play, np.zeros((180, 320), np.uint8), 60.0, 0.4)
    assert skin_share(thing(table(), {LIGHT_SKIN: 5, (200, 60, 40): 5}), table(), nothing) == 0.5


def test_a_dark_thing_shines_in_the_colour_of_a_red_table() -> None:
    brown = table((40, 60, 120))
    assert skin_share(thing(brown, {(18, 22, 36): 10}), brown, AREA) == 0.0
    assert skin_share(thing(table(), {(18, 22, 36): 10}), table(), AREA) == 1.0


def round_thing(radius_px: float, colour: Colour, degrees: int = 360, at: tuple[int, int] = (160, 90)) -> Blob:
    """A disc, or a sector of one, with what it covers."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.ellipse(mask, at, (round(radius_px), round(radius_px)), 0.0, 0.0, float(degrees), (255,), -1)
    image = table()
    image[mask > 0] = colour
    left, top, width, height = cv2.boundingRect(mask)
    return Blob(mask, (left, top, width, height), cv2.countNonZero(mask), False, image, 0.0)


BLUE: Colour = (120, 60, 20)


@pytest.mark.parametrize(("blob", "px_per_mm", "is_mug"), [
    (round_thing(18, BLUE), 0.4, True),  # a radius of 45 mm
    (round_thing(18, LIGHT_SKIN), 0.4, False),
    (round_thing(18, BLUE), 0.17, False),  # 106 mm
    (round_thing(18, BLUE), 0.19, True),  # 95 mm
    (round_thing(18, BLUE), 0.76, False),  # 24 mm
    (round_thing(18, BLUE), 0.68, True),  # 26 mm
    (round_thing(18, BLUE, 180), 0.4, True),
    (round_thing(18, BLUE, 60), 0.4, False),
    (round_thing(18, BLUE, at=(160, 178)), 0.4, True),  # half of it outside the picture
    (thing(table(), {BLUE: 70}, top=30), 0.4, False),  # a bar
    (thing(table(), {BLUE: 2}), 0.4, False),
])
def test_what_looks_like_a_mug(blob: Blob, px_per_mm: float, is_mug: bool) -> None:
    assert looks_like_a_mug(blob, table(), area(px_per_mm)) is is_mug


def test_a_mug_with_a_soft_shadow_is_round() -> None:
    blob = round_thing(18, BLUE)
    image, mask = blob.image.copy(), blob.mask.copy()
    shade = np.zeros((180, 320), np.uint8)
    cv2.rectangle(shade, (140, 90), (200, 130), (255,), -1)
    image[(shade > 0) & (mask == 0)] = (105, 105, 105)
    both = Blob(np.maximum(mask, shade), blob.box, blob.area, False, image, 0.0)
    assert looks_like_a_mug(both, table(), AREA)


def test_a_mug_may_shine_in_skin_colours() -> None:
    def mug(rows: int) -> Blob:
        blob = round_thing(18, BLUE)
        image = blob.image.copy()
        part = blob.mask.copy()
        part[72 + rows:] = 0
        image[part > 0] = LIGHT_SKIN
        return Blob(blob.mask, blob.box, blob.area, False, image, 0.0)

    assert looks_like_a_mug(mug(14), table(), AREA)
    assert not looks_like_a_mug(mug(22), table(), AREA)
