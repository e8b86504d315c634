"""The Raspberry Pi's own camera through picamera2, which comes from apt and is imported only when chosen.

One configuration for all time: the full-view mode of the sensor as the picture for reading and a small second stream
for watching. Focus, exposure and white balance are found once and then held, so that a colour means the same thing
all evening; once the tag cards are seen, they decide about light and white. A picture's time is the sensor's own.
Nothing is ever waited for without a limit.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import HardwareError, Phrase, phrase
from hardware.holders import busy_phrase
from hardware.sources.card_judge import CardJudge, Setting, balanced
from hardware.sources.stamps import taken_s
from vision.imaging.frame import SMALL_WH, Frame, Image

MODES: Mapping[str, tuple[tuple[int, int], int]] = {
    "imx708": ((2304, 1296), 10),
    "imx477": ((2028, 1520), 12),
    "imx219": ((1640, 1232), 10),
    "imx296": ((1456, 1088), 10),
    "imx500": ((2028, 1520), 10),
}
"""For each sensor, width and height of its mode with the full view, and its bits. Other modes crop the view."""

BUFFERS = 3
FRAME_US = 100_000
"""Microseconds between two pictures: ten a second are enough to see a hand, and leave the processor to the eyes."""

CAPTURE_TIMEOUT_S = 2.0
FOCUS_S = 5.0
SETTLE_FRAMES = 30
HOLD_FRAMES = 10
LOST_AFTER = 2
"""Pictures missed in a row until the camera counts as lost."""


class PicameraCamera:
    """Camera `number` of the Pi. `load` imports a module by name; `nanos` is the clock of the pictures' stamps."""

    def __init__(
        self,
        number: int = 0,
        *,
        clock: Callable[[], float] = time.monotonic,
        nanos: Callable[[], int] = time.monotonic_ns,
        load: Callable[[str], Any] = importlib.import_module,
    ) -> None:
        self._index, self._clock, self._nanos, self._load = number, clock, nanos, load
        self._judge = CardJudge(clock, with_colour=True)
        self._camera: Any = None
        self._number = 0
        self._missed = 0

    def open(self) -> None:
        """Starts the camera, lets it focus and settle, and holds what it found. Raises `HardwareError`."""
        self.close()
        try:
            picamera2 = self._load("picamera2")
            libcamera = self._load("libcamera")
        except ImportError as error:
            raise HardwareError(phrase("hw.no_picamera2")) from error
        try:
            self._camera = picamera2.Picamera2(self._index)
            self._camera.configure(self._configuration(libcamera.controls))
            self._camera.start()
            self._hold(libcamera.controls)
            self._judge.begin()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            raise HardwareError(_trouble(error, self._index)) from error

    def _configuration(self, controls: Any) -> Any:
        camera = self._camera
        model = camera.camera_properties.get("Model", "")
        size, bits = MODES.get(str(model).removesuffix("_wide").removesuffix("_noir"), MODES["imx708"])
        wanted: dict[str, Any] = {"FrameDurationLimits": (FRAME_US, FRAME_US)}
        if "AfMode" in camera.camera_controls:
            wanted["AfMode"] = controls.AfModeEnum.Auto
        return camera.create_video_configuration(
            main={"format": "RGB888", "size": size},  # its arrays are B, G, R
            lores={"format": "YUV420", "size": SMALL_WH},
            raw=None,
            sensor={"output_size": size, "bit_depth": bits},
            buffer_count=BUFFERS,
            controls=wanted,
        )

    def _hold(self, controls: Any) -> None:
        """Finds focus, exposure and white balance, and keeps them."""
        camera = self._camera
        focuses = "AfMode" in camera.camera_controls
        if focuses:
            try:
                camera.autofocus_cycle(wait=FOCUS_S)
            except TimeoutError:
                camera.cancel_all_and_flush()
        found = self._metadata_until(lambda metadata: bool(metadata.get("AeLocked")), SETTLE_FRAMES)
        held = {
            "AeEnable": False,
            "ExposureTime": found["ExposureTime"],
            "AnalogueGain": found["AnalogueGain"],
            "AwbEnable": False,
            "ColourGains": found["ColourGains"],
        }
        if focuses and "LensPosition" in found:
            held |= {"AfMode": controls.AfModeEnum.Manual, "LensPosition": found["LensPosition"]}
        camera.set_controls(held)
        self._metadata_until(lambda metadata: _near(metadata["ExposureTime"], held["ExposureTime"]), HOLD_FRAMES)

    def _metadata_until(self, there: Callable[[Mapping[str, Any]], bool], most: int) -> Mapping[str, Any]:
        """The first metadata that is `there`, or that of the last of `most` pictures: some sensors never say so."""
        metadata: Mapping[str, Any] = {}
        for _ in range(most):
            try:
                metadata = self._camera.capture_metadata(wait=CAPTURE_TIMEOUT_S)
            except TimeoutError:
                self._camera.cancel_all_and_flush()
                raise
            if there(metadata):
                break
        return metadata

    def read(self) -> Frame | None:
        """The next picture. Raises `HardwareError` when the camera has stopped sending."""
        if self._camera is None:
            raise HardwareError(phrase("hw.camera_lost", where=str(self._index)))
        while True:
            try:
                with self._camera.captured_request(wait=CAPTURE_TIMEOUT_S) as request:
                    image = np.ascontiguousarray(request.make_array("main"))
                    watched = bgr_of_yuv420(request.make_array("lores"), SMALL_WH)
                    metadata = request.get_metadata()
            except TimeoutError as error:
                # at once: a request that timed out would otherwise keep its buffer for good
                self._camera.cancel_all_and_flush()
                self._missed += 1
                if self._missed >= LOST_AFTER:
                    raise HardwareError(phrase("hw.camera_lost", where=str(self._index))) from error
                continue
            self._missed = 0
            number, self._number = self._number, self._number + 1
            self._follow_cards(image, metadata)
            at_s = taken_s(self._clock(), metadata.get("SensorTimestamp", 0), self._nanos())
            return Frame(image, watched, at_s, number)

    def _follow_cards(self, image: Image, metadata: Mapping[str, Any]) -> None:
        """Sets light and white by the tag cards, and holds them."""
        if (seen := self._judge.fault(image)) is None:
            return
        red, blue = metadata["ColourGains"]
        wanted = balanced(Setting(metadata["ExposureTime"], metadata["AnalogueGain"], red, blue), seen)
        self._camera.set_controls({
            "AeEnable": False, "ExposureTime": round(wanted.exposure_us), "AnalogueGain": wanted.gain,
            "AwbEnable": False, "ColourGains": (wanted.red, wanted.blue)})

    def expose(self, factor: float) -> bool:
        """Changes the time of exposure, and holds it."""
        try:
            metadata = self._camera.capture_metadata(wait=CAPTURE_TIMEOUT_S)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            return False
        self._camera.set_controls({"ExposureTime": round(metadata["ExposureTime"] * factor)})
        return True

    def close(self) -> None:
        """Stops and gives the camera back."""
        if self._camera is not None:
            camera, self._camera = self._camera, None
            self._missed = 0
            camera.stop()
            camera.close()


def bgr_of_yuv420(planes: npt.NDArray[np.uint8], wh: tuple[int, int]) -> Image:
    """The picture (h, w, 3) B G R of a YUV420 buffer (h * 3 / 2, stride), whose rows may be padded.

    The chroma planes lie below, two of their rows (each half a stride) in one row of the buffer.
    """
    width, height = wh
    stride = planes.shape[1]
    chroma = planes[height : height * 3 // 2].reshape(height, stride // 2)[:, : width // 2]
    packed = np.vstack([planes[:height, :width], chroma.reshape(height // 2, width)])
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), np.uint8)


def _near(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= 0.02 * wanted + 50


def _trouble(error: Exception, index: int) -> Phrase:
    if isinstance(error, TimeoutError):
        return phrase("hw.camera_lost", where=str(index))
    if isinstance(error, OSError):
        return phrase("hw.camera_memory", given=str(error))
    if "busy" in f"{error} {error.__cause__}" or "did not complete" in str(error):
        return busy_phrase(f"Pi camera {index}", *Path("/dev").glob("video*"))
    return phrase("hw.no_camera", where=f"Pi camera {index}")
