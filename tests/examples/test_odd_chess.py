"""Odd things on a board that is watched by its corners: noticed within two looks, named with the place, put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.chain import Chain
from companion.cli.video_game import opened_from_start
from companion.games import registry
from companion.table import Layout, Placement
from companion.words import load
from tests.odd_tables.pasted import Pixel, glowing, in_light, nudged, phone
from tests.vision.chequered import moved
from tests.vision.drawn_board import STYLES, Camera
from vision.boards.board_reader import BoardReader
from companion.table.board_corners import corners_named
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image

EVERY_S = 0.2
AT_REST = 8
"""Frames of each scene; the first one or two come while something moves."""
Edit = Callable[[Image, Camera], Image]
Scene = tuple[Placement, Edit | None]
BUMPED = 20


pytestmark = pytest.mark.usefixtures("chess_offered")


@pytest.fixture
def start(chess_offered: None) -> Placement:
    opened = opened_from_start("chess")
    return opened.game.placement(opened.state)


def layout() -> Layout:
    return registry.game("chess").layout({})


def told(*scenes: Scene, frames: int = AT_REST) -> list[list[dict[str, Any]]]:
    """What is said of each scene, line by line, of free looks."""
    opened, camera = opened_from_start("chess"), Camera(STYLES["vinyl"], layout())
    eyes = BoardReader(layout(), opened.game.placement(opened.state), corners_named(camera.corners, layout()))
    shown = [(scene, camera.picture(placement), edit)
             for scene, (placement, edit) in enumerate(scenes) for _ in range(frames)]
    images = [edit(image, camera) if edit else image for _, image, edit in shown]
    film = [Frame(each, make_small(each), EVERY_S * n, n) for n, each in enumerate(images)]
    chain = Chain(eyes, opened, load("en", [registry.game("chess").words]))
    lines: list[Any] = list(chain.lines_of(film))[1:]
    return [[line for (scene, *_), line in zip(shown, lines, strict=True) if scene == n and line["state"] == "free"]
            for n in range(len(scenes))]


def moves(lines: list[dict[str, Any]]) -> list[str]:
    found: list[str] = []
    for line in lines:
        found += ["back"] * line["taken_back"]
        found += [each["action"]["from"] + each["action"]["to"] for each in line["plies"]]
    return found


def said(lines: list[dict[str, Any]]) -> list[str]:
    """What is told at the first two looks."""
    return [sentence for line in lines[:2] for sentence in line["odd"]]


def at_px(camera: Camera, square: str) -> Pixel:
    """The middle of a square in the picture."""
    corners = np.array([camera.corners[name] for name in ("a1", "h1", "h8", "a8")], np.float32)
    warp = cv2.getPerspectiveTransform(np.array([(0, 0), (8, 0), (8, 8), (0, 8)], np.float32), corners)
    middle = np.array([[("abcdefgh".index(square[0]) + 0.5, int(square[1]) - 0.5)]], np.float32)
    x, y = np.rint(cv2.perspectiveTransform(middle, warp)[0, 0]).astype(int).tolist()
    return x, y


def check(before: list[Scene], odd: Scene, after: list[Scene], says: str, given: str, frames: int = AT_REST) -> None:
    """Nothing but these moves is given out, the odd scene is told so, and all is well at the second look after it."""
    lines = told(*before, odd, *after, frames=frames)
    sentences = said(lines[len(before)])
    assert any(says in each for each in sentences) if says else not sentences, sentences
    assert moves([line for scene in lines for line in scene]) == given.split()
    for scene in [*lines[: len(before)], *lines[len(before) + 1:]]:
        assert all(not line["odd"] and not line["asked"] for line in scene[1:]), scene


def test_a_man_that_is_missing(start: Placement) -> None:
    e4 = moved(start, "e2e4")
    without = {spot: men for spot, men in e4.items() if spot != "square:d2"}
    check([(start, None), (e4, None)], (without, None), [(e4, None), (moved(e4, "e7e5"), None)], "missing from d2",
          "e2e4 e7e5")


def lying(square: str) -> Edit:
    """A man of the light side lies on this square alone."""

    def painted(image: Image, camera: Camera) -> Image:
        side = float(np.linalg.norm(np.subtract(at_px(camera, "d4"), at_px(camera, "e4"))))
        size = round(0.44 * side), round(0.17 * side)
        return np.asarray(cv2.ellipse(image.copy(), at_px(camera, square), size, 35.0, 0, 360, (135, 163, 175), -1,
                                      cv2.LINE_AA), np.uint8)

    return painted


def test_a_man_that_fell_onto_the_square_before_it_is_no_move(start: Placement) -> None:
    without = {spot: men for spot, men in start.items() if spot != "square:e2"}
    check([(start, None)], (without, lying("e3")), [(start, None), (moved(start, "e2e4"), None)], "changed at e3",
          "e2e4")


def test_a_man_that_fell_and_is_stood_up_where_it_lies_has_moved(start: Placement) -> None:
    without, e3 = {spot: men for spot, men in start.items() if spot != "square:e2"}, moved(start, "e2e3")
    check([(start, None)], (without, lying("e3")), [(e3, None), (moved(e3, "e7e5"), None)], "missing from e2",
          "e2e3 e7e5")


def test_a_man_that_fell_where_it_stood(start: Placement) -> None:
    without = {spot: men for spot, men in start.items() if spot != "square:e2"}
    check([(start, None)], (without, lying("e2")), [(start, None), (moved(start, "e2e4"), None)], "changed at e2",
          "e2e4")


def test_a_man_in_a_wrong_place(start: Placement) -> None:
    e4 = moved(start, "e2e4")
    check([(start, None), (e4, None)], (moved(e4, "d7e6"), None), [(e4, None), (moved(e4, "e7e5"), None)],
          "cannot go from d7 to e6", "e2e4 e7e5")


def test_an_illegal_move_is_told_with_its_rule(start: Placement) -> None:
    check([(start, None)], (moved(start, "e2e5"), None), [(start, None), (moved(start, "e2e4"), None)],
          "cannot go from e2 to e5", "e2e4")


def test_a_phone_on_the_board(start: Placement) -> None:
    e4 = moved(start, "e2e4")
    check([(start, None), (e4, None)], (e4, lambda image, camera: phone(image, at_px(camera, "d5"), (120, 60))),
          [(e4, None), (moved(e4, "e7e5"), None)], "5", "e2e4 e7e5")


def test_two_moves_at_once(start: Placement) -> None:
    both = moved(start, "e2e4", "e7e5")
    check([(start, None)], (both, None), [(moved(both, "g1f3"), None)], "", "e2e4 e7e5 g1f3")


def test_a_move_taken_back(start: Placement) -> None:
    e4 = moved(start, "e2e4")
    check([(start, None), (e4, None)], (start, None), [(e4, None), (moved(e4, "e7e5"), None)], "",
          "e2e4 back e2e4 e7e5")


def test_lights_off_and_on(start: Placement) -> None:
    e4 = moved(start, "e2e4")

    def dim(image: Image, camera: Camera) -> Image:
        return in_light(image, 0.4, (0.85, 1.0, 1.1))

    check([(start, None), (e4, None)], (e4, dim), [(moved(e4, "e7e5"), dim), (moved(e4, "e7e5"), None)], "",
          "e2e4 e7e5")


def test_an_led_that_tints_the_board(start: Placement) -> None:
    e4 = moved(start, "e2e4")
    check([(start, None), (e4, None)],
          (e4, lambda image, camera: glowing(image, at_px(camera, "d1"), 20.0, (5.0, 35.0, 5.0))),
          [(moved(e4, "e7e5"), None)], "", "e2e4 e7e5")


def test_the_camera_bumped(start: Placement) -> None:
    e4 = moved(start, "e2e4")

    def bumped(image: Image, camera: Camera) -> Image:
        return nudged(image, (9.0, -7.0), 1.0)

    check([(start, None), (e4, None)], (e4, bumped), [(moved(e4, "e7e5"), bumped)], "", "e2e4 e7e5", frames=BUMPED)
