"""How bright and how neutral the white patches of the tag cards are in a picture, without a lens: what a camera is set
by.

The patches are found by the marker beside them, which is near enough for their brightness.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.table.tag_card import MARKER_AT_MM, MARKER_MM, WHITE_AT_MM
from vision.fiducials.tag_detection import detect
from vision.imaging.arrays import Floats
from vision.imaging.frame import Image
from vision.imaging.srgb import linear
from vision.photometry.card_patches import are_clipped

SAMPLED_MM, SAMPLES = 6.0, 7
"""A patch is sampled on a square of this width about its centre, by so many points along each side."""

_MARKER_MM = np.asarray(MARKER_AT_MM) + MARKER_MM / 2 * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
"""The marker's corners in the card's frame, in the detector's order."""
_STEPS_MM = np.linspace(-SAMPLED_MM / 2, SAMPLED_MM / 2, SAMPLES)
_GRID_MM = np.stack(np.meshgrid(_STEPS_MM, _STEPS_MM), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class CardLight:
    """The white patches of `cards` cards: their linear light in green (0 to 1), and that of red and blue for each unit
    of it. `is_clipped`: most of them are as bright as a picture can be, and brighter than it tells."""

    cards: int
    green: float
    red_share: float
    blue_share: float
    is_clipped: bool


def card_light(image: Image) -> CardLight | None:
    """The white patches that are seen in a picture; None when none is."""
    found = detect(image)
    patches = [values for corners in found.values() for values in _white_values(image, corners)]
    if not patches:
        return None
    medians = [tuple(np.median(values, axis=0).tolist()) for values in patches]
    light = np.median([linear(values).mean(axis=0) for values in patches], axis=0)
    blue, green, red = np.maximum(light, 1e-4).tolist()
    return CardLight(len(found), green, red / green, blue / green, are_clipped(medians))


def _white_values(image: Image, corners_px: Floats) -> list[Image]:
    """The values (n, 3) of a card's white patches, as far as they are in the picture."""
    to_px = cv2.getPerspectiveTransform(_MARKER_MM.astype(np.float32), corners_px.astype(np.float32))
    height, width = image.shape[:2]
    seen = []
    for centre in WHITE_AT_MM:
        points = (np.asarray(centre) + _GRID_MM).reshape(-1, 1, 2)
        px = np.rint(cv2.perspectiveTransform(points, to_px)).astype(int).reshape(-1, 2)
        if (px >= 0).all() and (px < (width, height)).all():
            seen.append(np.asarray(image[px[:, 1], px[:, 0]], np.uint8))
    return seen
