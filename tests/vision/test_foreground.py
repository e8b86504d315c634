"""Skin, shapes and light: painted things on a painted table, beside white cards."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.imaging.arrays import Floats
from vision.imaging.frame import Image
from vision.presence.blobs import Blob
from vision.presence.foreground import is_light, looks_like_a_thing, skin_of
from vision.presence.outline import blob_shape
from vision.presence.play_area import PlayArea, SmallMask

Colour = tuple[int, int, int]
"""B, G, R."""

GREY_TABLE: Colour = (120, 120, 120)
LIGHT_SKIN: Colour = (130, 160, 220)
DARK_SKIN: Colour = (30, 40, 75)
BLUE: Colour = (120, 60, 20)


def area(px_per_mm: float = 0.4) -> PlayArea:
    cards = np.zeros((180, 320), np.uint8)
    cards[10:30, 10:30] = 255
    return PlayArea(np.zeros((180, 320), np.uint8), cards, 60.0, px_per_mm)


AREA = area()


def table(colour: Colour = GREY_TABLE, card: Colour = (235, 235, 235)) -> Image:
    image = np.full((180, 320, 3), colour, np.uint8)
    image[10:30, 10:30] = card
    return image


def skin_share(blob: Blob, before: Image, area: PlayArea) -> float:
    return skin_of(blob, before, area).share


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


def test_what_is_as_dark_as_a_shadow_is_skin_by_its_colour() -> None:
    brown = table((40, 60, 120))
    assert skin_share(thing(table(), {(50, 50, 50): 10}), table(), AREA) == 0.0, "a black thing"
    assert skin_share(thing(brown, {(23, 34, 76): 10}), brown, AREA) == 1.0, "dark skin, or shade, on dark wood"


def test_a_shadow_is_darker_in_all_colours_alike() -> None:
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


@pytest.mark.parametrize(("table_colour", "untold"), [
    (GREY_TABLE, 0.0),
    ((25, 25, 80), 0.5),  # red cloth: half of the thing may be skin
])
def test_on_a_red_table_colour_does_not_tell_dark_skin(table_colour: Colour, untold: float) -> None:
    cloth = table(table_colour)
    parts: dict[Colour, int] = {(12, 15, 32): 5, (160, 90, 30): 5}
    assert skin_of(thing(cloth, parts), cloth, AREA).untold == pytest.approx(untold)


@pytest.mark.parametrize(("cloth", "fingers", "is_thing"), [
    (table((25, 25, 80)), True, False),
    (table((25, 25, 80)), False, True),  # a mug
    (table(), True, True),  # what shows no skin is no hand, if it is short
])
def test_there_the_outline_tells_what_comes_from_the_border(cloth: Image, fingers: bool, is_thing: bool) -> None:
    mask = np.zeros((180, 320), np.uint8)
    if fingers:
        hand = np.array([(140, 0), (190, 0), (186, 14), (160, 16), (138, 30), (128, 26), (146, 10)])
        cv2.fillPoly(mask, [hand], (255,))
    else:
        cv2.circle(mask, (160, 14), 18, (255,), -1)
    blob = covering(mask, (12, 15, 32) if cloth[90, 160, 0] < 100 else (40, 40, 40))
    image = np.where(mask[..., None] > 0, blob.image, cloth)
    assert looks_like_a_thing(dataclasses.replace(blob, image=image), cloth, AREA, 0.1) is is_thing


def round_thing(radius_px: int, colour: Colour, at: tuple[int, int] = (160, 90)) -> Blob:
    """A disc with what it covers."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.circle(mask, at, radius_px, (255,), -1)
    return covering(mask, colour)


