"""A frame that may be read again later, kept in little memory."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.frame import Frame, Image

FRAME_JPEG_QUALITY = 95


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """A frame compressed as a JPEG: a tenth of its size, at a quality that gives the same readings."""

    jpeg: bytes
    small: Image
    at_s: float
    number: int

    @property
    def frame(self) -> Frame:
        """The frame, decoded."""
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        return Frame(np.asarray(image, np.uint8), self.small, self.at_s, self.number)


def keep(frame: Frame) -> KeptFrame:
    """Compress a frame to be kept."""
    _, jpeg = cv2.imencode(".jpg", frame.image, (cv2.IMWRITE_JPEG_QUALITY, FRAME_JPEG_QUALITY))
    return KeptFrame(jpeg.tobytes(), frame.small, frame.at_s, frame.number)
