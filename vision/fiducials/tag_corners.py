"""One tag card in a picture: found by OpenCV's detector, then measured to a small part of a pixel.

The edges of the card are measured in linear light: paper spreads into black before the camera's gamma curve, so an edge
lies where half of the light is, not half of the grey value. What spread is left is the same for all edges of a card and
is solved together with the card's place.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens, View
from vision.imaging.frame import Image
from vision.imaging.least_squares import Reals, huber, reweighted
from vision.imaging.srgb import linear

CARDS = (0, 1, 2, 3)
MARKER_MM = 40.0
MARKER_AT_MM = (30.0, 30.0)
"""Centre of the marker from the lower left of the card."""

CARD_CORNERS_MM = np.array([(0, 0), (100, 0), (100, 60), (0, 60)], np.float64) - MARKER_AT_MM
"""Corners (4, 2) of a card that is not turned, from the centre of its marker."""

BLACK_AT_MM, BLACK_MM = (66.0, 16.0), 15.0
"""The black patch with its frame: centre from the lower left of the card, and width."""

CORNERS_MM = MARKER_MM / 2 * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float64)
"""The marker's corners (4, 2) about its centre, in the order of OpenCV's detector: from the upper left, clockwise."""

EDGE_SAMPLES, REACH_PX, STEP_PX = 4, 5.0, 0.5
MAX_ROUNDS, SETTLED_PX = 3, 0.15
FIT_ROUNDS = 4

Light = npt.NDArray[np.float32]
"""Linear brightness (h, w), 0 to 1."""


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(_dictionary(), settings)


@cache
def _cells(card: int) -> npt.NDArray[np.float64]:
    """The marker's 6 x 6 cells, 1.0 white and 0.0 black, first row above."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), card, 6), np.float64) / 255


def detect(image: Image) -> dict[int, Floats]:
    """Corners in px (4, 2) of the cards in a picture: at half size, which is faster, then what is missing at full."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = {card: corners * 2 + 0.5 for card, corners in _detect_grey(half).items()}
    return found if len(found) == len(CARDS) else {**_detect_grey(grey), **found}


def _detect_grey(grey: cv2.typing.MatLike) -> dict[int, Floats]:
    """Corners in px (4, 2) of each card that the detector finds exactly once."""
    corners, ids, _ = _detector().detectMarkers(grey)
    cards = [] if ids is None else [int(card) for card in np.ravel(ids)]
    return {card: np.asarray(found, np.float64).reshape(4, 2)
            for card, found in zip(cards, corners) if card in CARDS and cards.count(card) == 1}


@cache
def _edges(card: int) -> tuple[Floats, Floats]:
    """Points (n, 2) on the card's black-white edges, mm about the marker's centre, and directions (n, 2) to white.

    The marker's outline, the edges between its cells, and the outline of the black patch.
    """
    cell = MARKER_MM / 6
    cells = np.pad(_cells(card), 1, constant_values=1.0)
    along = (np.arange(EDGE_SAMPLES) + 0.5) / EDGE_SAMPLES
    points, normals = [], []
    for row, column in np.argwhere(cells < 0.5):
        x, y = (column - 4 + 0.5) * cell, (4 - row - 0.5) * cell
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if cells[row - up, column + right] > 0.5:
                points.append([(x + right * cell / 2 + up * way, y + up * cell / 2 + right * way)
                               for way in (along - 0.5) * cell])
                normals.append(np.tile((right, up), (EDGE_SAMPLES, 1)))
    x, y = BLACK_AT_MM[0] - MARKER_AT_MM[0], BLACK_AT_MM[1] - MARKER_AT_MM[1]
    ways = (np.linspace(0.1, 0.9, 3 * EDGE_SAMPLES) - 0.5) * BLACK_MM
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        points.append([(x + right * BLACK_MM / 2 + up * way, y + up * BLACK_MM / 2 + right * way) for way in ways])
        normals.append(np.tile((right, up), (len(ways), 1)))
    return np.concatenate(points).astype(np.float64), np.concatenate(normals).astype(np.float64)


def measure(image: Image, lens: Lens, card: int, rough_px: Floats) -> Floats | None:
    """The marker's corners as undistorted directions (4, 2), fitted to all edges of the card near the rough corners
    (4, 2) in px; None if this card is not to be seen there."""
    margin = 0.8 * float(np.linalg.norm(rough_px - np.roll(rough_px, 1, axis=0), axis=1).max()) + 2 * REACH_PX
    left, top, right, bottom = box_around(rough_px, margin, image.shape)
    if right - left < 20 or bottom - top < 20:
        return None
    light = linear(image[top:bottom, left:right]) @ np.full(3, 1 / 3, np.float32)
    corners = lens.rays(rough_px)
    for _ in range(MAX_ROUNDS):
        fitted = _fit_edges(light, np.array([left, top], np.float64), lens, card, corners)
        if fitted is None:
            return None
        moved = np.abs(fitted - corners).max() * lens.focal_px
        corners = fitted
        if moved < SETTLED_PX:
            break
    return corners if np.abs(to_px(lens, corners) - rough_px).max() < 3 * REACH_PX else None


def _fit_edges(light: Light, origin: Floats, lens: Lens, card: int, corners: Floats) -> Floats | None:
    """Corners moved so that the edges of the card lie where the picture turns from black to white.

    White paper spreads over black by the same unknown width everywhere on a card; it is solved with the corners.
    """
    square, normals = _edges(card)
    to_ray = cv2.getPerspectiveTransform(CORNERS_MM.astype(np.float32), corners.astype(np.float32))
    px = to_px(lens, _map(to_ray, np.concatenate([square, square + normals]))) - origin
    base, ahead = px[:len(square)], px[len(square):] - px[:len(square)]
    px_per_mm = np.linalg.norm(ahead, axis=1)
    if not _shows(light, to_px(lens, corners) - origin, card):
        return None
    reach = min(REACH_PX, 0.42 * MARKER_MM / 6 * float(np.median(px_per_mm)))
    off_px, clear = _half_light(light, base, ahead / px_per_mm[:, None], reach)
    if clear.sum() < len(clear) // 2:
        return None
    off = off_px / px_per_mm
    measured = square + off[:, None] * normals
    correction = _correction(measured[clear], normals[clear], -off[clear])
    return _map(to_ray @ np.linalg.inv(correction), CORNERS_MM)


def _half_light(light: Light, base: Floats, ahead: Floats, reach: float
                ) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How far ahead (n,) of each base point, in px, half of the light from black to white is reached, and where an
    edge is to be seen at all."""
    steps = np.linspace(-reach, reach, 2 * int(np.ceil(reach / STEP_PX)) + 1)
    at = (base[:, None] + steps[:, None] * ahead[:, None]).astype(np.float32)
    profile = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    black, white = profile[:, :3].mean(axis=1), profile[:, -3:].mean(axis=1)
    clear = white - black > 0.4 * np.median(white - black)
    share = (profile - black[:, None]) / np.maximum(white - black, 1e-6)[:, None]
    step = steps[1] - steps[0]
    return reach + step / 2 - share.clip(-0.5, 1.5).sum(axis=1) * step, clear & (white - black > 1e-3)


