"""The camera: intrinsics, pose, and the projection between pixels and millimetres on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import InvalidError, phrase
from vision.imaging.arrays import Floats

MANY_POINTS = 200
"""More points than this are projected by NumPy, which is faster for them than OpenCV."""

LENS_TOLERANCE = 0.02
"""Two calibrations of one lens differ by at most this share in focal length, and by twice this in k1 and k2."""

SHAPE_TOLERANCE = 0.01
"""Pictures of one shape differ by at most this share in their ratio of width to height: sizes are whole numbers."""

MODULE_3_FOV_DEG = 66.0
"""Horizontal field of view of the standard lens of a Raspberry Pi Camera Module 3."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """The intrinsics: `camera_matrix` (3, 3) in pixels and distortion coefficients `dist` (5,) in OpenCV's order
    (k1, k2, p1, p2, k3), for pictures of `width` by `height` pixels."""

    width: int
    height: int
    camera_matrix: Floats
    dist: Floats

    @property
    def focal_px(self) -> float:
        """Mean focal length in pixels."""
        return float(self.camera_matrix[0, 0] + self.camera_matrix[1, 1]) / 2

    @property
    def json(self) -> dict[str, Any]:
        """The lens as its file says it."""
        return {"width": self.width, "height": self.height, "K": self.camera_matrix.tolist(),
                "dist": self.dist.tolist()}

    def is_like(self, other: Lens) -> bool:
        """Whether picture size, focal length, k1 and k2 agree, but for what two calibrations of one lens differ by."""
        same_size = (self.width, self.height) == (other.width, other.height)
        return same_size and abs(self.focal_px / other.focal_px - 1) < LENS_TOLERANCE and bool(
            np.abs(self.dist[:2] - other.dist[:2]).max() < 2 * LENS_TOLERANCE)

    def of_size(self, width: int, height: int) -> Lens | None:
        """The same lens for pictures of another size; None when they have another shape, as they show another part of
        what it sees."""
        across, down = width / self.width, height / self.height
        if abs(across / down - 1) > SHAPE_TOLERANCE:
            return None
        # the centre of the first pixel is 0: scaling is about the picture's corner, half a pixel before it
        scale = np.array([(across, 0, across / 2 - 0.5), (0, down, down / 2 - 0.5), (0, 0, 1)])
        return Lens(width, height, scale @ self.camera_matrix, self.dist)

    def rays(self, px: npt.ArrayLike) -> Floats:
        """Pixels (n, 2) as undistorted, normalised image coordinates (n, 2): x and y at depth 1 in the camera frame."""
        points = np.asarray(px, np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.zeros((0, 2))
        return np.asarray(cv2.undistortPoints(points, self.camera_matrix, self.dist), np.float64).reshape(-1, 2)


def lens_from_json(camera: Mapping[str, Any]) -> Lens:
    """The lens from a `{"width", "height", "K", "dist"}` object. Raises `InvalidError` when it is not one."""
    try:
        matrix = np.array(camera["K"], np.float64).reshape(3, 3)
        dist = np.array(camera["dist"], np.float64).reshape(5)
        return Lens(int(camera["width"]), int(camera["height"]), matrix, dist)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidError(phrase("eyes.lens_invalid")) from error


def module_3_lens(width: int = 2304, height: int = 1296) -> Lens:
    """Built-in default: a Camera Module 3 with its standard lens, centred and without distortion."""
    focal = width / 2 / np.tan(np.radians(MODULE_3_FOV_DEG / 2))
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return Lens(width, height, matrix, np.zeros(5))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera with its pose: a table point X (mm) is at `rotation @ X + translation_mm` in the camera frame."""

    lens: Lens
    rotation: Floats
    translation_mm: Floats

    @property
    def position_mm(self) -> Floats:
        """The projection centre in the table frame: x, y, z (3,) in mm."""
        return np.asarray(-self.rotation.T @ self.translation_mm, np.float64)

    def project(self, points_mm: npt.ArrayLike) -> Floats:
        """Table points (n, 3) in mm to pixels (n, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 3)
        if len(points) > MANY_POINTS:
            return self._project_many(points)
        if not len(points):
            return np.zeros((0, 2))
        lens = self.lens
        px = cv2.projectPoints(points, self.rotation, self.translation_mm, lens.camera_matrix, lens.dist)[0]
        return np.asarray(px, np.float64).reshape(-1, 2)

    def _project_many(self, points: Floats) -> Floats:
        """The same without the Jacobian that OpenCV computes too, which is slow for many points."""
        x, y, depth = self.rotation @ points.T + self.translation_mm.reshape(3, 1)
        x /= depth
        y /= depth
        k1, k2, p1, p2, k3 = self.lens.dist.tolist()
        squares, product = x * x + y * y, 2 * x * y
        radial = 1 + squares * (k1 + squares * (k2 + squares * k3))
        right = x * radial + p1 * product + p2 * (squares + 2 * x * x)
        down = y * radial + p1 * (squares + 2 * y * y) + p2 * product
        matrix = self.lens.camera_matrix
        return np.column_stack([matrix[0, 0] * right + matrix[0, 2], matrix[1, 1] * down + matrix[1, 2]])

    def project_at(self, points_mm: npt.ArrayLike, height_mm: float) -> Floats:
        """Points (n, 2) in mm, all at one height above the table, to pixels (n, 2)."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return self.project(np.column_stack([flat, np.full(len(flat), height_mm)]))

    def to_table(self, px: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """Back-projects pixels (n, 2) to points (n, 2) in mm on the plane at that height above the table."""
        return self.rays_to_table(self.lens.rays(px), height_mm)

    def rays_to_table(self, rays: Floats, height_mm: float = 0.0) -> Floats:
        """As `to_table`, from undistorted, normalised image coordinates (n, 2)."""
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        eye = self.position_mm
        along = (height_mm - eye[2]) / directions[:, 2]
        return np.asarray(eye[:2] + along[:, None] * directions[:, :2], np.float64)

    def px_per_mm(self, at_mm: npt.ArrayLike, height_mm: float = 0.0) -> float:
        """The scale at a table point (2,), in px per mm: the geometric mean over all directions in the plane."""
        x, y = np.asarray(at_mm, np.float64)
        here, right, up = self.project_at([(x, y), (x + 1, y), (x, y + 1)], height_mm)
        (a, b), (c, d) = right - here, up - here
        return float(np.sqrt(abs(a * d - b * c)))

    def lean(self, at_mm: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """The displacement in the picture (2,), in px, of a table point for each mm of height above the table."""
        low, high = self.project([(*np.asarray(at_mm), height_mm - 0.5), (*np.asarray(at_mm), height_mm + 0.5)])
        return np.asarray(high - low, np.float64)


def spin(turn_deg: float) -> Floats:
    """The rotation matrix (2, 2) of an anticlockwise angle."""
    turn = np.radians(turn_deg)
    return np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
