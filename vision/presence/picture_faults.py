"""What is wrong with a camera's picture, for whoever sets the camera up: before any table or card is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from vision.imaging.frame import Frame, Image
from vision.presence.image_health import ImageHealth

LEAST_WIDTH_PX: Final = 1280
"""In a smaller picture the pieces of a table are too few pixels to be told apart."""
DARK_WHITE: Final = 100.0
"""Grey value of what is bright in a picture with white cards in it; darker than this, the light is poor."""
BURNT_VALUE: Final = 250
MAX_BURNT: Final = 0.05
"""Colours are lost where a channel reaches the first; more than this share of the picture is too much."""
CROPS_WH: Final = (9, 5)
LEAST_CONTRAST: Final = 40.0
"""Grey values between dark and bright in a crop: with less there is no edge to judge by."""
MIN_STEEPNESS: Final = 0.2
"""Share of the contrast that the steepest edges of a sharp picture take from one pixel to the next: 0.47 to 0.75 in the
sets at hand, 0.11 to 0.18 when they are blurred by a Gaussian of 4 px."""


def picture_faults(frame: Frame) -> tuple[Phrase, ...]:
    """What is wrong with this picture as it is, the worst first; nothing when all is well."""
    useless = ImageHealth([]).useless(frame.small)
    return (useless,) if useless is not None else tuple(_faults(frame))


def _faults(frame: Frame) -> Iterator[Phrase]:
    height, width = frame.image.shape[:2]
    if width < LEAST_WIDTH_PX:
        yield phrase("eyes.small", width=width, height=height, least=LEAST_WIDTH_PX)
    brightest = frame.small.max(axis=2)
    if np.percentile(brightest, 99.5) < DARK_WHITE:
        yield phrase("eyes.dim")
    if np.mean(brightest >= BURNT_VALUE) > MAX_BURNT:
        yield phrase("eyes.burnt")
    if steepness(frame.image) < MIN_STEEPNESS:
        yield phrase("eyes.blurred")


def steepness(image: Image) -> float:
    """How steep the steepest edges of a picture (h, w, 3) are, as a share of the contrast around them, from 0 to 1; 1
    for a picture without anything to judge by."""
    found = [each for each in map(_steepness_of, _crops(image)) if each is not None]
    return max(found, default=1.0)


def _crops(image: Image) -> Iterator[Image]:
    """Squares over the whole picture, as grey values: one at a time, as the whole would need much memory."""
    height, width = image.shape[:2]
    side = min(height, max(64, width // CROPS_WH[0]))
    for top in np.linspace(0, height - side, CROPS_WH[1]).astype(int):
        for left in np.linspace(0, max(0, width - side), CROPS_WH[0]).astype(int):
            yield np.asarray(cv2.cvtColor(image[top:top + side, left:left + side], cv2.COLOR_BGR2GRAY), np.uint8)


def _steepness_of(grey: Image) -> float | None:
    dark, bright = np.percentile(grey[::2, ::2], (1, 99))
    if bright - dark < LEAST_CONTRAST:
        return None
    across, along = (np.abs(cv2.Sobel(grey, cv2.CV_16S, *way)) for way in ((1, 0), (0, 1)))
    return float(np.percentile(np.maximum(across, along), 99.5) / 8 / (bright - dark))
