"""What is new in the small picture, and whether its colour and shape are those of a hand or of a mug."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.frame import SMALL_WH, Image
from vision.imaging.least_squares import Reals, cauchy, reweighted
from vision.imaging.srgb import linear

Mask = npt.NDArray[np.uint8]
"""(180, 320), 0 or 255."""

SURE, FAINT = 12, 6
"""In grey values: a change to start from, and one that belongs to it when it touches it."""

FINGERTIP_PX = 20
"""A change at the border smaller than this, some 120 square millimetres, is noise."""

SAME = 0.85
"""Two sights of one thing share so much of their pixels and colours."""

MUG_SKIN_SHARE, MUG_ROUND, MUG_RADIUS_MM = 0.45, 0.45, (25.0, 100.0)
"""A mug may shine in skin colours on a warm table, but so much of its outline lies on one circle of such a radius."""

TABLE_SHINE = 0.9
"""A dark thing shines in the table's colour, though less red; dark skin is redder than what it lies on."""

LEVEL = 0.015
"""A slope of the light smaller than this is left out."""

RELIGHT_ROUNDS = 3

SLOPES = np.stack(np.meshgrid(np.linspace(-1, 1, SMALL_WH[0]), np.linspace(-1, 1, SMALL_WH[1]))).astype(np.float32)
"""(2, 180, 320): -1 to 1 across and down the picture."""

SAMPLE = np.s_[2::6, 2::6]
SAMPLE_SLOPES = SLOPES[:, 2::6, 2::6].reshape(2, -1)

