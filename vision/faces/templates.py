"""Faces: orthophotos of the tops of flat pieces, each rectified from one enrolment picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.table import Appearance, Piece
from vision.faces.linear_light import linear_values
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab

PX_PER_MM = 2.0
"""Faces and windows are compared at this scale, about that of the pictures."""

TURNS = 48
"""Turns of the coarse search, evenly round the circle."""

COARSE_STEP_PX = 4
"""Spacing of the sampling points of the coarse search."""

COARSE_BLUR_PX = 1.6
"""Blur of face and picture in the coarse search (standard deviation)."""

EDGE_MARGIN_MM = 0.6
"""Width of a face's edge that is not searched for: there the picture mixes it with what lies around."""


FaceSize = tuple[float, float, bool]
"""Width and depth in mm, and whether it is round: faces of one outline are compared together."""


@dataclass(frozen=True, eq=False)
class Face:
    """The top of `piece` at turn 0: `colours` (rows, columns, 3) are white-referenced lightness and opponent colours at
    `PX_PER_MM`, x to the right and y up, with the middle of the piece in the middle of the raster."""

    piece: Piece
    colours: Lab

    @property
    def middle_px(self) -> Floats:
        """The piece's centre (2,) in pixels x, y of the raster."""
        rows, columns = self.colours.shape[:2]
        return np.array([(columns - 1) / 2, (rows - 1) / 2])

    @property
    def outline(self) -> FaceSize:
        """Its outline."""
        return self.piece.size_mm[0], self.piece.size_mm[1], self.piece.round

    @property
    def radius_mm(self) -> float:
        """The radius of the piece's circumscribed circle."""
        x, y = self.piece.size_mm[:2]
        return max(x, y) / 2 if self.piece.round else float(np.hypot(x, y)) / 2

    @cached_property
    def mask(self) -> Mask:
        """Where (rows, columns) the raster shows the piece."""
        rows, columns = self.colours.shape[:2]
        across, down = (np.arange(count) - (count - 1) / 2 for count in (columns, rows))
        return covers(self.outline, np.stack(np.meshgrid(across, -down), axis=-1) / PX_PER_MM, 0.0)

    @cached_property
    def middle_colour(self) -> Values:
        """The medians of both opponent colours (2,)."""
        return np.asarray(np.median(self.colours[self.mask][:, 1:], axis=0), np.float32)

    @cached_property
    def turned(self) -> tuple[Values, Values]:
        """The blurred values in linear light (TURNS / 4, points, 3) at the points of `coarse_grid` for the turns of the
        first quarter, 0 outside the face, and the mask of the face (TURNS / 4, points)."""
        own, there = _turned_grid(self.outline, self.radius_mm)
        blurred = cv2.GaussianBlur(linear_values(self.colours), (0, 0), COARSE_BLUR_PX, borderType=cv2.BORDER_REPLICATE)
        px = (own * (PX_PER_MM, -PX_PER_MM) + self.middle_px).astype(np.float32)
        colours = cv2.remap(blurred, px[..., 0].copy(), px[..., 1].copy(), cv2.INTER_LINEAR,
                            borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(colours * there[..., None], np.float32), there


Faces = Mapping[Appearance, Face]


def covers(outline: FaceSize, points_mm: Floats, margin_mm: float) -> Mask:
    """Whether points (..., 2) in the frame of a piece lie within its outline, dilated by a margin."""
    across, deep, is_round = outline
    if is_round:
        return np.asarray(np.hypot(points_mm[..., 0], points_mm[..., 1]) <= across / 2 + margin_mm)
    inside = np.abs(points_mm) <= np.array((across, deep)) / 2 + margin_mm
    return np.asarray(inside.all(axis=-1))


@lru_cache(maxsize=2)  # faces of one outline are turned one after the other
def _turned_grid(outline: FaceSize, radius_mm: float) -> tuple[Floats, Values]:
    """The points of `coarse_grid` in mm in the frame of a piece for the turns of the first quarter (TURNS / 4, points,
    2), and whether they lie on it (TURNS / 4, points)."""
    grid = coarse_grid(radius_mm) / PX_PER_MM
    own = np.stack([grid @ spin(-turn).T for turn in np.arange(TURNS // 4) * 360.0 / TURNS])
    return own, covers(outline, own, -EDGE_MARGIN_MM).astype(np.float32)


def coarse_grid(radius_mm: float) -> Floats:
    """The sampling points (n, 2) of faces with this radius about a centre, x right and y up, in whole pixels: those of
    a first quadrant, the same rotated by one, two and three quarter turns, and the centre."""
    reach = int(radius_mm * PX_PER_MM / COARSE_STEP_PX)
    x, y = np.meshgrid(np.arange(1, reach + 1), np.arange(reach + 1))
    first = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64) * COARSE_STEP_PX
    first = first[np.hypot(first[:, 0], first[:, 1]) <= radius_mm * PX_PER_MM]
    quarter = np.array([(0.0, -1.0), (1.0, 0.0)])
    turned = [first @ np.linalg.matrix_power(quarter, number).T for number in range(4)]
    return np.concatenate([*turned, np.zeros((1, 2))])
