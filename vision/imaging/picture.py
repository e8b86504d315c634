"""A picture together with the camera that saw it."""

from __future__ import annotations

from dataclasses import dataclass

from vision.imaging.camera import View
from vision.imaging.frame import Image


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture (h, w, 3) uint8 B G R, and where the camera stood."""

    image: Image
    view: View