CLOSE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the small picture shows where: `play`, where pieces may stand and lean; `cards`, the tag cards;
    `piece_px`, how many pixels the largest piece covers; `px_per_mm`."""

    play: Mask
    cards: Mask
    piece_px: float
    px_per_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """Something new, with the pixels it covers and the small picture it was seen in."""

    mask: Mask
    box: tuple[int, int, int, int]
    area: int
    at_border: bool
    image: Image
    at_s: float


Part = tuple[slice, slice]
"""Rows and columns of the small picture."""

WHOLE = np.s_[:, :]


def relight(reference: Image, small: Image, part: Part = WHOLE) -> Image:
    """A part of the reference in the light of another picture: for each channel a curve of second degree, whose gain
    may slope over the picture, fitted to a sample of all pixels by iteratively reweighted least squares with Cauchy's
    loss: those that really changed hardly count."""
    x = reference[SAMPLE].reshape(-1, 3).T.astype(np.float32) / 255
    y = small[SAMPLE].reshape(-1, 3).T.astype(np.float32)
    columns = np.stack([np.ones_like(x), x, x * x, x * SAMPLE_SLOPES[0], x * SAMPLE_SLOPES[1]], axis=1)
    steady = x.shape[1] * np.diag((1e-9, 1e-9, 1e-5, 1e-5, 1e-5))  # a reference may be of one colour

    def solve(weights: Reals) -> Reals:
        weighted = columns * weights
        normal = weighted @ columns.transpose(0, 2, 1) + steady
        return np.linalg.solve(normal, weighted @ y[..., None])

    def residuals(found: Reals) -> Reals:
        return np.asarray(np.abs(y - (found.transpose(0, 2, 1) @ columns)[:, 0]).sum(axis=0))

    found = reweighted(solve, residuals, lambda off: cauchy(off, 2 * max(float(np.median(off)), 2.0)),
                       np.ones(x.shape[1], np.float32), RELIGHT_ROUNDS).solution
    value = np.arange(256) / 255
    table = found[:, :3, 0] @ np.stack([np.ones(256), value, value * value])
    curve = cv2.LUT(reference[part], table.clip(0, 255).T[None].astype(np.uint8))
    slopes = found[:, 3:, 0] / 255
    if np.abs(slopes).sum(axis=1).max() < LEVEL:  # the slope is steepest in a corner
        return np.asarray(curve, np.uint8)
    across, down = SLOPES[0, 0, part[1], None] * slopes[:, 0], SLOPES[1, part[0], 0]
    rows = np.column_stack([np.ones_like(down), down])
    slope = rows @ np.stack([across, np.broadcast_to(slopes[:, 1], across.shape)]).reshape(2, -1)  # quick for BLAS
    changed = cv2.multiply(reference[part], slope.reshape(curve.shape).astype(np.float32), dtype=cv2.CV_32F)
    return np.asarray(cv2.add(curve, changed, dtype=cv2.CV_8U), np.uint8)


def same(old: Blob, new: Blob) -> bool:
    """Whether both cover the same pixels with the same colours."""
    both = cv2.bitwise_and(old.mask, new.mask)
    either = cv2.bitwise_or(old.mask, new.mask)
    shared = cv2.countNonZero(both)
    if shared < SAME * cv2.countNonZero(either):
        return False
    off = np.abs(old.image[both > 0].astype(np.int16) - new.image[both > 0]).max(axis=1)
    return bool(np.mean(off > 2 * SURE) < 1 - SAME)


def skin_share(blob: Blob, before: Image, ground: Ground) -> float:
    """The share of a blob's pixels, its shadow on the table left out, that could be skin, of anybody, in this light.
    `before` is how it looked there, in the same light."""
    lit = blob.image[ground.cards > 0]
    white = np.percentile(lit, 92, axis=0) if len(lit) else np.full(3, 255.0)
    white_light = np.maximum(linear(white.astype(np.uint8)[None])[0], 0.02)
    now, then = (linear(image[blob.mask > 0]) / white_light for image in (blob.image, before))
    ratio = (now + 0.002) / (then + 0.002)
    shadow = (ratio.max(axis=1) < 1.05) & (ratio.max(axis=1) < 1.3 * ratio.min(axis=1))
    thing, table = now[~shadow], then[~shadow]
    if len(thing) < FINGERTIP_PX:
        return 1.0
    lab = cv2.cvtColor((0.8 * thing).clip(0, 1).astype(np.float32)[None], cv2.COLOR_LBGR2Lab)[0]
    over_green, over_blue = ((thing[:, 2] + 0.002) / (thing[:, other] + 0.002) for other in (1, 0))
    redness = np.interp(lab[:, 0], (30, 60), (1.5, 1.25))  # the darker skin is, the redder
    table_red = (table[:, 2] + 0.002) / (table[:, 1] + 0.002)
    redness = np.where(lab[:, 0] < 30, np.maximum(redness, TABLE_SHINE * table_red), redness)
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1]))
    return float(np.mean((over_green > redness) & (over_blue > redness) & (hue > 5) & (hue < 82)))


def looks_like_a_mug(blob: Blob, before: Image, ground: Ground) -> bool:
    """Whether something has little skin, and its outline, soft shadow left out, is for a good part one circle.
    `before` is how it looked there, in the same light."""
    if skin_share(blob, before, ground) > MUG_SKIN_SHARE:
        return False
    off = cv2.absdiff(blob.image, before).max(axis=2)
    hard = ((blob.mask > 0) & (off > 0.5 * np.percentile(off[blob.mask > 0], 90))).astype(np.uint8)
    outlines, _ = cv2.findContours(cv2.morphologyEx(hard, cv2.MORPH_CLOSE, CLOSE), cv2.RETR_EXTERNAL,
                                   cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)[:, 0].astype(np.float64)
    inner = ((outline > 1) & (outline < np.array(SMALL_WH) - 2)).all(axis=1)
    points = outline[inner]
    if len(points) < FINGERTIP_PX:
        return False
    share, radius = _circle(points)
    low, high = MUG_RADIUS_MM
    return share >= MUG_ROUND and low <= radius / ground.px_per_mm <= high


def _circle(points: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The circle that most points (n, 2) lie on, to a pixel: their share, and its radius. Tries triples of points."""
    triples = points[np.random.default_rng(0).integers(0, len(points), (300, 3))]
    (ax, ay), (bx, by), (cx, cy) = (triples[:, corner].T for corner in range(3))
    double = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    fit = np.abs(double) > 1e-6
    squares = np.square(triples).sum(axis=2)
    columns = [(by - cy, cx - bx), (cy - ay, ax - cx), (ay - by, bx - ax)]
    centre = sum((squares[:, i, None] * np.column_stack(column) for i, column in enumerate(columns)),
                 np.zeros((len(triples), 2))) / np.where(fit, double, 1.0)[:, None]
    radius = np.hypot(ax - centre[:, 0], ay - centre[:, 1])
    off = np.abs(np.linalg.norm(points[None] - centre[:, None], axis=2) - radius[:, None])
    share = np.where(fit, (off < 1).mean(axis=1), 0.0)
    best = int(share.argmax())
    return float(share[best]), float(radius[best])
