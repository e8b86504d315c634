"""Faces: how flat pieces look from straight above, as one enrolment picture showed each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Appearance, Piece
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC
from vision.photometry.white_reference import GAMMA, OPPONENT

PX_PER_MM = 2.0
"""Faces and windows are compared at this scale, about that of the pictures."""

TURNS = 48
"""Turns in which a face is tried first, evenly round the circle."""

COARSE_PX = 4
"""A face is tried first at every so many of its pixels."""

COARSE_BLUR_PX = 1.6
"""For that, face and picture are blurred by this (standard deviation)."""

EDGE_MARGIN_MM = 0.6
"""So much along a face's edge is not compared: there the picture mixes it with what lies around."""


FaceOutline = tuple[float, float, bool]
"""Width, depth and whether it is round: faces of one form are compared together."""

_TO_CODED = np.linalg.inv(OPPONENT.astype(np.float64)).T.astype(np.float32)
_TO_VALUES = (OPPONENT * METRIC[:, None]).T.astype(np.float32)


def to_light(colours: Lab) -> npt.NDArray[np.float32]:
    """White-referenced lightness and opponent colours (..., 3) back to linear B G R."""
    coded = np.maximum(colours @ _TO_CODED, 0)
    return np.asarray(cv2.pow(coded.reshape(-1, 3), GAMMA).reshape(coded.shape), np.float32)


def linear_values(colours: Lab) -> npt.NDArray[np.float32]:
    """Colours (..., 3) as lightness and opponent colours in linear light, where a gloss is simply added, weighted as
    differences count."""
    return np.asarray(to_light(colours) @ _TO_VALUES, np.float32)


@dataclass(frozen=True, eq=False)
class Face:
    """The top of `piece`, its turn 0: `colours` (rows, columns, 3) white-referenced at `PX_PER_MM`, x to the right and
    y up, the middle of the piece in the middle of the raster."""

    piece: Piece
    colours: Lab

    @property
    def middle_px(self) -> npt.NDArray[np.float64]:
        """The piece's centre (2,) in pixels x, y of the raster."""
        rows, columns = self.colours.shape[:2]
        return np.array([(columns - 1) / 2, (rows - 1) / 2])

    @property
    def form(self) -> FaceOutline:
        """Its form."""
        return self.piece.size_mm[0], self.piece.size_mm[1], self.piece.round

    @property
    def radius_mm(self) -> float:
        """The radius of the circle around the piece."""
        x, y = self.piece.size_mm[:2]
        return max(x, y) / 2 if self.piece.round else float(np.hypot(x, y)) / 2

    @cached_property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Where (rows, columns) the raster shows the piece."""
        rows, columns = self.colours.shape[:2]
        across, down = (np.arange(count) - (count - 1) / 2 for count in (columns, rows))
        return covers(self.form, np.stack(np.meshgrid(across, -down), axis=-1) / PX_PER_MM, 0.0)

    @cached_property
    def turned(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The blurred values in linear light (TURNS / 4, points, 3) at the points of `coarse_grid` in the turns of the
        first quarter, 0 where the face is not, and where it is (TURNS / 4, points)."""
        own, there = _turned_grid(self.form, self.radius_mm)
        blurred = cv2.GaussianBlur(linear_values(self.colours), (0, 0), COARSE_BLUR_PX, borderType=cv2.BORDER_REPLICATE)
        px = (own * (PX_PER_MM, -PX_PER_MM) + self.middle_px).astype(np.float32)
        colours = cv2.remap(blurred, px[..., 0].copy(), px[..., 1].copy(), cv2.INTER_LINEAR,
                            borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(colours * there[..., None], np.float32), there


Faces = Mapping[Appearance, Face]


def covers(form: FaceOutline, points_mm: npt.NDArray[np.float64], margin_mm: float) -> npt.NDArray[np.bool_]:
    """Whether points (..., 2) about the centre of a piece that is not turned lie on it, grown by a margin."""
    across, deep, is_round = form
    if is_round:
        return np.asarray(np.hypot(points_mm[..., 0], points_mm[..., 1]) <= across / 2 + margin_mm)
    inside = np.abs(points_mm) <= np.array((across, deep)) / 2 + margin_mm
    return np.asarray(inside.all(axis=-1))


@lru_cache(maxsize=2)  # faces of one form are turned one after the other
def _turned_grid(form: FaceOutline, radius_mm: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]:
    """The points of `coarse_grid` in mm about a piece, in its own frame in the turns of the first quarter (TURNS / 4,
    points, 2), and whether it is there (TURNS / 4, points)."""
    grid = coarse_grid(radius_mm) / PX_PER_MM
    own = np.stack([grid @ spin(-turn).T for turn in np.arange(TURNS // 4) * 360.0 / TURNS])
    return own, covers(form, own, -EDGE_MARGIN_MM).astype(np.float32)


def coarse_grid(radius_mm: float) -> npt.NDArray[np.float64]:
    """Points (n, 2) about a centre, x right and y up, in whole pixels, at which faces with this radius are tried: those
    of a first quarter, the same turned on by one, two and three quarters, and the centre."""
    reach = int(radius_mm * PX_PER_MM / COARSE_PX)
    x, y = np.meshgrid(np.arange(1, reach + 1), np.arange(reach + 1))
    first = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64) * COARSE_PX
    first = first[np.hypot(first[:, 0], first[:, 1]) <= radius_mm * PX_PER_MM]
    quarter = np.array([(0.0, -1.0), (1.0, 0.0)])
    turned = [first @ np.linalg.matrix_power(quarter, number).T for number in range(4)]
    return np.concatenate([*turned, np.zeros((1, 2))])
