"""Bowls, plates and mugs that the border cuts, painted on a brown table, with shadows of another tint than theirs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.frame import Image
from vision.presence import round_thing
from vision.presence.blobs import Blob
from vision.presence.edge_circles import Circle
from vision.presence.play_area import PlayArea
from vision.presence.round_thing import beside_disc
from vision.presence.table_gate import TableGate

BROWN, SKIN, WHITE = (30, 45, 72), (60, 80, 130), (220, 225, 225)
"""B, G, R."""


def area() -> PlayArea:
    """A play area to near the border; a millimetre is 0.4 px."""
    play, cards = np.zeros((180, 320), np.uint8), np.zeros((180, 320), np.uint8)
    play[20:150, 60:260] = 255
    cards[150:170, 10:30] = 255
    return PlayArea(play, cards, 60.0, 0.4)


def table() -> Image:
    noise = np.random.default_rng(1).integers(-4, 5, (180, 320, 1))
    image = np.asarray(cv2.blur((np.full((180, 320, 3), BROWN) + noise).astype(np.uint8), (3, 3)), np.uint8)
    image[150:170, 10:30] = 235
    return image


def with_disc(colour: tuple[int, int, int], radius_px: int, y: int = 0) -> Image:
    """A disc at the upper border with its shadow, which takes more of red than of blue."""
    image = table()
    shade = np.zeros((180, 320), np.uint8)
    cv2.ellipse(shade, (165, y + 24), (radius_px - 4, radius_px), 20.0, 0.0, 360.0, (255,), -1)
    soft = cv2.blur(shade, (7, 7))[..., None] / 255.0
    shaded = image * (1 - soft * np.array((0.35, 0.45, 0.6)))
    image = shaded.round().astype(np.uint8)
    return np.asarray(cv2.circle(image, (160, y), radius_px, colour, -1), np.uint8)


def with_arm(image: Image, at_x: int) -> Image:
    """An arm from the upper border."""
    arm = np.array([(at_x, 0), (at_x + 4, 60), (at_x + 12, 74), (at_x + 26, 70), (at_x + 30, 0)])
    return np.asarray(cv2.fillPoly(image.copy(), [arm], SKIN), np.uint8)


def state(image: Image) -> str:
    gate = TableGate(area(), [table()])
    assert gate.look(table(), 0.0).state == "free"
    return gate.look(image, 5.0).state


@pytest.mark.parametrize(("seen_deg", "is_thing"), [(275.0, True), (262.0, False)])
def test_no_arm_has_room_where_most_is_seen_of_one_circle_though_less_of_one_around_it(
        monkeypatch: pytest.MonkeyPatch, seen_deg: float, is_thing: bool) -> None:
    """Coffee and rim of a mug that the border cuts: the rim is farther out, and nearly as large."""
    coffee = Circle(np.array([160.0, 13.0]), 16.6, seen_deg, 1.0, 50.0)
    rim = Circle(np.array([160.5, 12.0]), 17.7, 254.0, 0.98, 50.0)
    monkeypatch.setattr(round_thing, "circles_in", lambda *given: [coffee, rim])
    image, mask = table(), np.zeros((180, 320), np.uint8)
    cv2.circle(image, (160, 12), 18, SKIN, -1)
    cv2.circle(mask, (160, 12), 18, (255,), -1)
    blob = Blob(mask, cv2.boundingRect(mask), cv2.countNonZero(mask), True, image, 0.0)  # type: ignore[arg-type]
    assert (beside_disc(blob, table(), area()) is not None) == is_thing


@pytest.mark.parametrize("colour", [SKIN, WHITE, (110, 60, 30)])
@pytest.mark.parametrize(("radius_px", "y"), [(28, 0), (28, -10), (40, 5)])
def test_a_disc_at_the_border_that_is_broader_than_a_fist_is_no_hand(
        colour: tuple[int, int, int], radius_px: int, y: int) -> None:
    assert state(with_disc(colour, radius_px, y)) == "free"


def test_a_fist_at_the_border_is_a_hand() -> None:
    assert state(with_disc(SKIN, 17)) == "hand"


@pytest.mark.parametrize("at_x", [70, 110, 150, 185, 220])
def test_an_arm_beside_a_disc_or_over_it_is_a_hand(at_x: int) -> None:
    assert state(with_arm(with_disc(SKIN, 28), at_x)) == "hand"
    assert state(with_arm(with_disc(WHITE, 28), at_x)) == "hand"


def test_a_piece_that_was_played_in_the_shadow_of_a_disc_is_no_hand() -> None:
    image = with_disc(SKIN, 28)
    image[44:58, 150:164] = WHITE
    assert state(image) == "free"


def test_a_round_shadow_is_no_disc() -> None:
    """As of a lampshade: there may be a hand in it that shows no skin."""
    image = table()
    cv2.circle(image, (160, 0), 28, (22, 34, 54), -1)
    mask = np.zeros((180, 320), np.uint8)
    cv2.circle(mask, (160, 0), 28, (255,), -1)
    blob = Blob(mask, cv2.boundingRect(mask), cv2.countNonZero(mask), True, image, 0.0)  # type: ignore[arg-type]
    assert beside_disc(blob, table(), area()) is None


def test_a_dark_arm_that_comes_with_a_bowl_is_no_shadow_of_it() -> None:
    """As somebody who puts it there: the arm is darker than the table in all colours."""
    arm = np.array([(190, 0), (150, 90), (150, 120), (185, 125), (215, 60), (235, 0)])
    image = np.asarray(cv2.fillPoly(with_disc(WHITE, 28), [arm], (8, 14, 34)), np.uint8)
    assert state(image) == "hand"


def with_mug(image: Image, at: tuple[int, int], colour: tuple[int, int, int]) -> Image:
    """A mug with coffee in it, and its handle; its body is seen below its rim, towards the picture's middle."""
    image, (x, y) = image.copy(), at
    towards = np.array([159.5, 89.5]) - at
    foot = tuple(np.round(at + 7 * towards / np.linalg.norm(towards)).astype(int).tolist())
    cv2.line(image, at, foot, tuple(value // 2 for value in colour), 30)
    cv2.ellipse(image, (x - 17, y), (6, 5), 0.0, 0.0, 360.0, colour, 2)
    cv2.circle(image, at, 16, colour, -1)
    return np.asarray(cv2.circle(image, at, 13, (12, 16, 22), -1), np.uint8)


@pytest.mark.parametrize("colour", [WHITE, (110, 60, 30), (40, 45, 160)])
@pytest.mark.parametrize("at", [(150, 4), (150, 14), (300, 8)])
def test_a_mug_at_the_border_is_no_hand(at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    assert state(with_mug(table(), at, colour)) == "free"


@pytest.mark.parametrize(("y", "at_once"), [(-2, "free"), (2, "hand")])
def test_a_mug_as_red_as_skin_of_which_little_is_seen_is_no_hand_once_it_lasts(y: int, at_once: str) -> None:
    """The end of its handle at the border is smaller than a fingertip, or may be one as long as it has not lain
    there."""
    gate = TableGate(area(), [table()])
    mug = with_mug(table(), (150, y), (20, 26, 90))
    assert [gate.look(image, at_s).state for image, at_s in ((table(), 0.0), (mug, 5.0), (mug, 9.0))] == [
        "free", at_once, "free"]


def test_an_arm_that_reaches_over_a_mug_is_a_hand() -> None:
    assert state(with_arm(with_mug(table(), (150, 10), WHITE), 120)) == "hand"
    assert state(with_arm(with_mug(table(), (150, 10), WHITE), 155)) == "hand"


def test_a_bowl_that_lies_half_over_the_play_area_is_no_hand() -> None:
    """Of what is in the play area nothing is judged, so that only a part of the disc is seen."""
    image = cv2.circle(table(), (258, 90), 28, (18, 26, 52), -1)
    assert state(np.asarray(image, np.uint8)) == "free"


def test_a_phone_that_lies_half_over_the_play_area_is_no_hand() -> None:
    image, corners = table(), np.array([(240, 60), (270, 75), (250, 115), (220, 100)])
    cv2.fillPoly(image, [corners], (60, 80, 150))
    assert state(image) == "free"


def test_a_round_shadow_without_an_edge_is_no_thing_however_it_is_tinted() -> None:
    """As that of an arm held high: by its tint alone a bowl of the table's colour would look so."""
    shade = np.asarray(cv2.circle(np.zeros((180, 320), np.float32), (160, 0), 28, (1.0,), -1), np.float32)
    soft = cv2.GaussianBlur(shade, (0, 0), 6.0)[..., None]
    image = (table() * (1 - soft * np.array((0.25, 0.4, 0.55)))).round().astype(np.uint8)
    mask = np.asarray((soft[..., 0] > 0.1) * 255, np.uint8)
    blob = Blob(mask, cv2.boundingRect(mask), cv2.countNonZero(mask), True, image, 0.0)  # type: ignore[arg-type]
    assert beside_disc(blob, table(), area()) is None
