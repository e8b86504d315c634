"""A camera through OpenCV's capture: USB cameras, and whatever else shows as /dev/video.

V4L2 is named as the backend, so that OpenCV does not try all others, each with lines of its own, when a camera is
away. Exposure, white balance and focus are found once and then held; once the tag cards are seen, they decide about the
light.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from cv2.utils import logging

from companion.errors import HardwareError, Phrase, phrase
from hardware.holders import busy_phrase, programs_with
from hardware.sources.card_judge import CardJudge, factor_to_white
from hardware.sources.stamps import taken_s
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image

WIDTH, HEIGHT = 2304, 1296
"""What is asked for; the camera gives the nearest that it has."""
SETTLE_S = 3.0
"""After so long a camera has found light, white and focus."""
MANUAL, OFF = 1, 0
"""V4L2's words."""


class OpenCVCamera:
    """The camera with this number (`/dev/videoN`) or this device name. `capture` is `cv2.VideoCapture`."""

    def __init__(
        self,
        device: int | str,
        *,
        clock: Callable[[], float] = time.monotonic,
        nanos: Callable[[], int] = time.monotonic_ns,
        capture: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        self._device, self._clock, self._nanos, self._capture = device, clock, nanos, capture
        self._judge = CardJudge(clock, with_colour=False)
        self._opened_s, self._is_held = clock(), False
        self._refused: tuple[Phrase, ...] = ()
        self._camera: Any = None
        self._number = 0

    def open(self) -> None:
        """Opens it with one buffered picture, so that none is old. Raises `HardwareError`."""
        self.close()
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what it could not open is told in words, not by its dumps
        self._camera = self._capture(self._device, cv2.CAP_V4L2)
        if not self._camera.isOpened():
            self.close()
            raise HardwareError(self._why("hw.no_camera"))
        # MJPG first: few USB cameras have the bandwidth for raw pictures of this size
        self._camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._opened_s, self._is_held, self._refused = self._clock(), False, ()
        self._judge.begin()

    def read(self) -> Frame | None:
        """The next picture. Raises `HardwareError` when the camera gives none."""
        good, image = self._camera.read() if self._camera is not None else (False, None)
        if not good:
            raise HardwareError(self._why("hw.camera_lost"))
        at_s = taken_s(self._clock(), 1e6 * self._camera.get(cv2.CAP_PROP_POS_MSEC), self._nanos())
        image = np.asarray(image, np.uint8)
        number, self._number = self._number, self._number + 1
        self._hold(image)
        return Frame(image, make_small(image), at_s, number)

    def _hold(self, image: Image) -> None:
        """Holds what the camera found by itself, then sets its light by the tag cards."""
        if not self._is_held:
            if self._clock() - self._opened_s < SETTLE_S:
                return
            self._is_held = True
            white = self._camera.set(cv2.CAP_PROP_AUTO_WB, OFF) and self._camera.get(cv2.CAP_PROP_AUTO_WB) <= OFF
            self._camera.set(cv2.CAP_PROP_AUTOFOCUS, OFF)
            focus = self._camera.get(cv2.CAP_PROP_AUTOFOCUS) <= OFF  # a lens without focus has no such setting
            light = self.expose(1.0)
            held = {"hw.white_balance": white, "hw.focus": focus, "hw.exposure": light}
            adrift = tuple(phrase(name) for name, is_held in held.items() if not is_held)
            self._refused = *_smaller(image), *((phrase("hw.not_held", given=adrift),) if adrift else ())
        if (seen := self._judge.fault(image)) is not None:
            self.expose(factor_to_white(seen))

    def _why(self, otherwise: str) -> Phrase:
        """Why there are no pictures: another program has the device, or what is said otherwise."""
        device = Path(f"/dev/video{self._device}" if isinstance(self._device, int) else self._device)
        if programs_with(device):
            return busy_phrase(str(self._device), device)
        return phrase(otherwise, where=str(self._device))

    def refused(self) -> tuple[Phrase, ...]:
        """That its pictures are smaller than was asked for, and what goes on by itself: white balance, focus or
        exposure; nothing while it is not known yet."""
        return self._refused

    def expose(self, factor: float) -> bool:
        """Sets the exposure by hand from now on; False when the driver has no such setting."""
        present = self._camera.get(cv2.CAP_PROP_EXPOSURE)
        if present <= 0:
            return False
        self._camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
        return bool(self._camera.set(cv2.CAP_PROP_EXPOSURE, present * factor))

    def close(self) -> None:
        """Gives the device back."""
        if self._camera is not None:
            self._camera.release()
            self._camera = None


def _smaller(image: Image) -> tuple[Phrase, ...]:
    """That pictures are smaller than was asked for."""
    height, width = image.shape[:2]
    if height * width >= HEIGHT * WIDTH:
        return ()
    return (phrase("hw.smaller", width=width, height=height, asked=f"{WIDTH} × {HEIGHT}"),)
