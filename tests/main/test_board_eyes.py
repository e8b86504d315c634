"""The eyes of a board that is watched by its corners, as the loop of their process uses them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest

from companion.errors import HardwareError
from companion.main.board_eyes import BoardEyes
from companion.main.eyes_watch import watch
from companion.main.messages import LookFor
from companion.session.config import SourceConfig
from companion.session.sighted import Sighted
from hardware.camera import camera_for
from hardware.sources.video import HELD_S, Video, VideoCamera
from tests.vision.chequered import LAYOUT, START
from tests.vision.drawn_board import STYLES, Camera
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image, Look

CAMERA = Camera(STYLES["dim"], LAYOUT)
CORNERS = " ".join(f"{name}={x:.0f},{y:.0f}" for name, (x, y) in CAMERA.corners.items())
WANTED = LookFor(LAYOUT, 2, placement=START, pieces=frozenset({"man:white", "man:black"}))


@pytest.fixture(scope="module")
def pictures() -> list[Image]:
    return [CAMERA.picture(START) for _ in range(5)]


@pytest.fixture(scope="module")
def film(pictures: list[Image], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("film") / "game.avi"
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return file


def looks(eyes: BoardEyes, pictures: list[Image]) -> list[Look]:
    return [eyes.look(Frame(each, make_small(each), 0.1 * n, n), lambda: None) for n, each in enumerate(pictures)]


def test_before_a_game_nothing_is_read_and_with_one_the_board_is(pictures: list[Image]) -> None:
    eyes = BoardEyes(CORNERS)
    assert all(look.observation is None for look in looks(eyes, pictures))

    eyes.look_for(WANTED)
    last = looks(eyes, pictures)[-1]

    assert last.state == "free"
    assert len(last.observation.sights) == 64
    drawn = eyes.drawn(Frame(pictures[-1], make_small(pictures[-1]), 0.5, 5), last, 640)
    assert drawn.shape == (480, 640, 3)
    assert np.abs(drawn.astype(int) - pictures[-1]).max() > 100
    odd = replace(last, strange=((225.0, 125.0),))
    ringed = eyes.drawn(Frame(pictures[-1], make_small(pictures[-1]), 0.5, 5), odd, 640)
    rows, columns = np.nonzero((ringed != drawn).any(axis=2))
    here = np.mean([CAMERA.corners[name] for name in ("a1", "h1", "h8", "a8")], axis=0)
    assert abs(columns.mean() - here[0]) < 40
    assert rows.mean() > here[1]


@pytest.mark.parametrize(("corners", "id"), [
    ("", "board.no_corners"), ("a1=1,1", "board.corners_form"),
    ("a1=9000,9000 h1=9500,9000 h8=9500,8500 a8=9000,8500", ""),
])  # fmt: skip
def test_corners_that_are_missing_or_wrong_are_told_and_nothing_is_read(
    corners: str, id: str, pictures: list[Image]
) -> None:
    eyes = BoardEyes(corners)
    eyes.look_for(WANTED)
    seen = looks(eyes, pictures)

    assert {look.state for look in seen} == {"blocked" if id else "picture"}
    assert {look.why.id for look in seen} == {id or "board.outside"}
    assert all(look.observation is None for look in seen)


def test_a_video_shows_its_first_frame_until_its_game_and_its_corners_are_known(film: Path) -> None:
    table = BoardEyes("", by_game={"chess": CORNERS})
    slept: list[float] = []
    camera = camera_for(SourceConfig("video", video=film), sleep=slept.append, holds=lambda: table.is_waiting)
    camera.open()
    held = [camera.read() for _ in range(3)]
    table.look_for(replace(WANTED, game="draughts"))
    held.append(camera.read())
    table.look_for(replace(WANTED, game="chess"))
    later = [camera.read() for _ in range(2)]

    assert [each.number for each in held] == [0] * 4
    assert [each.number for each in later] == [1, 2], "no frame is passed over, and none is looked at twice"
    assert slept[:3] == [HELD_S] * 3


def test_a_video_says_when_it_has_ended_and_is_not_begun_again(film: Path) -> None:
    source = SourceConfig("video", video=film)
    table = BoardEyes(CORNERS)
    ours, theirs = Pipe()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if seconds > 1.5:
            theirs.close()

    camera = camera_for(source, sleep=sleep, holds=lambda: table.is_waiting)
    loop = Thread(target=_until_closed, args=(theirs, table, camera))
    loop.start()
    ours.send(WANTED)
    heard = []
    try:
        while True:
            heard.append(ours.recv())
    except EOFError:
        loop.join()
    said = [each for each in heard if isinstance(each, Sighted)]

    assert any(each.observation is not None for each in said)
    assert [each.why.id for each in said if each.state == "gone"] == ["hw.video_ended"]
    assert [each.number for each in said if each.number >= 0] == sorted(
        each.number for each in said if each.number >= 0)


def _until_closed(pipe: object, table: BoardEyes, camera: VideoCamera) -> None:
    with suppress(OSError):
        watch(pipe, table, lambda _: camera)  # type: ignore[arg-type]


def test_frames_of_a_video_keep_its_times_however_fast_they_are_taken(film: Path) -> None:
    assert [(frame.number, round(frame.at_s, 3)) for frame in Video(str(film)).frames(1, 2)] == [(1, 0.1), (3, 0.3)]
    now = [0.0]
    camera = VideoCamera(str(film), clock=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    camera.open()
    taken = [camera.read().at_s for _ in range(5)]
    assert taken == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert now[0] == pytest.approx(0.4)
    assert not camera.expose(2.0)
    with pytest.raises(HardwareError, match="video_ended"):
        camera.read()
    camera.open()
    with pytest.raises(HardwareError, match="video_ended"):
        camera.read()
    assert now[0] == pytest.approx(5.4)


def test_what_is_no_video_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.mp4").write_text("<html>", "utf-8")
    with pytest.raises(HardwareError, match="no_video"):
        VideoCamera(str(tmp_path / "page.mp4")).open()
