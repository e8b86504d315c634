"""From which seat an arm comes: by where it enters the picture and where it points, for a camera straight above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import phrase
from companion.table import Point
from tests.vision.test_play_area import PX_PER_MM, VIEW
from tests.vision.test_table_gate import FREE, SKIN, gate, table
from vision.presence.arms import Arm, Shoulders, arm_of
from vision.presence.blobs import Blob, picture_edge
from vision.presence.verdict import Verdict

MIDDLE_MM = np.array([20.0, -10.0])
OPPOSITE = Shoulders({0: -90.0, 1: 90.0}, MIDDLE_MM)
AROUND = Shoulders({0: -90.0, 1: 0.0, 2: 90.0, 3: 180.0}, MIDDLE_MM)
NOWHERE = np.zeros((180, 320), np.uint8)


def px(x_mm: float, y_mm: float) -> tuple[int, int]:
    """A point of the table in the small picture."""
    return round(160 + PX_PER_MM * x_mm), round(90 - PX_PER_MM * y_mm)


def hand(at_mm: Point, shoulder_mm: Point) -> Blob:
    """An arm from a shoulder, beyond the picture or not, to a hand."""
    mask = np.zeros((180, 320), np.uint8)
    cv2.line(mask, px(*shoulder_mm), px(*at_mm), (255,), 12)
    box = tuple(cv2.boundingRect(mask))
    return Blob(mask, (box[0], box[1], box[2], box[3]), cv2.countNonZero(mask), True,
                np.zeros((180, 320, 3), np.uint8), 0.0)


def arm(at_mm: Point, shoulder_mm: Point) -> Arm:
    found = arm_of(hand(at_mm, shoulder_mm), picture_edge(NOWHERE))
    assert found is not None
    return found


@pytest.mark.parametrize(("at_mm", "shoulder_mm", "whose"), [
    ((20.0, -100.0), (20.0, -490.0), 0),
    ((120.0, 60.0), (-110.0, -490.0), 0),  # across the table, from the left shoulder
    ((-80.0, -60.0), (150.0, 470.0), 1),
    ((200.0, 140.0), (150.0, 470.0), 1),  # just in the picture
])
def test_an_arm_is_of_the_player_whose_shoulder_it_comes_from(at_mm: Point, shoulder_mm: Point, whose: int) -> None:
    assert OPPOSITE.whose(arm(at_mm, shoulder_mm), VIEW) == whose
    assert AROUND.whose(arm(at_mm, shoulder_mm), VIEW) == 2 * whose


@pytest.mark.parametrize(("at_mm", "shoulder_mm", "whose"), [
    ((200.0, 60.0), (700.0, 120.0), 1),
    ((-150.0, 90.0), (-700.0, -240.0), 3),
])
def test_an_arm_from_a_side_is_of_who_sits_there_if_anybody_does(at_mm: Point, shoulder_mm: Point, whose: int) -> None:
    assert AROUND.whose(arm(at_mm, shoulder_mm), VIEW) == whose
    assert OPPOSITE.whose(arm(at_mm, shoulder_mm), VIEW) is None


def test_an_arm_from_between_two_seats_is_nobody_s() -> None:
    assert AROUND.whose(arm((60.0, 30.0), (360.0, 330.0)), VIEW) is None


def test_nobody_sits_at_a_table_without_seats() -> None:
    assert Shoulders({}, MIDDLE_MM).whose(arm((20.0, -100.0), (20.0, -490.0)), VIEW) is None


def test_a_hand_that_does_not_come_from_the_border_is_no_arm_s() -> None:
    assert arm_of(hand((0.0, 0.0), (60.0, 20.0)), picture_edge(NOWHERE)) is None


def test_where_the_camera_sees_for_the_first_time_is_a_border_too() -> None:
    unseen = NOWHERE.copy()
    unseen[:, 175:] = 255
    found = arm_of(hand((0.0, 0.0), (60.0, 20.0)), picture_edge(unseen))
    assert found is not None
    assert found.enters_px[0] > found.middle_px[0]


def test_an_arm_that_enters_all_along_its_length_comes_from_where_it_enters() -> None:
    along = Arm(middle_px=px(0.0, -150.0), enters_px=px(0.0, -150.0))
    assert OPPOSITE.whose(along, VIEW) == 0


def test_a_hand_is_told_in_words_and_the_table_is_free_again_without_it() -> None:
    watch = gate(table())
    arm = Arm(middle_px=(30.0, 95.5), enters_px=(1.0, 95.5))
    assert watch.look(table(((0, 80, 60, 30), SKIN)), 0.0) == Verdict("hand", phrase("eyes.hand"), arm=arm)
    assert watch.look(table(), 5.0) == FREE


def test_what_has_not_moved_for_long_is_nobody_s_arm() -> None:
    watch, resting = gate(table()), table(((0, 80, 130, 30), SKIN))
    verdicts = [watch.look(image, at_s) for at_s, image in (
        (0.0, resting), (1.0, resting), (3.0, resting), (7.0, table(((0, 60, 130, 30), SKIN))))]
    assert [verdict.state for verdict in verdicts] == ["hand"] * 4
    assert [verdict.arm is not None for verdict in verdicts] == [True, True, False, True]
