"""The corners of one tag card in a picture, with subpixel accuracy, from all of the card's edges.

The edges are measured in linear light: paper bleeds into black before the camera's gamma curve, so an edge lies where
half of the light is, not half of the grey value. The bleeding that is left is the same for all edges of a card and is
solved together with the homography that maps the printed card into the picture (Hartley and Zisserman, "Multiple View
Geometry", chapter 4).
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.table.tag_card import (
    BLACK_AT_MM,
    MARKER_AT_MM,
    MARKER_CELLS,
    MARKER_MM,
    SHADE_FRAME_MM,
    SHADE_PATCH_MM,
    TAG_CARD_MM,
)
from vision.fiducials.tag_detection import marker_cells, shows
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.box import box_within
from vision.imaging.camera import Lens, View
from vision.imaging.frame import Image
from vision.imaging.least_squares import Reals, huber, reweighted
from vision.imaging.srgb import linear

CARD_CORNERS_MM = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * TAG_CARD_MM - MARKER_AT_MM
"""Corners (4, 2) in mm of a card at turn 0, from the centre of its marker."""

CORNERS_MM = MARKER_MM / 2 * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float64)
"""The marker's corners (4, 2) in mm about its centre, in the order of OpenCV's detector: from the upper left,
clockwise."""

MARKER_CELL_MM = MARKER_MM / MARKER_CELLS
BLACK_MM = SHADE_PATCH_MM + 2 * SHADE_FRAME_MM
"""Width of the black patch, with its frame."""

SQUARE_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""The outward directions of a square's sides."""

EDGE_SAMPLES = 4
"""Points measured along each edge of a cell."""

EDGE_REACH_PX, PROFILE_STEP_PX, CELL_REACH = 5.0, 0.5, 0.42
"""An edge is searched for along its normal up to this far to each side, but for less than half a cell; the step of its
profile; and that share of a cell."""

MIN_EDGE_SHARE, MIN_STEP = 0.4, 1e-3
"""An edge is detected where its step in light is this share of the median one, and above noise."""

MAX_EDGE_ROUNDS, SETTLED_PX = 3, 0.15
"""The edges are measured anew from the updated corners, at most so often, until these move by less."""

CORRECTION_ROUNDS = 4
MIN_CROP_PX = 20
"""A card cannot be seen in a smaller part of the picture."""


def refine_corners(image: Image, lens: Lens, card: int, rough_px: Floats) -> Floats | None:
    """The marker's corners as undistorted, normalised image coordinates (4, 2), fitted to all edges of the card near
    the rough corners (4, 2) in px; None if this card is not to be seen there."""
    longest_px = float(np.linalg.norm(rough_px - np.roll(rough_px, 1, axis=0), axis=1).max())
    box = box_within(rough_px, 0.8 * longest_px + 2 * EDGE_REACH_PX, image.shape)
    if min(box.width, box.height) < MIN_CROP_PX:
        return None
    light = linear(image[box.slices]) @ np.full(3, 1 / 3, np.float32)
    corners = lens.rays(rough_px)
    for _ in range(MAX_EDGE_ROUNDS):
        fitted = _fit_edges(light, np.array([box.left, box.top], np.float64), lens, card, corners)
        if fitted is None:
            return None
        moved_px = np.abs(fitted - corners).max() * lens.focal_px
        corners = fitted
        if moved_px < SETTLED_PX:
            break
    return corners if np.abs(to_px(lens, corners) - rough_px).max() < 3 * EDGE_REACH_PX else None


def to_px(lens: Lens, rays: Floats) -> Floats:
    """Undistorted, normalised image coordinates (n, 2) to pixels (n, 2)."""
    return View(lens, np.eye(3), np.zeros(3)).project(np.column_stack([rays, np.ones(len(rays))]))


# ---------------------------------------------------------------- the card's edges as they are printed


@cache
def _edges(card: int) -> tuple[Floats, Floats]:
    """Points (n, 2) on the card's black-white edges, mm about the marker's centre, and directions (n, 2) to white.

    The marker's outline, the edges between its cells, and the outline of the black patch.
    """
    cells = np.pad(marker_cells(card), 1, constant_values=1.0)
    along_cell = ((np.arange(EDGE_SAMPLES) + 0.5) / EDGE_SAMPLES - 0.5) * MARKER_CELL_MM
    points, normals = [], []
    for row, column in np.argwhere(cells < 0.5):
        x, y = (column - 4 + 0.5) * MARKER_CELL_MM, (4 - row - 0.5) * MARKER_CELL_MM
        for right, up in SQUARE_SIDES:
            if cells[row - up, column + right] > 0.5:
                points.append(_side_points((x, y), MARKER_CELL_MM, (right, up), along_cell))
                normals.append(np.tile((right, up), (EDGE_SAMPLES, 1)))
    at = BLACK_AT_MM[0] - MARKER_AT_MM[0], BLACK_AT_MM[1] - MARKER_AT_MM[1]
    along_patch = (np.linspace(0.1, 0.9, 3 * EDGE_SAMPLES) - 0.5) * BLACK_MM
    for side in SQUARE_SIDES:
        points.append(_side_points(at, BLACK_MM, side, along_patch))
        normals.append(np.tile(side, (len(along_patch), 1)))
    return np.concatenate(points).astype(np.float64), np.concatenate(normals).astype(np.float64)


