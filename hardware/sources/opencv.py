"""A camera through OpenCV's capture: USB cameras, and whatever else shows as /dev/video."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from cv2.utils import logging

from companion.errors import HardwareError, phrase
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame

WIDTH, HEIGHT = 2304, 1296
"""What is asked for; the camera gives the nearest that it has."""


class OpenCVCamera:
    """The camera with this number (`/dev/videoN`) or this device name. `capture` is `cv2.VideoCapture`."""

    def __init__(
        self,
        device: int | str,
        *,
        clock: Callable[[], float] = time.monotonic,
        capture: Callable[..., Any] = cv2.VideoCapture,
    ) -> None:
        self._device, self._clock, self._capture = device, clock, capture
        self._camera: Any = None
        self._number = 0

    def open(self) -> None:
        """Opens it with one buffered picture, so that none is old. Raises `HardwareError`."""
        self.close()
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what it could not open is told in words, not by its dumps
        self._camera = self._capture(self._device)
        if not self._camera.isOpened():
            self.close()
            raise HardwareError(phrase("hw.no_camera", where=str(self._device)))
        # MJPG first: few USB cameras have the bandwidth for raw pictures of this size
        self._camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Frame | None:
        """The next picture. Raises `HardwareError` when the camera gives none."""
        good, image = self._camera.read() if self._camera is not None else (False, None)
        if not good:
            raise HardwareError(phrase("hw.camera_lost", where=str(self._device)))
        image = np.asarray(image, np.uint8)
        number, self._number = self._number, self._number + 1
        return Frame(image, make_small(image), self._clock(), number)

    def expose(self, factor: float) -> bool:
        """Sets the exposure by hand from now on; False when the driver has no such setting."""
        present = self._camera.get(cv2.CAP_PROP_EXPOSURE)
        if present <= 0:
            return False
        self._camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's word for "manual"
        return bool(self._camera.set(cv2.CAP_PROP_EXPOSURE, present * factor))

    def close(self) -> None:
        """Gives the device back."""
        if self._camera is not None:
            self._camera.release()
            self._camera = None
