"""Simple pictures of a table, drawn from a layout: flat and upright pieces, printed boards, tag cards on plain cloth.

They are no photographs, but the eyes read them like any picture: a new game can be tried before there is a camera.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, module_3_lens, spin
from vision.imaging.frame import Image

TOP_PX_PER_MM: Final = 6.0
"""Of the drawings of tops, boards and cards."""
FINER: Final = 2
"""Pictures are drawn so many times larger first, for smooth edges."""
AWAY: Final = 1.1
"""How much farther away the camera is than would just do."""
SLICES: Final = 4
"""Of which the side of a piece is drawn."""
CLOTH: Final = (96, 128, 110)
"""Colour B G R."""
GRAIN: Final = 5.0
"""Standard deviation of the cloth's grain, in values of 255."""
NOISE: Final = 1.0
"""Standard deviation of a picture's noise, in values of 255."""
DIMMER: Final = 0.75
"""How bright sides are, by the top."""

Colour = tuple[int, int, int]
"""B G R."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSolid:
    """Something with a flat top: `top` (h, w, 3) B G R at `TOP_PX_PER_MM`, far edge up, its centre at `at_mm`.

    `outline_mm` (n, 2) is about the centre; it reaches from `floor_mm` to `floor_mm + height_mm` above the table.
    """

    top: Image
    outline_mm: Floats
    at_mm: Point
    turn_deg: float
    floor_mm: float
    height_mm: float
    side: Colour


def overhead_view(middle_mm: Point, width_mm: float, depth_mm: float) -> View:
    """A camera above a table, a little before its middle, that sees so much of it."""
    lens = module_3_lens()
    away = AWAY * lens.focal_px * max(width_mm / lens.width, depth_mm / lens.height)
    eye = np.array([middle_mm[0], middle_mm[1] - 0.25 * away, away])
    forward = np.array([*middle_mm, 0.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    return View(lens, rotation, -rotation @ eye)


def draw_table(view: View, solids: Iterable[DrawnSolid], number: int = 0) -> Image:
    """A picture (h, w, 3) B G R; `number` makes its noise."""
    canvas = _cloth(view)
    for solid in sorted(solids, key=lambda each: (each.floor_mm, -each.at_mm[1])):
        _draw(canvas, view, solid)
    small = cv2.resize(canvas, (view.lens.width, view.lens.height), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(number).normal(0.0, NOISE, small.shape)
    return np.asarray(np.clip(small + noise, 0, 255), np.uint8)


def _cloth(view: View) -> Image:
    """Plain cloth with a grain that stays the same from picture to picture."""
    shape = (view.lens.height * FINER // 4, view.lens.width * FINER // 4)
    grain = np.random.default_rng(0).normal(0.0, GRAIN, shape)
    coarse = np.asarray(np.clip(np.array(CLOTH) + grain[..., None], 0, 255), np.uint8)
    size = (view.lens.width * FINER, view.lens.height * FINER)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _draw(canvas: Image, view: View, solid: DrawnSolid) -> None:
    around = solid.outline_mm @ spin(solid.turn_deg).T + solid.at_mm
    dark = tuple(DIMMER * each for each in solid.side)
    for height in np.linspace(solid.floor_mm, solid.floor_mm + solid.height_mm, SLICES):
        cv2.fillConvexPoly(canvas, _px(view, around, float(height)), dark, cv2.LINE_AA, shift=4)
    _draw_top(canvas, view, solid, around)


def _draw_top(canvas: Image, view: View, solid: DrawnSolid, around: Floats) -> None:
    height = solid.floor_mm + solid.height_mm
    rows, columns = solid.top.shape[:2]
    half = np.array([columns, rows]) / 2 / TOP_PX_PER_MM
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half @ spin(solid.turn_deg).T + solid.at_mm
    px = FINER * view.project_at(corners, height)
    low, high = np.floor(px.min(axis=0)).astype(int) - 2, np.ceil(px.max(axis=0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, [canvas.shape[1], canvas.shape[0]])
    if (high <= low).any():
        return
    own = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    to_part = cv2.getPerspectiveTransform(own, (px - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    drawn = cv2.warpPerspective(solid.top, to_part, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, _px(view, around, height) - (16 * low).astype(np.int32), (255,), cv2.LINE_AA, shift=4)
    part = canvas[low[1]:high[1], low[0]:high[0]]
    share = mask[..., None] / np.float32(255)
    part[:] = (share * drawn + (1 - share) * part).astype(np.uint8)


def _px(view: View, points_mm: Floats, height_mm: float) -> npt.NDArray[np.int32]:
    """Points in sixteenths of the canvas's pixels."""
    return np.rint(16 * FINER * view.project_at(points_mm, height_mm)).astype(np.int32)
