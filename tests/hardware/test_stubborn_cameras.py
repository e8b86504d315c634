"""USB cameras that give pictures of another size than was asked for, refuse settings, or are another program's."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import HardwareError
from companion.words import load
from hardware.sources.opencv import OpenCVCamera
from tests.hardware.hardware_mocks import Clock
from tests.hardware.test_cameras import FakeCapture


class StubbornCapture(FakeCapture):
    """Gives pictures of a size of its own, and refuses these settings; which automatics are on is kept in `values`."""

    def __init__(self, wide: int, tall: int, refuses: frozenset[int] = frozenset()) -> None:
        super().__init__(True, [])
        self._size, self._refuses = (tall, wide, 3), refuses
        self.values = {cv2.CAP_PROP_AUTO_WB: 1.0, cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_EXPOSURE: 100.0}

    def set(self, setting: int, value: float) -> bool:
        if setting in self._refuses:
            return False
        self.values[setting] = value
        return super().set(setting, value)

    def get(self, setting: int) -> float:
        return self.values.get(setting, 0.0)

    def read(self) -> tuple[bool, Any]:
        return True, np.full(self._size, 90, np.uint8)


def settled(capture: FakeCapture, clock: Clock) -> tuple[OpenCVCamera, Any]:
    """The camera after it found its light, and its newest picture."""
    camera = OpenCVCamera(0, clock=clock, capture=lambda device, backend: capture)
    camera.open()
    camera.read()
    assert camera.refused() == (), "nothing was asked for yet"
    clock.sleep(4.0)
    frame = camera.read()
    assert frame is not None
    return camera, frame


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("is_raw", [False, True])
def test_a_usb_camera_of_another_size_is_read_as_it_is_in_mjpeg_or_raw(
    clock: Clock, size: tuple[int, int], is_raw: bool
) -> None:
    capture = StubbornCapture(*size, frozenset({cv2.CAP_PROP_FOURCC} if is_raw else ()))
    camera, frame = settled(capture, clock)
    assert frame.image.shape == (size[1], size[0], 3)
    told, = camera.refused()
    assert load().say(told).startswith(f"I asked this camera for pictures of 2304 × 1296 pixels, and it gives "
                                       f"{size[0]} × {size[1]}: ")


def test_a_usb_camera_that_gives_what_it_was_asked_for_refuses_nothing(clock: Clock) -> None:
    camera, _ = settled(StubbornCapture(2304, 1296), clock)
    assert camera.refused() == ()


@pytest.mark.parametrize(("refuses", "held"), [
    ({cv2.CAP_PROP_AUTO_WB}, "white balance"), ({cv2.CAP_PROP_AUTOFOCUS}, "focus"),
    ({cv2.CAP_PROP_EXPOSURE}, "exposure"),
    ({cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_EXPOSURE}, "white balance and exposure"),
])
def test_what_a_usb_camera_refuses_is_told_in_one_sentence(clock: Clock, refuses: set[int], held: str) -> None:
    camera, _ = settled(StubbornCapture(2304, 1296, frozenset(refuses)), clock)
    told, = camera.refused()
    assert load().say(told).startswith(f"This camera does not let me hold its {held}: ")
    camera.open()
    assert camera.refused() == (), "it is asked anew"


def first_picture(camera: OpenCVCamera) -> None:
    camera.open()
    camera.read()


@pytest.mark.parametrize("opens", [False, True])
def test_a_second_companion_at_a_camera_is_told_who_holds_it(clock: Clock, tmp_path: Path, opens: bool) -> None:
    """V4L2 refuses the second one when it opens the device, or lets it open it and gives it no picture."""
    device = tmp_path / "video0"
    device.touch()
    holds = "import sys; held = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with Popen([sys.executable, "-c", holds, str(device)], stdin=PIPE, stdout=PIPE) as first:
        assert first.stdout is not None
        first.stdout.readline()
        camera = OpenCVCamera(str(device), clock=clock, capture=lambda _device, _backend: FakeCapture(opens, [None]))
        with pytest.raises(HardwareError) as told:
            first_picture(camera)
        assert first.stdin is not None
        first.stdin.close()
    said = load().say(told.value.phrase)
    assert said.startswith(f"The camera {device} is used by another program: ")
    assert f"({first.pid})" in said
