"""What the small picture shows where, for a camera straight above the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import Piece
from vision.imaging.camera import Lens, View
from vision.presence.play_area import SmallMask, small_scale, survey

HEIGHT_MM, FOCAL_PX = 600.0, 1200.0
VIEW = View(Lens(2304, 1296, np.array([(FOCAL_PX, 0.0, 1152.0), (0.0, FOCAL_PX, 648.0), (0.0, 0.0, 1.0)]), np.zeros(5)),
            np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, HEIGHT_MM]))
"""Two pixels a millimetre on the table, below the camera; 320 / 2304 of them in the small picture."""

PX_PER_MM = 2 * 320 / 2304

SQUARE = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
CAN = Piece("can", "drink", (20.0, 20.0, 60.0), round=True)


def box_of(mask: SmallMask) -> tuple[int, ...]:
    assert (mask.shape, mask.dtype) == ((180, 320), np.uint8)
    assert set(np.unique(mask)) <= {0, 255}
    return tuple(cv2.boundingRect(mask))


def test_the_small_picture_is_smaller_by_as_much_across_as_down() -> None:
    assert small_scale(VIEW) == pytest.approx(np.array([320 / 2304, 180 / 1296]))


def test_a_millimetre_in_pixels_of_the_small_picture() -> None:
    assert survey(VIEW, [SQUARE], [((0.0, 0.0), 0.0)], [CAN]).px_per_mm == pytest.approx(PX_PER_MM)
    assert survey(VIEW, [SQUARE], [], [CAN]).px_per_mm == pytest.approx(PX_PER_MM), "without cards: below the origin"


def test_pieces_may_stand_in_the_zones_and_lean_out_of_them() -> None:
    flat = survey(VIEW, [SQUARE], [((0.0, 0.0), 0.0)], [], slack_mm=0.0)
    assert box_of(flat.play) == (146, 76, 29, 29), "100 mm from the middle of the picture"
    tall = survey(VIEW, [SQUARE], [((0.0, 0.0), 0.0)], [CAN], slack_mm=0.0)
    assert box_of(tall.play) == (145, 75, 31, 31), "60 mm high: 600 / 540 as large"
    slack = survey(VIEW, [SQUARE], [((0.0, 0.0), 0.0)], [CAN])
    assert box_of(slack.play) == (142, 72, 37, 37), "12 mm more on every side"
    assert cv2.countNonZero(slack.play) == 37 * 37


def test_several_zones_are_all_in_the_play_area() -> None:
    right = tuple((x + 200.0, y) for x, y in SQUARE)
    both = survey(VIEW, [SQUARE, right], [((0.0, 0.0), 0.0)], [], slack_mm=0.0).play
    assert box_of(both) == (146, 76, 84, 29)
    assert cv2.countNonZero(both) == 29 * (29 + 28)
    assert cv2.countNonZero(survey(VIEW, [], [((0.0, 0.0), 0.0)], []).play) == 0


def test_cards_lie_where_they_lie_and_turned() -> None:
    straight = survey(VIEW, [], [((-100.0, 0.0), 0.0)], []).cards
    turned = survey(VIEW, [], [((-100.0, 0.0), 90.0)], []).cards
    left, top, width, height = box_of(straight)
    assert width > height, "a card is longer than it is wide"
    assert box_of(turned)[2:] == pytest.approx((height, width), abs=1)
    two = survey(VIEW, [], [((-100.0, 0.0), 0.0), ((100.0, 0.0), 0.0)], []).cards
    assert box_of(two)[2] == pytest.approx(width + 200 * PX_PER_MM, abs=1)
    assert (left, top, width, height) == (122, 80, 33, 21)


@pytest.mark.parametrize(("sizes_mm", "at_mm", "covers_mm2"), [
    ([(20.0, 20.0, 60.0)], (0.0, 0.0), 400.0),  # straight below the camera: its lid
    ([(20.0, 20.0, 60.0)], (285.0, 0.0), 400.0 + 20.0 * 60.0 * 285 * 600 / 570 ** 2),  # seen from the side at 30 mm
    ([(40.0, 40.0, 3.0), (20.0, 50.0, 2.0)], (0.0, 0.0), 1600.0),
    ([(200.0, 150.0, 2.0), (20.0, 50.0, 2.0)], (0.0, 0.0), 1000.0),  # a board stays
    ([(100.0, 10.0, 2.0)], (0.0, 0.0), 1000.0),
    ([(100.5, 10.0, 2.0)], (0.0, 0.0), 900.0),
    ([], (0.0, 0.0), 900.0),
])
def test_how_many_pixels_the_largest_piece_covers(
    sizes_mm: list[tuple[float, float, float]], at_mm: tuple[float, float], covers_mm2: float
) -> None:
    pieces = [Piece(f"piece {n}", "piece", size, round=False) for n, size in enumerate(sizes_mm)]
    area = survey(VIEW, [SQUARE], [(at_mm, 0.0)], pieces)
    assert area.piece_px == pytest.approx(covers_mm2 * area.px_per_mm ** 2, rel=1e-3)
