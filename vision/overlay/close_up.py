"""The part of a picture around some things, large: what people are shown when they are asked about a thing."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table import Point
from vision.imaging.arrays import Floats
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.overlay.overlay import DOUBT_BGR, EDGE_BGR

CLOSE_UP_PX, CLOSE_UP_MARGIN_MM, MIN_ASPECT = 720, 40.0, 3 / 8
"""The width of a close-up, how much of the table it shows around things, and half its height by its width, at least."""

RING_MM, THINGS_HEIGHT_MM = 13.0, 8.0
"""The radius of the rings around things, and how high above the table these are taken to lie."""


def draw_close_up(image: Image, view: View, things: Sequence[tuple[Point, bool]]) -> Image:
    """The part of `image` (h, w, 3) B G R around some things, `CLOSE_UP_PX` pixels wide: points (mm, table frame) and
    whether each is clear. Those that are not are marked, all if all are."""
    px = view.project_at([at for at, _ in things], THINGS_HEIGHT_MM)
    per_mm = view.px_per_mm(things[0][0])
    part = _part_around(px, CLOSE_UP_MARGIN_MM * per_mm, image.shape)
    scale = CLOSE_UP_PX / max(part.width, 1)
    drawn = np.asarray(cv2.resize(image[part.slices], None, fx=scale, fy=scale,
                                  interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8)
    marked = [not clear for _, clear in things]
    for at, is_marked in zip(px, marked if any(marked) else [True] * len(things)):
        x, y = ((at - [part.left, part.top]) * scale).astype(int).tolist()
        for colour, wide in ((EDGE_BGR, 5), (DOUBT_BGR, 3)) if is_marked else ():
            cv2.circle(drawn, (x, y), round(RING_MM * per_mm * scale), colour, wide, cv2.LINE_AA)
    return drawn


def _part_around(px: Floats, margin_px: float, shape: tuple[int, ...]) -> Box:
    """The part of a picture of this shape that shows points (n, 2), with a margin, and is not too flat."""
    low, high = px.min(axis=0) - margin_px, px.max(axis=0) + margin_px
    half = np.maximum((high - low) / 2, (high - low)[0] * MIN_ASPECT)
    middle = (low + high) / 2
    left, top = np.maximum(middle - half, 0).astype(int).tolist()
    right, bottom = np.minimum(middle + half, [shape[1], shape[0]]).astype(int).tolist()
    return Box(left, top, right - left, bottom - top)