def test_the_largest_patch_of_skin_is_measured() -> None:
    blue = (200, 60, 40)
    assert skin_of(thing(table(), {LIGHT_SKIN: 8, blue: 12}), table(), AREA).patch_mm2 == pytest.approx(1000.0)
    striped = thing(table(), {LIGHT_SKIN: 4, blue: 12, DARK_SKIN: 3})
    assert skin_of(striped, table(), AREA).patch_mm2 == pytest.approx(500.0)
    assert skin_of(striped, table(), AREA).patches_mm2 == pytest.approx(500.0), "the other is as small as gloss"
    fingers = thing(table(), {LIGHT_SKIN: 4, blue: 8, DARK_SKIN: 5})
    assert skin_of(fingers, table(), AREA).patches_mm2 == pytest.approx(1125.0)


def filled(inside: tuple[int, int]) -> Blob:
    """A blue mug of 38 mm radius, with its handle; in it what is brown has such half axes in px."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.circle(mask, (160, 90), 15, (255,), -1)
    cv2.rectangle(mask, (160, 87), (182, 93), (255,), -1)
    image = table()
    image[mask > 0] = BLUE
    cv2.ellipse(image, (160, 90), inside, 0, 0, 360, DARK_SKIN, -1)
    return dataclasses.replace(covering(mask, BLUE), image=image)


def test_what_is_large_and_exactly_round_is_no_skin_whatever_its_colour() -> None:
    assert skin_share(filled((12, 12)), table(), AREA) == 0.0, "coffee in a mug"
    assert skin_share(filled((14, 9)), table(), AREA) > 0.4, "a hand that holds it"
    assert skin_share(round_thing(8, LIGHT_SKIN), table(), AREA) == 1.0, "a fingertip is round, too"


def test_paint_is_redder_than_anybody() -> None:
    assert skin_share(thing(table(), {(20, 20, 160): 10}), table(), AREA) == 0.0


def bar(width: int, height: int, colour: Colour = BLUE, turn_deg: float = 20.0) -> Blob:
    return drawn(cv2.boxPoints(((160.0, 90.0), (width, height), turn_deg)), colour)


def drawn(outline: npt.ArrayLike, colour: Colour) -> Blob:
    """What has an outline of points (n, 2)."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.fillPoly(mask, [np.asarray(outline).round().astype(np.int32)], (255,))
    return covering(mask, colour)


def covering(mask: SmallMask, colour: Colour) -> Blob:
    image = table()
    image[mask > 0] = colour
    left, top, width, height = cv2.boundingRect(mask)
    at_border = left < 3 or top < 3 or left + width > 317 or top + height > 177
    return Blob(mask, (left, top, width, height), cv2.countNonZero(mask), at_border, image, 0.0)


