"""A video as a camera: a file, or what a camera in the network sends to an address."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from cv2.utils import logging

from companion.errors import HardwareError, phrase
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame

USUAL_RATE: Final = 25.0
"""Frames a second of a file that does not say how many it has, or says nonsense."""
MAX_RATE: Final = 240.0


class Video:
    """The frames of a video file, one after the other. Raises `HardwareError` when it is none."""

    def __init__(self, file: str) -> None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what it could not open is told in words, not by its dumps
        self._file, self._capture = file, cv2.VideoCapture(file)
        if not self._capture.isOpened():
            raise HardwareError(phrase("hw.no_video", where=file))
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if math.isfinite(rate) and 0.0 < rate <= MAX_RATE else USUAL_RATE

    @property
    def length(self) -> int:
        """How many frames it says that it has."""
        return max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))

    def frames(self, start: int = 0, every: int = 1) -> Iterator[Frame]:
        """Every so many of its frames, from one on, with the times at which the video shows them."""
        number = 0
        try:
            while self._capture.grab():
                if number >= start and (number - start) % every == 0:
                    good, image = self._capture.retrieve()
                    if good and image is not None:
                        picture = np.asarray(image, np.uint8)
                        yield Frame(picture, make_small(picture), number / self.rate, number)
                number += 1
        finally:
            self._capture.release()
