"""Classification of a blob by colour and shape: a hand, or a mug."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.srgb import linear
from vision.presence.blobs import CLOSE, FINGERTIP_PX, Blob
from vision.presence.play_area import PlayArea

MUG_SKIN_SHARE, MUG_ROUND, MUG_RADIUS_MM = 0.45, 0.45, (25.0, 100.0)
"""A mug may reflect skin colours on a warm table, on at most this share of its pixels, but this share of its outline
lies on one circle with a radius in this range."""

TABLE_SHINE = 0.9
"""A dark thing reflects the table's colour, though less red; dark skin is redder than what it lies on."""

NOISE_LIGHT = 0.002
"""Added to numerator and denominator of a ratio of light."""

MIN_WHITE_LIGHT, WHITE_PERCENTILE = 0.02, 92
"""White is that percentile of the values on the tag cards, and at least that much light."""

DARK_SKIN_L, LIGHT_SKIN_L, DARK_REDNESS, LIGHT_REDNESS = 30, 60, 1.5, 1.25
"""The least ratio of red to green and to blue light of skin, interpolated over L*: the darker it is, the redder."""

SKIN_HUES_DEG = (5, 82)

CIRCLE_TRIALS, CIRCLE_PX = 300, 1


def skin_share(blob: Blob, before: Image, area: PlayArea) -> float:
    """The share of a blob's pixels, its shadow on the table left out, that could be skin, of anybody, in this light.
    `before` is the reference (180, 320, 3) in the same light."""
    lit = blob.image[area.cards > 0]
    white = np.percentile(lit, WHITE_PERCENTILE, axis=0) if len(lit) else np.full(3, 255.0)
    white_light = np.maximum(linear(white.astype(np.uint8)[None])[0], MIN_WHITE_LIGHT)
    now, then = (linear(image[blob.mask > 0]) / white_light for image in (blob.image, before))
    shadow = _is_shadow(now, then)
    thing, table = now[~shadow], then[~shadow]
    return float(np.mean(_is_skin(thing, table))) if len(thing) >= FINGERTIP_PX else 1.0


def _is_shadow(now: Values, then: Values) -> Mask:
    """Which pixels (n, 3: linear B G R) are merely darker, by similar factors in all channels."""
    ratio = (now + NOISE_LIGHT) / (then + NOISE_LIGHT)
    return np.asarray((ratio.max(axis=1) < 1.05) & (ratio.max(axis=1) < 1.3 * ratio.min(axis=1)))


def _is_skin(thing: Values, table: Values) -> Mask:
    """Which pixels (n, 3: linear B G R) could be skin that lies on pixels of the table."""
    lab = cv2.cvtColor((0.8 * thing).clip(0, 1).astype(np.float32)[None], cv2.COLOR_LBGR2Lab)[0]
    over_green, over_blue = ((thing[:, 2] + NOISE_LIGHT) / (thing[:, other] + NOISE_LIGHT) for other in (1, 0))
    redness = np.interp(lab[:, 0], (DARK_SKIN_L, LIGHT_SKIN_L), (DARK_REDNESS, LIGHT_REDNESS))
    table_red = (table[:, 2] + NOISE_LIGHT) / (table[:, 1] + NOISE_LIGHT)
    redness = np.where(lab[:, 0] < DARK_SKIN_L, np.maximum(redness, TABLE_SHINE * table_red), redness)
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1]))
    low, high = SKIN_HUES_DEG
    return np.asarray((over_green > redness) & (over_blue > redness) & (hue > low) & (hue < high))


def looks_like_a_mug(blob: Blob, before: Image, area: PlayArea) -> bool:
    """Whether a blob has little skin, and enough of its outline, soft shadow left out, lies on one circle. `before` is
    the reference (180, 320, 3) in the same light."""
    if skin_share(blob, before, area) > MUG_SKIN_SHARE:
        return False
    points = _outline(blob, before)
    if len(points) < FINGERTIP_PX:
        return False
    share, radius = _circle(points)
    low, high = MUG_RADIUS_MM
    return share >= MUG_ROUND and low <= radius / area.px_per_mm <= high


def _outline(blob: Blob, before: Image) -> Floats:
    """Points (n, 2) in px on the outline of what differs most, but for those at the picture's border."""
    off = cv2.absdiff(blob.image, before).max(axis=2)
    hard = ((blob.mask > 0) & (off > 0.5 * np.percentile(off[blob.mask > 0], 90))).astype(np.uint8)
    outlines, _ = cv2.findContours(cv2.morphologyEx(hard, cv2.MORPH_CLOSE, CLOSE), cv2.RETR_EXTERNAL,
                                   cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)[:, 0].astype(np.float64)
    inner = ((outline > 1) & (outline < np.array(SMALL_WH) - 2)).all(axis=1)
    return np.asarray(outline[inner], np.float64)


def _circle(points: Floats) -> tuple[float, float]:
    """The circle with the most inliers among points (n, 2), within `CIRCLE_PX`: their share, and its radius in px.
    RANSAC (M. Fischler and R. Bolles, "Random Sample Consensus", 1981) over triples of points."""
    triples = points[np.random.default_rng(0).integers(0, len(points), (CIRCLE_TRIALS, 3))]
    centre, radius, is_circle = _circumcircles(triples)
    off = np.abs(np.linalg.norm(points[None] - centre[:, None], axis=2) - radius[:, None])
    share = np.where(is_circle, (off < CIRCLE_PX).mean(axis=1), 0.0)
    best = int(share.argmax())
    return float(share[best]), float(radius[best])


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
