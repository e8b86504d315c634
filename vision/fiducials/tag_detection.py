"""Detection of tag cards in a picture: OpenCV's ArUco detector, and the verification of a given marker."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.table.tag_card import MARKER_CELLS, TAG_CARDS
from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image

MIN_PERIMETER_RATE = 0.02
"""A marker's perimeter is at least this share of the picture's larger side."""

MAX_WRONG_CELLS = 1
"""Cells of a marker that a speck or a reflection may invert."""


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = MIN_PERIMETER_RATE
    return cv2.aruco.ArucoDetector(_dictionary(), settings)


@cache
def marker_cells(card: int) -> Floats:
    """The marker's cells (6, 6), 1.0 white and 0.0 black, first row at the top."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), card, MARKER_CELLS), np.float64) / 255


def detect(image: Image) -> dict[int, Floats]:
    """Corners in px (4, 2) of the cards in a picture: at half size, which is faster, then what is missing at full."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = {card: corners * 2 + 0.5 for card, corners in _detect_grey(half).items()}
    return found if len(found) == len(TAG_CARDS) else {**_detect_grey(grey), **found}


def _detect_grey(grey: cv2.typing.MatLike) -> dict[int, Floats]:
    """Corners in px (4, 2) of each card that the detector finds exactly once."""
    corners, ids, _ = _detector().detectMarkers(grey)
    cards = [] if ids is None else [int(card) for card in np.ravel(ids)]
    return {card: np.asarray(found, np.float64).reshape(4, 2)
            for card, found in zip(cards, corners) if card in TAG_CARDS and cards.count(card) == 1}


def shows(light: Values, corners_px: Floats, card: int) -> bool:
    """Whether the cells between corners (4, 2) in a picture of linear light (h, w) are this card's."""
    square = MARKER_CELLS * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_px = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    steps = np.arange(MARKER_CELLS) + 0.5
    middles = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 1, 2)
    at = cv2.perspectiveTransform(middles, to_px).astype(np.float32)
    seen = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel()
    is_white = marker_cells(card).ravel() > 0.5
    between = (seen[is_white].mean() + seen[~is_white].mean()) / 2
    return bool(np.sum((seen > between) != is_white) <= MAX_WRONG_CELLS)
