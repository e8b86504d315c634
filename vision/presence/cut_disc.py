"""A disc that the picture's border cuts: a bowl or a plate, of whatever colour and however deep its shadow.

Broader than a fist, nothing of a hand or an arm is bounded by one circle. A shadow is no part of a disc's outline; but
how much a shadow tints differs, so the outline is sought in what is left when shades of several tints are taken away.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats
from vision.imaging.frame import SMALL_WH, Image
from vision.presence.blob_light import SHADE_TINT, light_of, shade_tint
from vision.presence.blobs import FINGERTIP_PX, Blob, clear_of
from vision.presence.foreground import HAND_MM2, skin_of
from vision.presence.outline import closed_outline, inner_points
from vision.presence.play_area import PlayArea, SmallMask

SHADE_TINTS = (SHADE_TINT, 1.7, 2.5, 1000.0)
"""What is darker and lost no more than so many times as much light in one channel as in another may be shade."""

BROAD_RADIUS_MM = (50.0, 140.0)
"""From broader than a fist to as broad as a plate."""

ARC_PX, ARC_SHARE, ARC_DEG = 1.0, 0.9, 80.0
"""So much of an outline lies so near to the circle, and so far around it: an arm's side is a short arc of many a large
one."""

ENOUGH_POINTS = 100
"""Of longer outlines every second or third point is looked at: it is quicker."""

RIM_PX = 2
"""The margin around a disc within which its edge may be seen."""


def beside_disc(blob: Blob, before: Image, area: PlayArea) -> SmallMask | None:
    """If the border cuts a disc in a blob, what else of the blob is no shade (180, 320); else None. `before` is the
    reference (180, 320, 3) in the same light."""
    if not blob.at_border:
        return None
    (left, top, _, _), part = blob.box, blob.part
    tints = np.zeros(blob.mask[part].shape)
    tints[blob.mask[part] > 0] = shade_tint(*light_of(blob, before, area))
    pixels = -1
    for tint in SHADE_TINTS:
        solid = cv2.inRange(tints, tint, np.inf)
        if (left_over := cv2.countNonZero(solid)) == pixels or left_over < FINGERTIP_PX:
            continue
        pixels = left_over
        disc = _disc(closed_outline(solid > 0, (left, top)), area.px_per_mm)
        if disc is not None:
            beside, hand_px = clear_of(blob, disc), HAND_MM2 * area.px_per_mm ** 2
            if beside.area >= hand_px and skin_of(beside, before, area).patch_mm2 >= HAND_MM2:
                return beside.mask  # no shadow is tinted so on as much
            rest = np.zeros_like(blob.mask)
            rest[part] = solid
            return np.asarray(cv2.subtract(rest, disc), np.uint8)
    return None


def _disc(outline: npt.NDArray[np.int32], px_per_mm: float) -> SmallMask | None:
    """The disc (180, 320) that an outline (n, 1, 2) bounds, if it is one."""
    points = inner_points(outline)
    points = points[::len(points) // ENOUGH_POINTS + 1]
    if len(points) < FINGERTIP_PX:
        return None
    centre, radius, off = _circle_through(points, points)
    nearest = np.argsort(off)[:int(ARC_SHARE * len(points))]
    if off[nearest[len(nearest) // 2]] > 2 * ARC_PX:
        return None
    centre, radius, off = _circle_through(points[nearest], points)
    if np.mean(off < ARC_PX) < ARC_SHARE or not BROAD_RADIUS_MM[0] <= radius / px_per_mm <= BROAD_RADIUS_MM[1]:
        return None
    turns = np.sort(np.degrees(np.arctan2(*(points - centre).T)))
    if 360 - np.diff(turns, append=turns[0] + 360).max() < ARC_DEG:
        return None
    x, y = np.round(centre).astype(int).tolist()
    disc = np.zeros(SMALL_WH[::-1], np.uint8)
    return np.asarray(cv2.circle(disc, (x, y), round(radius) + RIM_PX, (255,), -1), np.uint8)


def _circle_through(points: Floats, every: Floats) -> tuple[Floats, float, Floats]:
    """Centre (2,) and radius of the circle that fits points (n, 2) best, by squares of its equation (I. Kåsa, "A circle
    fitting procedure and its error analysis", 1976), and how far off it every one of some points (m, 2) is."""
    equation = np.column_stack([2 * points, np.ones(len(points))])
    x, y, rest = np.linalg.lstsq(equation, np.square(points).sum(axis=1))[0]
    radius = float(np.sqrt(max(rest + x * x + y * y, 0.0)))
    return np.array([x, y]), radius, np.abs(np.hypot(every[:, 0] - x, every[:, 1] - y) - radius)
