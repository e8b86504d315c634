"""A camera in the network, as a phone is with an app: MJPEG over HTTP, or RTSP, by its address.

OpenCV's FFmpeg reads the stream in a thread of its own, and only the newest picture waits: who reads slowly gets none
that are old. Nothing waits for longer than a few seconds; what stays away is told in a sentence, and tried again by
`hardware.camera.frames`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Thread
from typing import Any, Final

import cv2
import numpy as np
from cv2.utils import logging

from companion.errors import HardwareError, phrase
from companion.session.camera_address import host_of
from hardware.sources.no_stream import why_no_stream
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image

AWAY_AFTER_S: Final = 5.0
"""No answer, or no picture, for so long: it is away."""


class NetworkCamera:
    """The camera at this address. `capture` is `cv2.VideoCapture`; `allow` hears how long what comes may take (s)."""

    def __init__(
        self, url: str, *, timeout_s: float = AWAY_AFTER_S, clock: Callable[[], float] = time.monotonic,
        capture: Callable[..., Any] = cv2.VideoCapture, allow: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._allow = allow
        self._url, self._timeout_s, self._clock, self._capture = url, timeout_s, clock, capture
        self._stream: _Stream | None = None
        self._number = 0

    def open(self) -> None:
        """Connects. Raises `HardwareError` with what the address answers instead."""
        self.close()
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)  # what it could not open is told in words, not by its dumps
        self._allow(2 * self._timeout_s)  # until it answers, and to ask what it answers instead
        limit_ms = int(1000 * self._timeout_s)
        capture = self._capture(self._url, cv2.CAP_FFMPEG, [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit_ms])
        if not capture.isOpened():
            capture.release()
            raise HardwareError(why_no_stream(self._url, self._timeout_s))
        self._stream = _Stream(capture, self._clock)

    def read(self) -> Frame | None:
        """The newest picture, once it is another than before. Raises `HardwareError` when none comes."""
        self._allow(self._timeout_s)
        taken = None if self._stream is None else self._stream.newest(self._timeout_s)
        if taken is None:
            raise HardwareError(phrase("hw.net_lost", where=host_of(self._url)))
        image, at_s = taken
        number, self._number = self._number, self._number + 1
        return Frame(image, make_small(image), at_s, number)

    def expose(self, factor: float) -> bool:
        """Its light is set on the phone."""
        del factor
        return False

    def close(self) -> None:
        """Lets the connection go."""
        if self._stream is not None:
            self._stream.stop()
            self._stream = None


class _Stream(Thread):
    """Takes pictures as they come, and keeps the newest."""

    def __init__(self, capture: Any, clock: Callable[[], float]) -> None:
        super().__init__(name="network camera", daemon=True)
        self._camera, self._clock = capture, clock
        self._changed = Condition()
        self._newest: tuple[Image, float] | None = None
        self._has_ended = False
        self.start()

    def run(self) -> None:
        """Until the stream ends or nobody wants it any more."""
        while not self._has_ended:
            good, image = self._camera.read()
            with self._changed:
                if not good or image is None:
                    self._has_ended = True
                else:
                    self._newest = np.asarray(image, np.uint8), self._clock()
                self._changed.notify_all()
        self._camera.release()

    def newest(self, timeout_s: float) -> tuple[Image, float] | None:
        """The newest picture and when it came, once; None when none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._has_ended, timeout_s)
            newest, self._newest = self._newest, None
            return newest

    def stop(self) -> None:
        """No more pictures are wanted; the thread ends with the one that it waits for."""
        with self._changed:
            self._has_ended = True
