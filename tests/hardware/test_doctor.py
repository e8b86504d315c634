from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.errors import HardwareError, phrase
from companion.session.config import Config, PinConfig, SourceConfig
from companion.words import load
from hardware.doctor import apt_line, examine
from vision.imaging.frame import Frame


class OnePicture:
    """A camera with a single picture, or with a trouble."""

    def __init__(self, trouble: HardwareError | None = None) -> None:
        self._trouble = trouble
        self.closed = False

    def open(self) -> None:
        if self._trouble:
            raise self._trouble

    def read(self) -> Frame:
        return Frame(np.zeros((90, 160, 3), np.uint8), np.zeros((180, 320, 3), np.uint8), 0.0, 0)

    def expose(self, factor: float) -> bool:
        return False

    def close(self) -> None:
        self.closed = True


def without(*missing: str) -> Any:
    def load_module(name: str) -> Any:
        if name in missing:
            raise ImportError(f"libGL.so.1: cannot open shared object file ({name})")
        return SimpleNamespace(__version__="5.0")

    return load_module


CAMERA = Config(source=SourceConfig(kind="camera"))


def told(findings: list[Any]) -> list[tuple[bool, str]]:
    return [(finding.well, load().say(finding.sentence)) for finding in findings]


def test_a_laptop_with_everything_is_well() -> None:
    camera = OnePicture()
    found = list(examine(CAMERA, load=without(), pi=False, camera=camera))
    assert told(found) == [
        (True, "OpenCV 5.0 is there."),
        (True, "This is no Raspberry Pi: buttons and lamps are on the page /panel."),
        (True, "The tag cards can be printed."),
        (True, "Pictures come, 160 × 90 pixels."),
    ]
    assert apt_line(found) is None
    assert camera.closed


def test_one_line_gets_all_that_is_missing_on_a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    found = list(examine(CAMERA, load=without("cv2", "picamera2", "reportlab"), pi=True))
    line = apt_line(found)
    assert line is not None
    assert line.startswith("sudo apt install --no-install-recommends libgl1 libglib2.0-0 python3-picamera2")
    assert [finding.well for finding in found] == [False, False, False, True]


def test_a_camera_that_is_not_there_is_told() -> None:
    trouble = HardwareError(phrase("hw.no_camera", where="0"))
    found = list(examine(CAMERA, load=without(), pi=False, camera=OnePicture(trouble)))
    assert told(found)[-1] == (
        False, "No camera answers as 0. Check its cable, or name another in the config: camera = 1 under [source].")


def test_pins_that_others_use_are_named() -> None:
    config = Config(pins=PinConfig(seats=((2, 17), (6, 27))))
    assert any("I2C" in line for _, line in told(list(examine(config, load=without(), pi=False))))


def test_playing_without_a_camera_is_well() -> None:
    assert told(list(examine(Config(), load=without(), pi=False)))[-1][0]