def line(points: list[tuple[int, int]], colour: Colour) -> Blob:
    """Three pixels wide."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.polylines(mask, [np.array(points)], False, (255,), 3)
    return covering(mask, colour)


def cable() -> Blob:
    return line([(0, 60), (60, 40), (120, 90), (160, 60)], (20, 20, 20))


SLEEVE = [(0, 60), (90, 70), (120, 60), (135, 75), (120, 100), (90, 95), (0, 110)]

THINGS = [
    round_thing(18, BLUE),  # a mug, 90 mm across
    round_thing(18, BLUE, at=(160, 178)),  # half of it outside the picture
    round_thing(28, BLUE),  # a bowl, 140 mm
    round_thing(48, BLUE),  # a plate, 240 mm
    bar(60, 29),  # a phone
    bar(70, 4, (40, 170, 210)),  # a pencil
    bar(100, 70),  # a book, 250 mm
    bar(60, 29, (20, 20, 160)),  # a brick-red one
    cable(),
    round_thing(28, (60, 90, 170)),  # a brown bowl: no arm leads to it
    bar(60, 29, (60, 90, 170)),
    line([(100, 80), (130, 88), (165, 86)], LIGHT_SKIN),  # a pencil that looks crooked by its shadow
    dataclasses.replace(bar(46, 4, LIGHT_SKIN), at_border=True),  # a wooden pencil that the border cuts
    dataclasses.replace(bar(34, 2, LIGHT_SKIN), at_border=True),  # of which 85 mm are seen
]


@pytest.mark.parametrize("blob", THINGS)
def test_what_looks_like_a_thing(blob: Blob) -> None:
    assert looks_like_a_thing(blob, table(), AREA, on_play=0.0)


@pytest.mark.parametrize("blob", [
    drawn(SLEEVE, LIGHT_SKIN),
    drawn(SLEEVE, DARK_SKIN),
    drawn(SLEEVE, BLUE),  # an arm whose hand is out of sight, or a dog's head
    round_thing(18, LIGHT_SKIN, at=(160, 172)),  # a fist, or a mug, at the border
    thing(table(), {BLUE: 2}),  # too small to be judged
    dataclasses.replace(bar(28, 4, LIGHT_SKIN), at_border=True),  # a finger, 70 mm of it
    dataclasses.replace(bar(46, 10, LIGHT_SKIN), at_border=True),  # and part of an arm
])
def test_what_does_not_look_like_a_thing(blob: Blob) -> None:
    assert not looks_like_a_thing(blob, table(), AREA, on_play=0.0)


def test_an_arm_is_told_by_its_hand_however_long_the_sleeve() -> None:
    for skin in (LIGHT_SKIN, DARK_SKIN):
        blob = bar(110, 30, turn_deg=0.0)
        blob.image[75:105, 179:215] = skin  # a third
        blob = dataclasses.replace(blob, at_border=True)
        assert not looks_like_a_thing(blob, table(), AREA, on_play=0.0)


@pytest.mark.parametrize(("rows", "is_within", "is_thing"), [
    (11, False, True),
    (22, False, False),
    (8, True, True),
    (14, True, False),  # within the play area a few pixels are a finger
])
def test_a_thing_may_shine_in_skin_colours(rows: int, is_within: bool, is_thing: bool) -> None:
    blob = round_thing(18, BLUE, at=(160, 164))
    shine = blob.mask.copy()
    shine[146 + rows:] = 0
    blob.image[shine > 0] = LIGHT_SKIN
    assert looks_like_a_thing(blob, table(), AREA, is_within) is is_thing


def test_a_soft_shadow_is_no_part_of_a_shape() -> None:
    blob = round_thing(30, BLUE)
    shade = np.zeros((180, 320), np.uint8)
    cv2.rectangle(shade, (140, 90), (260, 130), (255,), -1)
    blob.image[(shade > 0) & (blob.mask == 0)] = (105, 105, 105)
    both = Blob(np.maximum(blob.mask, shade), (130, 60, 131, 71), blob.area, False, blob.image, 0.0)
    assert blob_shape(both, table(), 0.4).round_share > 0.8


def lit(gain: Floats) -> Blob:
    image = np.asarray((table() * gain[..., None]).clip(0, 255), np.uint8)
    mask = np.where(np.abs(gain - 1.0) > 0.03, 255, 0).astype(np.uint8)
    left, top, width, height = cv2.boundingRect(mask)
    return Blob(mask, (left, top, width, height), cv2.countNonZero(mask), True, image, 0.0)


def test_light_and_shade_have_no_outline() -> None:
    x, y = np.meshgrid(np.arange(320.0), np.arange(180.0))
    spot = np.exp(-((x - 220) ** 2 + (y - 20) ** 2) / (2 * 50.0 ** 2))
    assert is_light(lit(1.0 + 0.5 * spot), table())
    assert is_light(lit(1.0 - 0.4 * spot), table())
    assert not is_light(lit(np.where(spot > 0.4, 0.7, 1.0)), table())
    assert is_light(lit(np.where(spot > 0.4, 0.8, 1.0)), table()), "a faint shadow may have an edge"
    assert not any(is_light(blob, table()) for blob in THINGS)


FINGERS = [(100, 0), (102, 30), (110, 38), (112, 24), (118, 40), (124, 22), (132, 36), (134, 20), (146, 28), (150, 0)]
"""A hand that has come in no farther than its fingers."""
