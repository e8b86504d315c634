from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import HardwareError, Phrase, SightError, phrase
from companion.session.config import SourceConfig
from companion.words import load
from hardware.camera import RETRY_S, Camera, camera_for, frames
from hardware.sources.folder import FolderCamera
from hardware.sources.none import NoCamera
from hardware.sources.opencv import OpenCVCamera
from hardware.sources.pi import PicameraCamera, bgr_of_yuv420
from tests.hardware.fake_picamera2 import MANUAL, Modules
from tests.hardware.hardware_mocks import Clock

ABOUT = {
    "game": "kamikaze-cans",
    "camera": {"width": 160, "height": 90, "K": [[120, 0, 80], [0, 120, 45], [0, 0, 1]], "dist": [0, 0, 0, 0, 0]},
    "pieces": [],
    "zones": [],
    "seats": [],
}


@pytest.fixture
def picture_set(tmp_path: Path) -> Path:
    (tmp_path / "set.json").write_text(json.dumps(ABOUT))
    (tmp_path / "frames").mkdir()
    for number in range(3):
        image = np.full((90, 160, 3), 50 * (number + 1), np.uint8)
        cv2.imwrite(str(tmp_path / "frames" / f"{number:04d}.jpg"), image)
    return tmp_path


def play(folder: Path, clock: Clock, **options: Any) -> FolderCamera:
    return FolderCamera(folder, 2.0, clock=clock, sleep=clock.sleep, **options)