def _correction(measured: Floats, normals: Floats, off: Floats) -> Floats:
    """The homography (3, 3) near identity that moves measured points (n, 2) by `off` (n,) along their normals, but for
    one spread that is common to all. Robust: by iteratively reweighted least squares with Huber's weights."""
    (x, y), (right, up) = measured.T, normals.T
    one = np.ones(len(x))
    columns = np.column_stack([right, right * x, right * y, up, up * x, up * y,
                               (right * x + up * y) * x, (right * x + up * y) * y, -one])

    def solve(weights: Reals) -> Reals:
        weighted = columns * np.square(weights)[:, None]
        return np.linalg.solve(weighted.T @ columns, weighted.T @ off)

    fit = reweighted(solve, lambda unknowns: np.abs(columns @ unknowns - off),
                     lambda miss: huber(miss, max(2 * float(np.median(miss)), 1e-6)), one, FIT_ROUNDS)
    a, b, c, d, e, f, g, h, _ = fit.solution
    return np.array([(1 + b, c, a), (e, 1 + f, d), (-g, -h, 1)])


def _map(homography: cv2.typing.MatLike, points: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography), np.float64).reshape(-1, 2)


def _shows(light: Light, corners: Floats, card: int) -> bool:
    """Whether the cells between the corners are this card's."""
    square = np.array([(0, 0), (6, 0), (6, 6), (0, 6)], np.float32)
    to_px = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    middles = np.stack(np.meshgrid(np.arange(6) + 0.5, np.arange(6) + 0.5), axis=-1).reshape(-1, 1, 2)
    at = cv2.perspectiveTransform(middles, to_px).astype(np.float32)
    cells = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel()
    known = _cells(card).ravel()
    between = (cells[known > 0.5].mean() + cells[known < 0.5].mean()) / 2
    return bool(np.sum((cells > between) != (known > 0.5)) <= 1)


def box_around(px: Floats, margin: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the box around points, within the picture."""
    low, high = np.floor(px.min(axis=0) - margin), np.ceil(px.max(axis=0) + margin)
    return (max(int(low[0]), 0), max(int(low[1]), 0),
            min(int(high[0]) + 1, shape[1]), min(int(high[1]) + 1, shape[0]))


def to_px(lens: Lens, rays: Floats) -> Floats:
    """Undistorted directions (n, 2) to pixels (n, 2)."""
    return View(lens, np.eye(3), np.zeros(3)).project(np.column_stack([rays, np.ones(len(rays))]))
