"""A video file: its frames, and a camera that plays it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
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
AFTER_END_S: Final = 5.0
"""How long is waited, again and again, after a video has ended."""
HELD_S: Final = 0.25
"""How often the first frame is shown of a video that does not go on yet."""


class Video:
    """The frames of a video file, one after the other. Raises `HardwareError` when it is none. OpenCV scales all of
    them to the size of the first, and tells of no change."""

    def __init__(self, file: str) -> None:
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what it could not open is told in words, not by its dumps
        self._file, self._capture = file, cv2.VideoCapture(file)
        if not self._capture.isOpened():
            raise HardwareError(phrase("hw.no_video", where=Path(file).name))
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


class VideoCamera:
    """A video file as if it were a camera: each frame when it is due, `speed` times as fast as it was filmed (0: as
    fast as can be). How fast that is changes no reading, as frames keep the times of the video. While somebody `holds`
    it, it shows its first frame; at its end it says so, and shows no more."""

    def __init__(
        self, file: str, *, speed: float = 1.0, holds: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._file, self._speed, self._holds, self._clock, self._sleep = file, speed, holds, clock, sleep
        self._frames: Iterator[Frame] | None = None
        self._first: Frame | None = None
        self._began_s = 0.0
        self._has_ended = False

    def open(self) -> None:
        """Opens the file. Raises `HardwareError`."""
        if not self._has_ended:
            self._frames, self._began_s = Video(self._file).frames(), self._clock()

    def read(self) -> Frame | None:
        """The next frame when it is due. Raises `HardwareError` at the end, and every few seconds after it."""
        if self._first is not None and self._holds():
            self._sleep(HELD_S)
            self._began_s = self._clock()
            return self._first
        frame = None if self._frames is None else next(self._frames, None)
        if frame is None:
            if self._has_ended:
                self._sleep(AFTER_END_S)
            self._frames, self._has_ended = None, True
            raise HardwareError(phrase("hw.video_ended", where=Path(self._file).name))
        if self._speed > 0 and (early_s := self._began_s + frame.at_s / self._speed - self._clock()) > 0:
            self._sleep(early_s)
        self._first = frame if frame.number == 0 else None
        return frame

    def expose(self, factor: float) -> bool:
        """What was filmed cannot be filmed again."""
        del factor
        return False

    def close(self) -> None:
        """Nothing to give back; what has ended is not begun again."""
