"""The foreground mask of a zone, in coarse cells on the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.table import Point
from vision.faces.templates import FaceSize, covers
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.box import Box, box_around
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab, nearest_table
from vision.scene.change_detection import SQUARED_METRIC
from vision.scene.scene import Scene
from vision.scene.surfaces import OTHER
from vision.scene.zone_margins import FOREGROUND_MISFIT

MASK_CELL_MM = 1.5
"""Side of the cells of the mask."""

SMOOTHED_PX, NOISE_QUANTILE, NOISE_TIMES = 5, 0.25, 3.5
"""Differences from the bare table are averaged over squares of this width, for noise is none of them; foreground
differs by more than so many times what a quarter of the zone differs by no more than."""

ROUGHNESS_PX, EXTRA_ROUGHNESS, ROUGHNESS_RATIO = 9, 3.0, 1.5
"""A pixel is foreground as well when its roughness (the mean absolute deviation of lightness in a square of this width)
exceeds that of the bare table by this much and by this factor: a piece of the table's colour still shows by its edges
and its print."""

LIGHTNESS_STEP = 0.07
"""A pixel stands out when it is so much lighter or darker than the bare table, as a share: as what has the table's
colour does, and every shadow."""

CLOSED_CELLS, OPENED_CELLS = 4, 3
"""Sizes of morphological closing, for gaps in a piece's print, and of opening: narrower foreground is the edge of a
shadow."""

ERASE_MARGIN_MM = 1.5
"""Margin around a piece with which it is erased from the mask once it was read."""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneMask:
    """A rectangle of a plane at one height, with the position of its first cell: the foreground `differs` (rows,
    columns; 1, else 0), and what `stands_out` by its lightness, shadows too. What was explained is erased from both."""

    left_mm: float
    top_mm: float
    differs: Values
    stands_out: Values

    def cells(self, points_mm: Floats) -> Floats:
        """Columns and rows (n, 2) of points (n, 2) in mm."""
        return np.asarray((points_mm - (self.left_mm, self.top_mm)) * (1, -1) / MASK_CELL_MM, np.float64)

    def points(self, cells: Floats) -> Floats:
        """The points (n, 2) in mm at columns and rows (n, 2)."""
        return np.asarray(cells * MASK_CELL_MM * (1, -1) + (self.left_mm, self.top_mm), np.float64)

    def erase(self, outline: FaceSize, at_mm: Point, turn_deg: float) -> None:
        """Erase a piece from the mask."""
        rows, columns = self.differs.shape
        cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
        off = cells - self.cells(np.array([at_mm]))[0]
        own = (off * (MASK_CELL_MM, -MASK_CELL_MM)) @ spin(-turn_deg).T
        covered = covers(outline, own, ERASE_MARGIN_MM)
        self.differs[covered] = self.stands_out[covered] = 0


def make_zone_mask(scene: Scene, zone: Floats, height_mm: float, margin_mm: float) -> ZoneMask:
    """The mask of a zone with these corners (4, 2) in mm, and of a margin around it, at a height."""
    low, high = zone.min(axis=0) - margin_mm, zone.max(axis=0) + margin_mm
    columns, rows = (int(np.ceil(length / MASK_CELL_MM)) + 1 for length in high - low)
    right, bottom = low[0] + (columns - 1) * MASK_CELL_MM, high[1] - (rows - 1) * MASK_CELL_MM
    px = scene.view.project_at([(low[0], high[1]), (right, high[1]), (right, bottom), (low[0], bottom)], height_mm)
    box = box_around(px, 2)
    scene.open(box)  # whatever lies in it is looked at closely
    seen = scene.seen(box)
    on_table = _in_picture(scene, box) & (scene.kinds(box) != OTHER)
    bare = scene.bare(box)
    own = np.array([(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)], np.float32)
    to_px = cv2.getPerspectiveTransform(own, (px - (box.left, box.top)).astype(np.float32))
    differs, stands_out = (
        _filled(cv2.warpPerspective(each, to_px, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP) > 0.5)
        for each in (_different(scene, seen, bare, on_table), _standing_out(seen, bare, on_table)))
    return ZoneMask(float(low[0]), float(high[1]), differs, stands_out)


def _filled(mask: Mask) -> Values:
    """A mask (rows, columns) with gaps closed, narrow parts removed and holes filled."""
    filled = mask.astype(np.uint8)
    for operation, cells in ((cv2.MORPH_CLOSE, CLOSED_CELLS), (cv2.MORPH_OPEN, OPENED_CELLS)):
        filled = np.asarray(cv2.morphologyEx(filled, operation, np.ones((cells, cells), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(filled, outlines, -1, 1, -1)
    return filled.astype(np.float32)


def _different(scene: Scene, seen: Lab, bare: Lab, on_table: Mask) -> Values:
    """The foreground (h, w) on the table, averaged over the neighbourhood of each pixel."""
    off = cv2.blur(cv2.subtract(seen, nearest_table(seen, bare, shadow=scene.shadow)), (SMOOTHED_PX, SMOOTHED_PX))
    apart = np.sqrt(cv2.transform(cv2.multiply(off, off), SQUARED_METRIC))
    noise = float(np.quantile(apart[on_table], NOISE_QUANTILE)) if on_table.any() else 0.0
    far = apart > max(FOREGROUND_MISFIT, NOISE_TIMES * noise)
    rough = _roughness(seen) > EXTRA_ROUGHNESS + ROUGHNESS_RATIO * _roughness(bare)
    return np.asarray(cv2.blur(((far | rough) & on_table).astype(np.float32), (3, 3)), np.float32)


def _standing_out(seen: Lab, bare: Lab, on_table: Mask) -> Values:
    """What is lighter or darker (h, w) than the bare table in the light of most of it, averaged likewise."""
    now, then = (cv2.blur(np.ascontiguousarray(each[..., 0]), (SMOOTHED_PX, SMOOTHED_PX)) for each in (seen, bare))
    share = now / np.maximum(then, 1.0)
    usual = float(np.median(share[on_table])) if on_table.any() else 1.0
    apart = np.abs(share - usual) > LIGHTNESS_STEP * usual
    return np.asarray(cv2.blur((apart & on_table).astype(np.float32), (3, 3)), np.float32)


def _in_picture(scene: Scene, box: Box) -> Mask:
    """Which pixels (h, w) of a box are in the picture."""
    height, width = scene.image.shape[:2]
    rows, columns = np.arange(box.top, box.top + box.height), np.arange(box.left, box.left + box.width)
    return np.asarray(((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width)), np.bool_)


def _roughness(colours: Lab) -> Values:
    """The mean absolute deviation (h, w) of lightness around each pixel."""
    light = np.ascontiguousarray(colours[..., 0])
    fine = np.abs(light - cv2.blur(light, (ROUGHNESS_PX, ROUGHNESS_PX)))
    return np.asarray(cv2.blur(fine, (ROUGHNESS_PX, ROUGHNESS_PX)), np.float32)