class Report:
    """Remembers what was reported, in words."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._words = load()

    def __call__(self, told: Phrase | None) -> None:
        self.said.append("fine" if told is None else self._words.say(told))


def test_a_picture_set_is_played_at_its_pace_over_and_over(picture_set: Path, clock: Clock) -> None:
    camera = play(picture_set, clock)
    seen = list(islice(frames(camera, Report()), 5))
    assert [frame.number for frame in seen] == [0, 1, 2, 3, 4]
    assert [frame.at_s for frame in seen] == [100.0, 102.0, 104.0, 106.0, 108.0]
    assert [int(frame.image[0, 0, 0]) for frame in seen] == [50, 100, 150, 50, 100]
    assert seen[0].small.shape == (180, 320, 3)


def test_a_set_played_once_ends(picture_set: Path, clock: Clock) -> None:
    assert len(list(frames(play(picture_set, clock, loop=False), Report()))) == 3


def test_a_set_without_pictures_is_told(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "set.json").write_text(json.dumps(ABOUT))
    with pytest.raises(HardwareError) as caught:
        play(tmp_path, clock).open()
    assert load().say(caught.value.phrase).startswith(f"There are no pictures in {tmp_path}")


def test_a_folder_that_is_no_set_is_told(tmp_path: Path, clock: Clock) -> None:
    with pytest.raises(HardwareError, match=r"eyes\.set_invalid"):
        play(tmp_path, clock).open()


def test_a_picture_that_is_cut_off_is_told_and_left_out(picture_set: Path, clock: Clock) -> None:
    broken = picture_set / "frames" / "0001.jpg"
    broken.write_bytes(broken.read_bytes()[:-200])
    report = Report()
    seen = list(frames(play(picture_set, clock, loop=False), report))
    assert [frame.number for frame in seen] == [0, 2]
    assert report.said == [
        "fine",
        load().say(phrase("eyes.picture_broken", picture="0001.jpg")),
        "fine",
    ]


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xd9"])
def test_what_is_no_picture_is_told(picture_set: Path, clock: Clock, content: bytes) -> None:
    (picture_set / "frames" / "0000.jpg").write_bytes(content)
    camera = play(picture_set, clock)
    camera.open()
    with pytest.raises(SightError, match=r"eyes\.picture_broken"):
        camera.read()


class FakeCapture:
    """Stands in for `cv2.VideoCapture`: gives the pictures of its script; None: the device is gone."""

    def __init__(self, opened: bool, script: list[int | None]) -> None:
        self._opened, self._script = opened, script
        self.settings: list[tuple[int, float]] = []
        self.released = False

    def isOpened(self) -> bool:
        return self._opened

    def set(self, setting: int, value: float) -> bool:
        self.settings.append((setting, value))
        return True

    def get(self, setting: int) -> float:
        return 100.0 if setting == cv2.CAP_PROP_EXPOSURE else 0.0

    def read(self) -> tuple[bool, Any]:
        shade = self._script.pop(0)
        return shade is not None, None if shade is None else np.full((90, 160, 3), shade, np.uint8)

    def release(self) -> None:
        self.released = True


def test_a_usb_camera_that_is_lost_is_told_and_opened_again(clock: Clock) -> None:
    captures = [FakeCapture(True, [1, 2, None]), FakeCapture(False, []), FakeCapture(False, []), FakeCapture(True, [3])]
    opened: list[FakeCapture] = []

    def capture(device: int | str, backend: int) -> FakeCapture:
        assert backend == cv2.CAP_V4L2
        opened.append(captures.pop(0))
        return opened[-1]

    report = Report()
    seen = list(islice(frames(OpenCVCamera(0, clock=clock, capture=capture), report, clock.sleep), 3))
    assert [int(frame.image[0, 0, 0]) for frame in seen] == [1, 2, 3]
    assert [frame.number for frame in seen] == [0, 1, 2]
    assert report.said == [
        "fine",
        "The camera 0 sends no more pictures. Check its cable; I try again by myself.",
        "No camera answers as 0. Check its cable, or name another in the config: camera = 1 under [source].",
        "No camera answers as 0. Check its cable, or name another in the config: camera = 1 under [source].",
        "fine",
    ]
    assert clock.now_s == 100.0 + sum(RETRY_S[:3])
    assert all(each.released for each in opened[:3])


def test_pauses_before_a_camera_is_tried_again_grow_and_begin_anew_after_a_picture(clock: Clock) -> None:
    gone = len(RETRY_S) + 2
    captures = [FakeCapture(False, []) for _ in range(gone)]
    captures += [FakeCapture(True, [1, None]), FakeCapture(False, []), FakeCapture(True, [2])]
    pauses: list[float] = []
    camera = OpenCVCamera(0, clock=clock, capture=lambda _device, _backend: captures.pop(0))
    list(islice(frames(camera, Report(), pauses.append), 2))
    assert pauses == [*RETRY_S, RETRY_S[-1], RETRY_S[-1], *RETRY_S[:2]]
    assert list(RETRY_S) == sorted(set(RETRY_S))


def test_a_usb_camera_keeps_no_old_pictures_and_is_exposed_by_hand(clock: Clock) -> None:
    capture = FakeCapture(True, [1])
    camera = OpenCVCamera(0, clock=clock, capture=lambda device, backend: capture)
    camera.open()
    assert (cv2.CAP_PROP_BUFFERSIZE, 1) in capture.settings
    assert camera.expose(1.5)
    assert capture.settings[-1] == (cv2.CAP_PROP_EXPOSURE, 150.0)


def pi(modules: Callable[[str], Any], clock: Clock) -> PicameraCamera:
    return PicameraCamera(clock=clock, load=modules)


def test_the_pi_camera_settles_then_holds_focus_exposure_and_white(clock: Clock) -> None:
    modules = Modules()
    pi(modules, clock).open()
    camera = modules.cameras[0]
    assert camera.calls == ["open", "configure", "start", "focus", "controls"]
    assert camera.held == {
        "AeEnable": False,
        "ExposureTime": 9003,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.5, 1.8),
        "AfMode": MANUAL,
        "LensPosition": 1.4,
    }


def test_the_pi_camera_gives_both_pictures(clock: Clock) -> None:
    modules = Modules()
    frame = next(frames(pi(modules, clock), Report()))
    assert frame.image.shape == (1296, 2304, 3)
    assert frame.image[0, 0].tolist() == [10, 20, 30]
    assert frame.small.shape == (180, 320, 3)
    assert modules.cameras[0].out == 0
    assert modules.cameras[0].calls[-2:] == ["stop", "close"]


def test_a_lens_without_focus_is_left_alone(clock: Clock) -> None:
    modules = Modules(model="imx219", controls_there=("ExposureTime",))
    pi(modules, clock).open()
    assert "focus" not in modules.cameras[0].calls
    assert "AfMode" not in modules.cameras[0].held
    assert modules.cameras[0].configuration["main"]["size"] == (1640, 1232)


@pytest.mark.parametrize("traits", [{"focus_fails": True}, {"ae_locks_after": 10_000}])
def test_focus_or_exposure_that_never_settle_do_not_stop_the_camera(traits: dict[str, Any], clock: Clock) -> None:
    modules = Modules(**traits)
    pi(modules, clock).open()
    assert modules.cameras[0].held["AeEnable"] is False


def test_every_missed_picture_gives_its_buffer_back_at_once(clock: Clock) -> None:
    modules = Modules()
    camera = pi(modules, clock)
    camera.open()
    for _ in range(5):
        modules.cameras[0].script = ["timeout", "picture"]
        assert camera.read() is not None
    assert modules.cameras[0].calls.count("flush") == 5


def test_a_pi_camera_that_stays_silent_is_lost(clock: Clock) -> None:
    modules = Modules()
    camera = pi(modules, clock)
    camera.open()
    modules.cameras[0].script = ["timeout"] * 2
    with pytest.raises(HardwareError, match=r"hw\.camera_lost"):
        camera.read()


def test_the_pi_camera_is_made_brighter(clock: Clock) -> None:
    modules = Modules()
    camera = pi(modules, clock)
    camera.open()
    assert camera.expose(2.0)
    assert modules.cameras[0].held["ExposureTime"] == 18006


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (IndexError("list index out of range"), "hw.no_camera"),
        (RuntimeError("Camera __init__ sequence did not complete."), "hw.camera_busy"),
        (OSError(12, "Cannot allocate memory"), "hw.camera_memory"),
        (TimeoutError(), "hw.camera_lost"),
    ],
)
def test_a_pi_camera_that_cannot_be_opened_is_told(trouble: Exception, told: str, clock: Clock) -> None:
    with pytest.raises(HardwareError) as caught:
        pi(Modules(trouble), clock).open()
    assert caught.value.phrase.id == told
    assert told in load()


def test_a_laptop_is_told_how_to_get_picamera2() -> None:
    def load_module(name: str) -> Any:
        raise ModuleNotFoundError(name)

    with pytest.raises(HardwareError) as caught:
        PicameraCamera(load=load_module).open()
    assert "sudo apt install --no-install-recommends python3-picamera2" in load().say(caught.value.phrase)


def test_padded_rows_of_a_yuv_picture_are_cut_off() -> None:
    image = np.zeros((180, 320, 3), np.uint8)
    image[:90], image[90:] = (200, 60, 30), (20, 90, 220)
    tight = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
    padded = np.zeros((270, 384), np.uint8)
    padded[:180, :320] = tight[:180]
    padded[180:].reshape(180, 192)[:, :160] = tight[180:].reshape(180, 160)
    assert np.abs(bgr_of_yuv420(padded, (320, 180)).astype(int) - image).max() <= 6
    assert np.array_equal(bgr_of_yuv420(tight, (320, 180)), bgr_of_yuv420(padded, (320, 180)))


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (SourceConfig(kind="folder", folder=Path("somewhere")), FolderCamera),
        (SourceConfig(kind="camera"), OpenCVCamera),
        (SourceConfig(kind="camera", camera="picamera2"), PicameraCamera),
        (SourceConfig(kind="none"), NoCamera),
    ],
)
def test_the_config_chooses_the_camera(source: SourceConfig, kind: type[Camera]) -> None:
    assert isinstance(camera_for(source), kind)


def test_without_a_camera_there_are_no_pictures() -> None:
    assert list(frames(NoCamera(), Report())) == []
    assert not NoCamera().expose(2.0)
