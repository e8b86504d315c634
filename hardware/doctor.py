"""What is missing on this machine, and the one line that gets it: behind `companion doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from companion.errors import CompanionError, Phrase, phrase
from companion.session.config import Config
from hardware import pins, wiring
from hardware.camera import Camera, camera_for

Load = Callable[[str], Any]

OPENCV_NEEDS = ("libgl1", "libglib2.0-0")
PICAMERA2 = ("python3-picamera2",)
PIN_LIBRARIES = {"hw.no_lgpio": ("python3-lgpio",), "hw.no_rpigpio": ("python3-rpi-lgpio",)}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: whether all is well, the sentence that says so, and apt packages that would help."""

    well: bool
    sentence: Phrase
    packages: tuple[str, ...] = ()


def examine(
    config: Config, *, load: Load = import_module, pi: bool | None = None, camera: Camera | None = None
) -> Iterator[Finding]:
    """Looks at everything, one finding after the other; the camera, which takes longest, last. Never raises."""
    pi = pins.on_a_pi() if pi is None else pi
    seeing = _opencv(load)
    yield seeing
    if config.source.kind == "camera" and (pi or config.source.camera == "picamera2"):
        yield _picamera2(load)
    yield _pins(config, pi)
    yield from (Finding(True, warning) for warning in wiring.warnings(config.pins))
    yield _reportlab(load)
    if seeing.well:
        yield _camera(camera or camera_for(config.source), config)


def apt_line(findings: list[Finding]) -> str | None:
    """The one command that gets everything that apt can give; None when it can give nothing."""
    packages = dict.fromkeys(package for finding in findings for package in finding.packages)
    return f"sudo apt install --no-install-recommends {' '.join(packages)}" if packages else None


def _opencv(load: Load) -> Finding:
    try:
        return Finding(True, phrase("doctor.opencv", given=str(load("cv2").__version__)))
    except ImportError as error:
        return Finding(False, phrase("doctor.no_opencv", given=str(error)), OPENCV_NEEDS)


def _picamera2(load: Load) -> Finding:
    try:
        load("picamera2")
    except ImportError:
        return Finding(False, phrase("doctor.no_picamera2"), PICAMERA2)
    except ValueError as error:  # compiled against another numpy than the one that is installed
        return Finding(False, phrase("doctor.other_numpy", given=str(error)))
    return Finding(True, phrase("doctor.picamera2"))


def _pins(config: Config, pi: bool) -> Finding:
    try:
        factory = pins.factory(config.pins.factory, pi=pi)
    except CompanionError as error:
        return Finding(False, error.phrase, PIN_LIBRARIES.get(error.phrase.id, ()))
    mock = pins.is_mock(factory)
    factory.close()
    return Finding(True, phrase("doctor.pins_mock" if mock else "doctor.pins"))


def _reportlab(load: Load) -> Finding:
    try:
        load("reportlab")
    except ImportError:
        return Finding(True, phrase("cards.no_reportlab"))
    return Finding(True, phrase("doctor.reportlab"))


def _camera(camera: Camera, config: Config) -> Finding:
    if config.source.kind in ("none", None):
        return Finding(True, phrase("doctor.camera_none"))
    try:
        camera.open()
        frame = camera.read()
    except CompanionError as error:
        return Finding(False, error.phrase)
    finally:
        camera.close()
    if frame is None:
        return Finding(False, phrase("hw.no_frames", where=str(config.source.folder)))
    return Finding(True, phrase("doctor.camera", width=frame.image.shape[1], height=frame.image.shape[0]))
