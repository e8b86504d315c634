"""A piece that was knocked over on a board that is watched by its corners alone: its place is read as empty, so that no
ply explains the look, and it is told as missing there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table import EMPTY
from companion.table.board_corners import read_corners
from tests.vision.chequered import LAYOUT, START
from tests.vision.drawn_board import STYLES, Camera
from vision.boards.board_reader import BoardReader
from vision.boards.patch import BoardView
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

CAMERA = Camera(STYLES["dim"], LAYOUT)
CORNERS = read_corners(" ".join(f"{name}={x:.0f},{y:.0f}" for name, (x, y) in CAMERA.corners.items()), LAYOUT)
STOOD, BESIDE = "square:e2", "square:e3"
RATE = 10.0


def fallen(turn_deg: float, share: float) -> Image:
    """The man of e2 lies as long as a place and a half: its middle so far on the way to e3."""
    image = CAMERA.picture({spot: there for spot, there in START.items() if spot != STOOD}, None).copy()
    at = {place.spot: np.array(place.at_mm) for place in LAYOUT.places}
    view = BoardView(LAYOUT, CORNERS)
    stood, beside = view.in_picture(np.array([at[STOOD], at[BESIDE]]))
    side, middle = float(np.linalg.norm(beside - stood)), stood + share * (beside - stood)
    cv2.ellipse(image, (round(middle[0]), round(middle[1])), (round(0.55 * side), round(0.22 * side)), turn_deg, 0, 360,
                (210, 220, 225), -1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(("turn_deg", "share"), [(20.0, 0.5), (70.0, 0.5), (110.0, 0.5), (160.0, 0.5)])
def test_a_man_that_lies_across_two_places_is_missing_at_the_first_free_look(turn_deg: float, share: float) -> None:
    reader = BoardReader(LAYOUT, START, CORNERS)
    rng, looks = np.random.default_rng(2), list[Look]()
    before, hand = CAMERA.picture(START, None), CAMERA.picture(START, 0.4)
    for image, count in ((before, 15), (hand, 5), (fallen(turn_deg, share), 8)):
        for _ in range(count):
            noisy = np.asarray((image + rng.normal(0, 1.5, image.shape)).clip(0, 255), np.uint8)
            looks.append(reader.look(Frame(noisy, make_small(noisy), len(looks) / RATE, len(looks)), lambda: None))
    free = [look.observation for look in looks[20:] if look.observation is not None]
    assert free
    for observation in free:
        read = {sight.spot: sight.likeliest for sight in observation.sights}
        assert (read[STOOD], read[BESIDE]) == (EMPTY, EMPTY)
        assert {spot for spot, there in START.items() if read[spot] not in there} == {STOOD}
