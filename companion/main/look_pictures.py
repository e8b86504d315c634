"""In the eyes' process: the newest looks as small pictures on the disk, for the service to keep those that count."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.session.evidence import EVIDENCE_NAME, old_looks
from vision.imaging.frame import Frame, Image

_logger = logging.getLogger(__name__)

WIDTH: Final = 1024
MAX_PICTURE_BYTES: Final = 200_000
QUALITIES: Final = (75, 60, 45, 30)
"""Of JPEG, tried by turns until the picture is small enough."""
KEPT_LOOKS: Final = 4
"""How many looks back a ply may be decided."""


class LookPictures:
    """The pictures of one life of the eyes."""

    def __init__(self, folder: Path) -> None:
        """Those of an earlier life are deleted: their numbers are used again."""
        self._folder = folder / EVIDENCE_NAME
        self._forget(0)

    def keep(self, frame: Frame) -> None:
        """Writes the frame of a look. A disk that does not take it costs the picture alone."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._folder / "look.new"
            fresh.write_bytes(small_jpeg(frame.image))
            fresh.chmod(0o600)
            fresh.replace(self._folder / f"look-{frame.number}.jpg")
        except OSError as error:
            _logger.warning("what was seen cannot be kept: %s", error)
        self._forget(KEPT_LOOKS)

    def _forget(self, most: int) -> None:
        if self._folder.is_dir():
            for name in old_looks([each.name for each in self._folder.iterdir()], most):
                (self._folder / name).unlink(missing_ok=True)


def small_jpeg(image: Image) -> bytes:
    """The picture as a JPEG of at most `WIDTH` pixels across and `MAX_PICTURE_BYTES`, as far as qualities go."""
    height, width = image.shape[:2]
    if width > WIDTH:
        shrunk = cv2.resize(image, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)
        image = np.asarray(shrunk, np.uint8)
    jpeg = b""
    for quality in QUALITIES:
        _, encoded = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, quality))
        jpeg = encoded.tobytes()
        if len(jpeg) <= MAX_PICTURE_BYTES:
            break
    return jpeg
