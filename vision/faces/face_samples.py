"""Faces sampled at the points at which they are registered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.faces.linear_light import to_light
from vision.faces.templates import PX_PER_MM, Face, FaceSize, covers
from vision.imaging.arrays import Values
from vision.photometry.difference import METRIC

MIN_GRID_STEP_MM, POINTS_ACROSS = 1.0, 22
FIT_BLUR_PX = 0.7

RIM_MARGIN_MM = 1.2
"""Width of a face's rim that is not compared: the raster may lie off the piece by the error of the table frame, at
enrolment and now, and what is beside the piece is no part of its face."""


@lru_cache(maxsize=32)
def fine_grid(outline: FaceSize) -> Values:
    """Points (n, 2) in mm on a piece of this outline, in its own frame."""
    across, deep, _ = outline
    step = max(MIN_GRID_STEP_MM, max(across, deep) / POINTS_ACROSS)
    axes = [(np.arange(int(length / step)) - (int(length / step) - 1) / 2) * step for length in (across, deep)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    return np.asarray(grid[covers(outline, grid, -RIM_MARGIN_MM)], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class FaceSamples:
    """A face at the points of its `fine_grid`: linear light (3, n) B G R, and the gradients of its values per mm along
    its own x and y (2, 3, n)."""

    light: Values
    slopes: Values


@lru_cache(maxsize=256)
def sample_face(face: Face) -> FaceSamples:
    """A face at the points of its `fine_grid`, with gradients by central differences."""
    px = (fine_grid(face.outline) * (PX_PER_MM, -PX_PER_MM) + face.middle_px).astype(np.float32)
    u, v = px[:, 0].reshape(1, -1), px[:, 1].reshape(1, -1)
    smooth = cv2.GaussianBlur(face.colours, (0, 0), FIT_BLUR_PX)

    def at(dx: float, dy: float) -> Values:
        colours = cv2.remap(smooth, u + np.float32(dx), v + np.float32(dy), cv2.INTER_LINEAR,
                            borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(colours[0], np.float32)

    slopes = np.stack([at(1, 0) - at(-1, 0), at(0, -1) - at(0, 1)]) * (METRIC * np.float32(PX_PER_MM / 2))
    return FaceSamples(by_channel(to_light(at(0, 0))), by_channel(slopes))


def by_channel(values: Values) -> Values:
    """Values (..., n, 3) as (..., 3, n), contiguous."""
    return np.ascontiguousarray(values.swapaxes(-1, -2))
