"""Light and white of a camera that are judged by the tag cards in its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.sources.card_judge import AGAIN_EVERY_S, EVERY_S, MAX_CHANGES, WANTED_GREEN, CardJudge, Setting, balanced
from hardware.sources.opencv import SETTLE_S, OpenCVCamera
from hardware.sources.pi import PicameraCamera
from tests.bench.page import EXCERPTS
from tests.hardware.fake_picamera2 import Modules
from tests.hardware.hardware_mocks import Clock
from vision.imaging.frame import Image
from vision.imaging.srgb import linear
from vision.photometry.card_light import CardLight, card_light

BEST_US, BEST_GAINS = 12_000.0, (1.6, 2.1)
"""Under which the cards of the scene are white."""


def scene_light() -> np.ndarray:
    """A table with its cards in linear light; the cards are white in it and as bright as they should be."""
    image = cv2.imread(str(EXCERPTS / "kamikaze-1" / "frames" / "0000.jpg"))
    light = linear(np.asarray(image, np.uint8))
    seen = card_light(np.asarray(image, np.uint8))
    assert seen is not None
    shares = np.array([seen.blue_share, 1.0, seen.red_share], np.float32)
    return np.asarray(light / shares * np.float32(WANTED_GREEN / seen.green), np.float32)


LIGHT = scene_light()


def picture(factor: float, red: float = 1.0, blue: float = 1.0) -> Image:
    """The scene with so much more light, in sRGB."""
    light = np.clip(LIGHT * np.array([factor * blue, factor, factor * red], np.float32), 0, 1)
    return np.asarray(np.rint(255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)),
                      np.uint8)


def scene(metadata: dict[str, Any]) -> Image:
    red, blue = metadata["ColourGains"]
    factor = metadata["ExposureTime"] * metadata["AnalogueGain"] / BEST_US
    return picture(factor, red / BEST_GAINS[0], blue / BEST_GAINS[1])


def test_the_cards_white_is_measured() -> None:
    seen = card_light(picture(0.5, red=1.3, blue=0.8))
    assert seen is not None
    assert seen.green == pytest.approx(WANTED_GREEN / 2, rel=0.03)
    assert (seen.red_share, seen.blue_share) == (pytest.approx(1.3, rel=0.05), pytest.approx(0.8, rel=0.05))
    assert (seen.cards, seen.is_clipped) == (4, False)


def test_clipped_cards_are_known_as_such() -> None:
    seen = card_light(picture(3.0))
    assert seen is not None
    assert seen.is_clipped


def test_a_picture_without_cards_tells_nothing() -> None:
    assert card_light(np.full((600, 800, 3), 90, np.uint8)) is None


@pytest.mark.parametrize(("exposure_us", "gains"), [(3_000, (1.2, 3.0)), (40_000, (2.6, 1.4)), (12_000, (1.6, 2.1))])
def test_the_pi_camera_comes_to_white_cards_and_stays_there(
    exposure_us: float, gains: tuple[float, float], clock: Clock
) -> None:
    modules = Modules(scene=staticmethod(scene))
    camera = PicameraCamera(clock=clock, load=modules)
    camera.open()
    fake = modules.cameras[0]
    fake.held |= {"ExposureTime": exposure_us, "AnalogueGain": 1.0, "ColourGains": gains}
    for _ in range(30):
        clock.sleep(EVERY_S / 2)
        camera.read()
    seen = card_light(scene(fake._metadata()))
    assert seen is not None
    assert seen.green == pytest.approx(WANTED_GREEN, rel=0.12)
    assert (seen.red_share, seen.blue_share) == (pytest.approx(1, rel=0.12), pytest.approx(1, rel=0.12))
    assert (fake.held["AeEnable"], fake.held["AwbEnable"]) == (False, False)
    held = dict(fake.held)
    fake.held |= {"ColourGains": (1.0, 1.0)}  # the light of the evening changes: a colour stays a colour
    for _ in range(10):
        clock.sleep(EVERY_S)
        camera.read()
    assert fake.held == held | {"ColourGains": (1.0, 1.0)}


def test_without_cards_all_stays_as_the_camera_found_it(clock: Clock) -> None:
    modules = Modules()
    camera = PicameraCamera(clock=clock, load=modules)
    camera.open()
    before = dict(modules.cameras[0].held)
    for _ in range(5):
        clock.sleep(EVERY_S)
        camera.read()
    assert modules.cameras[0].held == before


def test_a_picture_that_never_comes_right_is_changed_a_few_times_only(clock: Clock) -> None:
    judge, dark = CardJudge(clock, with_colour=True), picture(0.2)
    faults = 0
    for _ in range(20):
        clock.sleep(EVERY_S)
        faults += judge.fault(dark) is not None
    assert faults == MAX_CHANGES


@pytest.mark.parametrize("lamp", [3.0, 0.3])
def test_a_lamp_that_burns_the_picture_out_or_leaves_it_dark_changes_the_exposure_that_was_held(
    lamp: float, clock: Clock
) -> None:
    light = 1.0
    usb = UsbCamera()
    usb.grey = lambda: picture(light * usb.settings[cv2.CAP_PROP_EXPOSURE] / 100.0)
    camera = OpenCVCamera(0, clock=clock, capture=lambda device, backend: usb)
    camera.open()

    def watched(looks: int) -> float:
        for _ in range(looks):
            clock.sleep(AGAIN_EVERY_S)
            camera.read()
        return usb.settings[cv2.CAP_PROP_EXPOSURE]

    held = watched(6)
    assert held == pytest.approx(100.0, rel=0.12)
    light = 0.7  # a cloud: what is held stays
    assert watched(4) == held
    light = lamp
    assert watched(1) == held  # one picture may be a lamp carried past
    light = 1.0
    assert watched(3) == held
    light = lamp
    assert watched(8) == pytest.approx(100.0 / lamp, rel=0.12)


def test_light_comes_from_time_before_it_comes_from_gain() -> None:
    seen = CardLight(4, WANTED_GREEN / 4, 1.0, 1.0, is_clipped=False)
    assert balanced(Setting(10_000, 1.0, 1.5, 1.5), seen) == Setting(40_000, 1.0, 1.5, 1.5)
    assert balanced(Setting(33_000, 1.0, 1.5, 1.5), seen) == Setting(66_000, 2.0, 1.5, 1.5)
    bright = CardLight(4, 1.0, 1.0, 1.0, is_clipped=True)
    assert balanced(Setting(10_000, 4.0, 1.5, 1.5), bright) == Setting(16_000, 1.0, 1.5, 1.5)


class UsbCamera:
    """Stands in for `cv2.VideoCapture` before the scene: its exposure does what it says."""

    def __init__(self) -> None:
        self.settings = {cv2.CAP_PROP_EXPOSURE: 30.0, cv2.CAP_PROP_POS_MSEC: 0.0}
        self.grey: Callable[[], Image] = lambda: picture(self.settings[cv2.CAP_PROP_EXPOSURE] / 100.0)

    def isOpened(self) -> bool:
        return True

    def set(self, setting: int, value: float) -> bool:
        self.settings[setting] = value
        return True

    def get(self, setting: int) -> float:
        return self.settings[setting]

    def read(self) -> tuple[bool, Image]:
        return True, self.grey()

    def release(self) -> None:
        pass


def test_a_usb_camera_settles_by_itself_then_its_cards_decide(clock: Clock) -> None:
    usb = UsbCamera()
    camera = OpenCVCamera(0, clock=clock, capture=lambda device, backend: usb)
    camera.open()
    camera.read()
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in usb.settings
    clock.sleep(SETTLE_S)
    for _ in range(6):
        camera.read()
        clock.sleep(EVERY_S)
    assert usb.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert (usb.settings[cv2.CAP_PROP_AUTO_WB], usb.settings[cv2.CAP_PROP_AUTOFOCUS]) == (0, 0)
    assert usb.settings[cv2.CAP_PROP_EXPOSURE] == pytest.approx(100.0, rel=0.12)


def test_a_picture_has_the_time_of_its_drivers_stamp(clock: Clock) -> None:
    usb = UsbCamera()
    usb.settings[cv2.CAP_PROP_POS_MSEC] = 7_800.0
    camera = OpenCVCamera(0, clock=clock, nanos=lambda: 8_000_000_000, capture=lambda device, backend: usb)
    camera.open()
    frame = camera.read()
    assert frame is not None
    assert frame.at_s == pytest.approx(99.8)


def test_a_pi_cameras_picture_has_the_sensors_own_time(clock: Clock) -> None:
    for stamp_ns, at_s in ((7_800_000_000, 99.8), (8_100_000_000, 100.0), (1_000_000_000, 100.0), (0, 100.0)):
        modules = Modules(stamp_ns=stamp_ns)
        camera = PicameraCamera(clock=clock, nanos=lambda: 8_000_000_000, load=modules)
        camera.open()
        frame = camera.read()
        assert frame is not None
        assert frame.at_s == pytest.approx(at_s)