def _side_points(middle: tuple[float, float], width: float, side: tuple[int, int], along: Floats) -> Floats:
    """Points (n, 2) on one side of a square, so far `along` (n,) from the side's middle."""
    (x, y), (right, up) = middle, side
    return np.array([(x + right * width / 2 + up * way, y + up * width / 2 + right * way) for way in along])


# ---------------------------------------------------------------- and as they are seen


def _fit_edges(light: Values, origin: Floats, lens: Lens, card: int, corners: Floats) -> Floats | None:
    """Corners (4, 2: normalised image coordinates) updated so that the edges of the card coincide with the steps from
    black to white in the picture; None when it is not seen. `light` (h, w) is linear, its first pixel at `origin` of
    the picture."""
    square, normals = _edges(card)
    to_ray = cv2.getPerspectiveTransform(CORNERS_MM.astype(np.float32), corners.astype(np.float32))
    px = to_px(lens, _map(to_ray, np.concatenate([square, square + normals]))) - origin
    base, ahead = px[:len(square)], px[len(square):] - px[:len(square)]
    px_per_mm = np.linalg.norm(ahead, axis=1)
    if not shows(light, to_px(lens, corners) - origin, card):
        return None
    reach = min(EDGE_REACH_PX, CELL_REACH * MARKER_MM / MARKER_CELLS * float(np.median(px_per_mm)))
    off_px, clear = _half_light(light, base, ahead / px_per_mm[:, None], reach)
    if clear.sum() < len(clear) // 2:
        return None
    off = off_px / px_per_mm
    measured = square + off[:, None] * normals
    correction = _correction(measured[clear], normals[clear], -off[clear])
    return _map(to_ray @ np.linalg.inv(correction), CORNERS_MM)


def _half_light(light: Values, base: Floats, ahead: Floats, reach_px: float) -> tuple[Floats, Mask]:
    """The signed distance (n,) in px from each base point (n, 2), along `ahead` (n, 2; unit vectors), at which half of
    the light between black and white is reached, and where an edge is detected at all (n,)."""
    steps = np.linspace(-reach_px, reach_px, 2 * int(np.ceil(reach_px / PROFILE_STEP_PX)) + 1)
    at = (base[:, None] + steps[:, None] * ahead[:, None]).astype(np.float32)
    profile = cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    black, white = profile[:, :3].mean(axis=1), profile[:, -3:].mean(axis=1)
    clear = white - black > MIN_EDGE_SHARE * np.median(white - black)
    share = (profile - black[:, None]) / np.maximum(white - black, 1e-6)[:, None]
    step = steps[1] - steps[0]
    return reach_px + step / 2 - share.clip(-0.5, 1.5).sum(axis=1) * step, clear & (white - black > MIN_STEP)


def _correction(measured: Floats, normals: Floats, off: Floats) -> Floats:
    """The homography (3, 3) near identity that moves measured points (n, 2) by `off` (n,) along their normals, but for
    one offset (the bleeding) that is common to all. Linearised; IRLS with Huber weights."""
    (x, y), (right, up) = measured.T, normals.T
    one = np.ones(len(x))
    columns = np.column_stack([right, right * x, right * y, up, up * x, up * y,
                               (right * x + up * y) * x, (right * x + up * y) * y, -one])

    def solve(weights: Reals) -> Reals:
        weighted = columns * np.square(weights)[:, None]
        return np.linalg.solve(weighted.T @ columns, weighted.T @ off)

    fit = reweighted(solve, lambda unknowns: np.abs(columns @ unknowns - off),
                     lambda miss: huber(miss, max(2 * float(np.median(miss)), 1e-6)), one, CORRECTION_ROUNDS)
    a, b, c, d, e, f, g, h, _ = fit.solution
    return np.array([(1 + b, c, a), (e, 1 + f, d), (-g, -h, 1)])


def _map(homography: cv2.typing.MatLike, points: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography), np.float64).reshape(-1, 2)
