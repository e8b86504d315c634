"""Pictures of another size than the lens is known for: scaled, where they show the same part of what it sees."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.camera import Lens
from vision.imaging.frame import Frame, Image
from vision.imaging.lazy_frame import LazyFrame


def fit_frame(frame: Frame, lens: Lens) -> Frame:
    """The frame with its picture in the lens's size; as it is, if it has another shape or no other size."""
    height, width = frame.shape[:2]
    if (width, height) == (lens.width, lens.height) or lens.of_size(width, height) is None:
        return frame
    how = cv2.INTER_AREA if width > lens.width else cv2.INTER_CUBIC

    def resized() -> Image:
        return np.asarray(cv2.resize(frame.image, (lens.width, lens.height), interpolation=how), np.uint8)

    return LazyFrame(resized, (lens.height, lens.width, *frame.shape[2:]), frame.small, frame.at_s, frame.number)


def lens_for(frame: Frame, lens: Lens) -> Lens:
    """The lens for a smaller picture of the same shape, which is read as it is; else the lens as it is known."""
    height, width = frame.shape[:2]
    return (lens.of_size(width, height) if width < lens.width else None) or lens
