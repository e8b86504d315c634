"""The shape of a blob: its outline, how long and how thick it is, and how much of it lies on a circle."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats, Mask
from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.spread import spread_indices
from vision.presence.blobs import FINGERTIP_PX, Blob, most_of_channels
from vision.presence.play_area import SmallMask

CONTRASTS = (0.5, 0.3, 0.2)
"""An outline is where a blob differs from the table by such a share of what it mostly differs by: a smaller one shows a
dark side too, and more shadow."""

CIRCLE_TRIALS, CIRCLE_PX = 200, 1
GAP_PX = 5
"""Gaps in an outline up to this wide are closed."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The length of the smallest rectangle around a blob, how thick the blob is at most, the share of that rectangle
    that it fills, and its outline (n, 2) in px without the part at the picture's border."""

    length_mm: float
    thick_mm: float
    fill: float
    outline: Floats

    @property
    def round_share(self) -> float:
        """The share of the outline that lies on one circle; slow."""
        return round_share(self.outline)


def blob_shape(blob: Blob, before: Image, px_per_mm: float, least: float = CONTRASTS[0]) -> Shape:
    """The shape of what differs most, soft shadow left out."""
    outline = blob_outline(blob, before, least)
    solid = _solid(outline)
    _, sides_px, _ = cv2.minAreaRect(outline)
    fill = cv2.countNonZero(solid) / ((sides_px[0] + 1) * (sides_px[1] + 1))
    return Shape(max(sides_px) / px_per_mm, _thick_px(solid) / px_per_mm, fill, inner_points(outline))


def inner_points(outline: npt.NDArray[np.int32]) -> Floats:
    """The points (n, 2) in px of an outline (n, 1, 2) without the part at the picture's border."""
    at_px = outline[:, 0].astype(np.float64)
    return np.asarray(at_px[((at_px > 1) & (at_px < np.array(SMALL_WH) - 2)).all(axis=1)])


def blob_thick_mm(blob: Blob, before: Image, px_per_mm: float) -> float:
    """How thick a blob is at most, soft shadow left out."""
    return _thick_px(_solid(blob_outline(blob, before))) / px_per_mm


def _solid(outline: npt.NDArray[np.int32]) -> SmallMask:
    """What an outline (n, 1, 2) encloses, with a pixel around it."""
    left, top, width, height = cv2.boundingRect(outline)
    solid = np.zeros((height + 2, width + 2), np.uint8)
    return np.asarray(cv2.drawContours(solid, [outline], -1, (1,), -1, offset=(1 - left, 1 - top)), np.uint8)


def _thick_px(solid: SmallMask) -> float:
    return 2.0 * float(cv2.distanceTransform(solid, cv2.DIST_L2, 3).max())


def blob_outline(blob: Blob, before: Image, least: float = CONTRASTS[0]) -> npt.NDArray[np.int32]:
    """The longest outline (n, 1, 2) in px of what differs by at least that share of what most differs by."""
    (left, top, _, _), part = blob.box, blob.part
    inside = blob.mask[part] > 0
    off = most_of_channels(cv2.absdiff(blob.image[part], before[part]))
    return closed_outline(inside & (off > least * np.percentile(off[inside], 90)), (left, top))


def closed_outline(mask: Mask, at_px: tuple[int, int]) -> npt.NDArray[np.int32]:
    """The longest outline (n, 1, 2) in px of a mask (h, w) with its corner there, its gaps closed."""
    padded = np.pad(mask.astype(np.uint8), GAP_PX)
    closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((GAP_PX, GAP_PX), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE,
                                   offset=(at_px[0] - GAP_PX, at_px[1] - GAP_PX))
    return np.asarray(max(outlines, key=cv2.contourArea), np.int32)


def round_share(points: Floats) -> float:
    """The share of points (n, 2) within `CIRCLE_PX` of the circle that most are near to. RANSAC (M. Fischler and R.
    Bolles, "Random Sample Consensus", 1981) over triples of points."""
    if len(points) < FINGERTIP_PX:
        return 0.0
    triples = points[spread_indices(len(points), CIRCLE_TRIALS, 3).T]
    centre, radius, is_circle = _circumcircles(triples)
    off = np.abs(np.linalg.norm(points[None] - centre[:, None], axis=2) - radius[:, None])
    likely = is_circle & (radius < SMALL_WH[0] / 4)  # larger ones are straight lines
    return float(np.where(likely, (off < CIRCLE_PX).mean(axis=1), 0.0).max())


def _circumcircles(triples: Floats) -> tuple[Floats, Floats, Mask]:
    """Centres (n, 2) and radii (n,) of the circles through triples of points (n, 3, 2), and where there is one."""
    (ax, ay), (bx, by), (cx, cy) = (triples[:, corner].T for corner in range(3))
    double = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    is_circle = np.abs(double) > 1e-6
    squares = np.square(triples).sum(axis=2)
    columns = [(by - cy, cx - bx), (cy - ay, ax - cx), (ay - by, bx - ax)]
    centre = sum((squares[:, i, None] * np.column_stack(column) for i, column in enumerate(columns)),
                 np.zeros((len(triples), 2))) / np.where(is_circle, double, 1.0)[:, None]
    return centre, np.hypot(ax - centre[:, 0], ay - centre[:, 1]), is_circle
