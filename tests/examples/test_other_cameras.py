"""The real game as other cameras would have seen it: upside down, from the side, darker, smaller, noisier, in other
colours; its frames are changed before they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from companion.cli.chain import Chain
from companion.cli.video_game import opened_from_start
from companion.table.board_corners import NAMED_PX, corners_named
from companion.words import load
from hardware.sources.video import Video
from tests.examples.footage import CORNERS, FOOTAGE, moves_of
from tests.examples.test_chess import is_the_game
from vision.boards.board_reader import BoardReader
from vision.enrolment.picture_set import make_small
from vision.imaging.arrays import Floats
from vision.imaging.frame import Frame, Image

pytestmark = pytest.mark.usefixtures("chess_offered")

WIDTH, HEIGHT = 640, 480
EVERY = 3
FAR = 1.25 * 600.0
"""How far the tilted camera is from the board, in pixels of the video; 600 are its focal length."""


def as_it_is(image: Image, _: int) -> Image:
    return image


@dataclass(frozen=True)
class OtherCamera:
    """Pictures of the video under a homography (3, 3), of `size` px, changed further by `develop`."""

    warp: Floats
    size: tuple[int, int] = (WIDTH, HEIGHT)
    develop: Callable[[Image, int], Image] = as_it_is

    def corners(self) -> dict[str, tuple[float, float]]:
        px = {name: np.array([[(float(x), float(y))]]) for name, x, y in NAMED_PX.findall(CORNERS)}
        there = {name: cv2.perspectiveTransform(at, self.warp)[0, 0].tolist() for name, at in px.items()}
        return {name: (x, y) for name, (x, y) in there.items()}

    def frames(self) -> list[Frame]:
        found = []
        for frame in Video(str(FOOTAGE)).frames(every=EVERY):
            seen = np.asarray(cv2.warpPerspective(frame.image, self.warp, self.size), np.uint8)
            image = np.ascontiguousarray(self.develop(seen, frame.number))
            found.append(Frame(image, make_small(image), frame.at_s, frame.number))
        return found


def tilted(degrees: float) -> OtherCamera:
    """A camera at the side: of its picture so much is left out that nothing has to be made up beside the video."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    onto = np.array([(1, 0, -WIDTH / 2), (0, cos, -cos * HEIGHT / 2), (0, sin, FAR - sin * HEIGHT / 2)])
    warp = np.array([(600.0, 0, WIDTH / 2), (0, 600.0, HEIGHT / 2), (0, 0, 1)]) @ onto
    ends = np.array([[(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]], np.float64)
    (left, top), (right, _), (low_right, bottom), (low_left, _) = cv2.perspectiveTransform(ends, warp)[0].tolist()
    scale = WIDTH / min(right - left, low_right - low_left)
    cut = np.array([(scale, 0, (WIDTH - scale * (left + right)) / 2), (0, scale, -scale * top), (0, 0, 1)])
    return OtherCamera(cut @ warp, (WIDTH, int(scale * (bottom - top))))


def scaled(by: float, size: tuple[int, int], off: tuple[float, float] = (0.0, 0.0)) -> OtherCamera:
    return OtherCamera(np.array([(by, 0, off[0]), (0, by, off[1]), (0, 0, 1)]), size)


def lit(gain: float) -> Callable[[Image, int], Image]:
    return lambda image, _: np.asarray((gain * image.astype(np.float32)).clip(0, 255), np.uint8)


def noisy(image: Image, number: int) -> Image:
    noise = np.random.default_rng(number).normal(0.0, 12.0, image.shape)
    return np.asarray((image + noise).clip(0, 255), np.uint8)


def flickering(image: Image, number: int) -> Image:
    return lit(1.0 + 0.12 * np.sin(1.7 * number))(image, number)


def poorly_packed(image: Image, _: int) -> Image:
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 20))[1], 1), np.uint8)


AS_FILMED = np.eye(3)
CAMERAS = {
    "upside down": OtherCamera(np.array([(-1.0, 0, WIDTH - 1), (0, -1, HEIGHT - 1), (0, 0, 1)])),
    "turned by a quarter": OtherCamera(np.array([(0, -1.0, HEIGHT - 1), (1, 0, 0), (0, 0, 1)]), (HEIGHT, WIDTH)),
    "35 degrees aside": tilted(35.0),
    "35 degrees on the other side": tilted(-35.0),
    "half as many pixels each way": scaled(0.5, (320, 240)),
    "1280 pixels wide": scaled(2.25, (1280, 1080), (-80.0, 0.0)),
    "cropped": scaled(1.0, (450, 420), (-100.0, 0.0)),
    "dark": OtherCamera(AS_FILMED, develop=lit(0.45)),
    "light": OtherCamera(AS_FILMED, develop=lit(1.35)),
    "flickering": OtherCamera(AS_FILMED, develop=flickering),
    "noisy": OtherCamera(AS_FILMED, develop=noisy),
    "in other colours": OtherCamera(AS_FILMED, develop=lambda image, _: image[..., [1, 2, 0]]),
    "poorly packed": OtherCamera(AS_FILMED, develop=poorly_packed),
}  # fmt: skip


def read_by(camera: OtherCamera) -> list[str]:
    opened = opened_from_start("chess")
    layout = opened.game.layout(opened.setup)
    eyes = BoardReader(layout, opened.game.placement(opened.state), corners_named(camera.corners(), layout))
    return moves_of(list(Chain(eyes, opened, load("en", [opened.game.words])).lines_of(camera.frames())))


def test_a_camera_that_hangs_upside_down_follows_the_game() -> None:
    found = read_by(CAMERAS["upside down"])
    assert is_the_game(found), found


@pytest.mark.long
@pytest.mark.parametrize("name", [each for each in CAMERAS if each != "upside down"])
def test_the_game_is_followed_by_other_cameras(name: str) -> None:
    found = read_by(CAMERAS[name])
    assert is_the_game(found), found
