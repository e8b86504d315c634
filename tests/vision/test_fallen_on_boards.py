"""A piece that was knocked over on a board that is watched by its corners alone.

One that lies across two places may be read as missing from its own, so that no ply explains the look. One that has the
colour of a place's own piece is told by its figure; where one came to lie is no piece for the game.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import phrase
from companion.table import EMPTY, spot_phrase
from companion.table.board_corners import corners_named, read_corners
from tests.vision.chequered import LAYOUT, START, moved
from tests.vision.drawn_board import STYLES, Camera
from vision.boards.board_reader import BoardReader
from vision.boards.patch import BoardView
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

CAMERA = Camera(STYLES["dim"], LAYOUT)
CORNERS = read_corners(" ".join(f"{name}={x:.0f},{y:.0f}" for name, (x, y) in CAMERA.corners.items()), LAYOUT)
STOOD, BESIDE = "square:e2", "square:e3"
WITHOUT = {spot: there for spot, there in START.items() if spot != STOOD}
ONE_PLACE = (0.44, 0.17)
AT_MM = {place.spot: place.at_mm for place in LAYOUT.places}
RATE = 10.0


def fallen(turn_deg: float, share: float, half_places: tuple[float, float] = (0.55, 0.22)) -> Image:
    """The man of e2 lies, so long and broad: its middle so far on the way to e3."""
    image = CAMERA.picture(WITHOUT, None).copy()
    view = BoardView(LAYOUT, CORNERS)
    stood, beside = view.in_picture(np.array([AT_MM[STOOD], AT_MM[BESIDE]]))
    side, middle = float(np.linalg.norm(beside - stood)), stood + share * (beside - stood)
    at, size = (tuple(round(each) for each in some) for some in (middle, side * np.array(half_places)))
    cv2.ellipse(image, at, size, turn_deg, 0, 360, (135, 163, 175), -1, cv2.LINE_AA)
    return image


def free_looks(*scenes: Image) -> list[list[Look]]:
    """The free looks at each scene after the hand was gone that set it up."""
    reader, rng, number = BoardReader(LAYOUT, START, CORNERS), np.random.default_rng(2), 0
    hand, found = CAMERA.picture(START, 0.4), list[list[Look]]()
    for scene in scenes:
        looks = []
        for image in [*[hand] * 5 * bool(found), *[scene] * 10]:
            noisy = np.asarray((image + rng.normal(0, 1.5, image.shape)).clip(0, 255), np.uint8)
            looks.append(reader.look(Frame(noisy, make_small(noisy), number / RATE, number), lambda: None))
            number += 1
        found.append([look for look in looks if look.state == "free"])
    return found


def read(look: Look) -> dict[str, str]:
    """What is read of each place that has a reading."""
    assert look.observation is not None
    return {sight.spot: sight.likeliest for sight in look.observation.sights}


@pytest.mark.parametrize("turn_deg", [20.0, 70.0, 110.0, 160.0])
def test_a_man_that_lies_across_two_places_is_missing_or_told_by_the_second_free_look(turn_deg: float) -> None:
    _, free = free_looks(CAMERA.picture(START), fallen(turn_deg, 0.5))

    assert len(free) > 2
    for number, look in enumerate(free):
        seen = read(look)
        assert seen.get(BESIDE, EMPTY) == EMPTY
        assert seen[STOOD] == EMPTY or not number or look.why == phrase("eyes.strange", spot=spot_phrase(STOOD))
        assert {spot for spot, there in START.items() if seen[spot] not in there} <= {STOOD}


@pytest.mark.parametrize("turn_deg", [0.0, 45.0, 90.0, 135.0])
def test_a_man_that_lies_on_another_place_stands_nowhere_until_it_is_put_right(turn_deg: float) -> None:
    standing = CAMERA.picture({**WITHOUT, BESIDE: START[STOOD]})
    _, free, upright = free_looks(CAMERA.picture(START), fallen(turn_deg, 1.0, ONE_PLACE), standing)

    assert free
    for look in free:
        seen = read(look)
        assert seen[STOOD] == EMPTY
        assert BESIDE not in seen
        assert look.why == phrase("eyes.strange", spot=spot_phrase(BESIDE))
        assert look.strange == (AT_MM[BESIDE],)
    assert (read(upright[0])[STOOD], read(upright[0])[BESIDE]) == (EMPTY, *START[STOOD])
    assert not any(look.why for look in upright)


@pytest.mark.parametrize("turn_deg", [0.0, 45.0, 90.0, 135.0])
def test_a_man_that_lies_where_it_stood_is_told_at_the_second_free_look_until_it_is_put_right(turn_deg: float) -> None:
    _, free, upright = free_looks(CAMERA.picture(START), fallen(turn_deg, 0.0, ONE_PLACE), CAMERA.picture(START))

    assert all(look.why == phrase("eyes.strange", spot=spot_phrase(STOOD)) for look in free[1:])
    assert len(free) > 2
    assert not any(look.why for look in upright)


def test_men_that_are_moved_a_little_or_lit_otherwise_lie_nowhere() -> None:
    touched = Camera(STYLES["dim"], LAYOUT)
    touched.wobble[STOOD] = touched.wobble[STOOD] + (0.08, -0.06)
    *_, nudged, lit = free_looks(CAMERA.picture(START), touched.picture(START), CAMERA.picture(START, gain=1.3))

    assert min(len(nudged), len(lit)) > 2
    assert not any(look.why for look in [*nudged, *lit])


@pytest.mark.parametrize(("style", "seed", "ways"), [
    ("vinyl", 1, "h1d3 c2g3 e1d6"), ("wood", 1, "h1d3 c2g3"), ("dim", 0, "c2d3 g1f3"), ("askew", 2, "b8b6 a8a6"),
])  # fmt: skip
def test_men_that_stand_on_other_places_lie_nowhere_though_hardly_seen(style: str, seed: int, ways: str) -> None:
    camera, number, stands = Camera(STYLES[style], LAYOUT, seed), 0, START
    eyes = BoardReader(LAYOUT, START, corners_named(camera.corners, LAYOUT))
    for way in ["", *ways.split()]:
        stands = moved(stands, way) if way else stands
        looks = []
        for hand in (0.3, 0.5, 0.2, None, None, None, None):
            image = camera.picture(stands, hand if way else None)
            looks.append(eyes.look(Frame(image, make_small(image), number / RATE, number)))
            number += 1
        free = [look for look in looks if look.state == "free"]
        assert len(free) > 1
        assert not any(look.why for look in free)
        assert all(look.observation is not None and len(look.observation.sights) == len(LAYOUT.places) for look in free)
