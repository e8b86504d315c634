"""Pictures as files and as small copies."""

from __future__ import annotations

import cv2
import numpy as np

from companion.errors import SightError, phrase
from vision.frames import SMALL_WH, Image

JPEG_END = b"\xff\xd9"


def decode(jpeg: bytes, name: str) -> Image:
    """The picture (h, w, 3) B G R in a JPEG file's bytes; `name` is said when it is damaged.

    Raises `SightError` when the file is cut off (a decoder alone would fill the rest with grey) or is no picture.
    """
    whole = jpeg.rstrip(b"\0").endswith(JPEG_END)
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if whole else None
    if image is None:
        raise SightError(phrase("hw.frame_broken", file=name))
    return np.asarray(image, np.uint8)


def small(image: Image) -> Image:
    """The picture for watching, (180, 320, 3) B G R: each of its pixels the mean of those it covers."""
    return np.asarray(cv2.resize(image, SMALL_WH, interpolation=cv2.INTER_AREA), np.uint8)
