"""Boxes that stand on the table, such as crates lying upside down: located by their silhouette against the bare table.

What lies on a box covers its top, but hardly changes the silhouette of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from companion.table import Body
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.footprints import outline_mm
from vision.imaging.polygons import fill_convex
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import METRIC
from vision.scene.reading_cache import summarise, summary_changed
from vision.scene.scene import Scene

BOX_DIFFERENCE = 8.0
"""A pixel at least this far from any colour that the bare table can have is foreground: the box or what lies on it."""

BOX_MARGIN_MM = 3.0
"""The band around a box that is table: foreground there counts against it."""

MIN_BOX_SCORE = 0.5
"""A box is found when the share of foreground in its silhouette exceeds that in the band around it by this."""

GONE_SHARE = 0.25
"""A box that filled most of its silhouette is gone when less foreground is seen there than this share of that."""

BOX_NUDGE_MM, BOX_NUDGE_DEG = 0.8, 1.5
"""A box whose measured pose changed by more than this was nudged; a smaller change is noise."""


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The range of shifts (mm) and turns (degrees) of a search, and the scale of the picture."""

    reach_mm: float
    turns_deg: Floats
    scale: float


COARSE = _Search(12.0, np.arange(-9.0, 9.1, 3.0), 0.5)
FINE = _Search(1.5, np.arange(-2.0, 2.1, 1.0), 1.0)


class SilhouetteBody:
    """One box. `expected` is the box with its pose by the layout, in the table frame."""

    def __init__(self, expected: Body) -> None:
        self._body = expected
        self._known: tuple[Box, Lab] | None = None
        self._is_found = False
        self._is_gone, self._most_filled = False, 0.0

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The box with its measured pose, the last or expected one while it is not found, and whether that changed;
        nothing once the bare table is seen where it stood."""
        before, was_gone = self._body, self._is_gone
        if self._known is None or summary_changed(self._known[1], summarise(scene, self._known[0])):
            near, _ = _best(scene, self._body, COARSE)
            found, score = _best(scene, near, FINE)
            if score > MIN_BOX_SCORE and (not self._is_found or _is_nudged(self._body, found)):
                self._body, self._is_found = found, True
            filled = _filled(scene, self._body)
            self._most_filled = max(self._most_filled, filled)
            self._is_gone = filled < GONE_SHARE * self._most_filled and self._most_filled > MIN_BOX_SCORE
            box = box_around(_silhouette(scene.view, self._body, 0.0), 2)
            self._known = (box, summarise(scene, box))
        changed = self._body is not before or self._is_gone != was_gone
        return () if self._is_gone else (self._body,), changed

    def clear(self) -> None:
        """The camera moved."""
        self._known = None


def _is_nudged(old: Body, new: Body) -> bool:
    off_mm = float(np.hypot(old.at_mm[0] - new.at_mm[0], old.at_mm[1] - new.at_mm[1]))
    return off_mm > BOX_NUDGE_MM or abs(old.turn_deg - new.turn_deg) > BOX_NUDGE_DEG


def _silhouette(view: View, body: Body, grown_mm: float) -> Floats:
    """The convex silhouette (n, 2) in px of a box that is dilated on all sides."""
    across, deep, height = body.size_mm
    grown = replace(body, size_mm=(across + 2 * grown_mm, deep + 2 * grown_mm, height))
    corners = np.concatenate([view.project_at(outline_mm(grown), z) for z in (0.0, height)])
    return np.asarray(cv2.convexHull(corners.astype(np.float32)), np.float64).reshape(-1, 2)


def _best(scene: Scene, near: Body, search: _Search) -> tuple[Body, float]:
    """The pose within reach with the highest score, the share of foreground in the silhouette less that around it, and
    the score: template matching by correlation."""
    reach_px = search.reach_mm * scene.view.px_per_mm(near.at_mm)
    window = box_around(_silhouette(scene.view, near, BOX_MARGIN_MM), int(reach_px) + 6)
    small = cv2.resize(_differs(scene, window), None, fx=search.scale, fy=search.scale, interpolation=cv2.INTER_AREA)
    best = (near, -1.0)
    for turn in search.turns_deg:
        turned = replace(near, turn_deg=near.turn_deg + float(turn))
        template = _template(scene.view, turned, search.scale)
        scores = cv2.matchTemplate(small, template.weights, cv2.TM_CCORR)
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best[1]:
            shift = (np.array([column, row]) / search.scale + (window.left, window.top) - template.corner_px)
            there = scene.view.project_at([near.at_mm], near.size_mm[2])[0] + shift
            x, y = scene.view.to_table([there], near.size_mm[2])[0]
            best = (replace(turned, at_mm=(float(x), float(y))), float(score))
    return best


def _filled(scene: Scene, body: Body) -> float:
    """The share of a box's silhouette that is foreground."""
    outline = _silhouette(scene.view, body, 0.0)
    window = box_around(outline, 2)
    inside = np.zeros((window.height, window.width), np.float32)
    fill_convex(inside, outline - (window.left, window.top), 1.0)
    return float((_differs(scene, window) * inside).sum() / max(float(inside.sum()), 1.0))


def _differs(scene: Scene, box: Box) -> Values:
    """The foreground (h, w) in a box of the picture: 1 where it is not the bare table, else 0."""
    seen = scene.seen(box)
    off = (seen - nearest_table(seen, scene.bare(box), shadow=scene.shadow)) * METRIC
    return np.asarray(np.einsum("ijk,ijk->ij", off, off) > BOX_DIFFERENCE ** 2, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """`weights` (h, w): they sum to 1 on a silhouette and to -1 around it; the first pixel is at `corner_px`."""

    weights: Values
    corner_px: Floats


@lru_cache(maxsize=96)  # boxes stay where they are from look to look; all of a table's take 4 MB
def _template(view: View, body: Body, scale: float) -> _Template:
    inner, outer = _silhouette(view, body, 0.0), _silhouette(view, body, BOX_MARGIN_MM)
    corner = np.floor(outer.min(axis=0))
    size = np.ceil((outer.max(axis=0) - corner) * scale).astype(int) + 1
    inside, around = np.zeros(size[::-1], np.float32), np.zeros(size[::-1], np.float32)
    for mask, points in ((inside, inner), (around, outer)):
        fill_convex(mask, (points - corner) * scale, 1.0)
    around -= inside
    weights = inside / max(float(inside.sum()), 1.0) - around / max(float(around.sum()), 1.0)
    return _Template(weights.astype(np.float32), corner)
