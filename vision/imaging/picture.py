"""A picture together with the camera that took it."""

from __future__ import annotations

from dataclasses import dataclass

from vision.imaging.camera import View
from vision.imaging.frame import Image


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture (h, w, 3) uint8 B G R, with the camera's intrinsics and pose."""

    image: Image
    view: View
