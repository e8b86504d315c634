"""Zones of bare table with flat pieces anywhere: what differs from the table is found, then its face is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Point
from vision.faces.classifier import FaceReading, lean_mm, read_face
from vision.faces.ortho_window import BareTable
from vision.faces.templates import Face, FaceOutline, covers
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around, grow
from vision.imaging.camera import spin
from vision.photometry.background_model import Lab, nearest_table
from vision.scene.change_detection import WEIGHTS
from vision.scene.scene import Scene

ZONE_TOLERANCE_MM = 10.0
"""Zones are good to about this; what lies this near outside still belongs to them."""

CELL_MM = 1.5
"""Pieces are looked for in a mask of so coarse cells."""

FOREGROUND_MISFIT, EXTRA_ROUGHNESS = 6.0, 3.0
"""A pixel is not table when it is so far from any colour that the table can have in more or less light, or when the
lightness around it varies so much more than the table's there: a piece of the table's colour still shows by its edges
and its print."""

ROUGH_PX, ROUGHNESS_RATIO = 9, 1.5
"""How far around a pixel that is, and how many times more the table itself may vary than it did when it was bare."""

CLOSED_CELLS, OPENED_CELLS = 4, 3
"""Gaps in a piece's print are closed over this; what is narrower is the edge of a shadow."""

BAND_MM, BAND_WEIGHT = 4.0, 0.4
"""What differs so near beside a piece's outline speaks by this share against its lying there."""

ANGLES = 12
MIN_COVERED, BESIDE_CELLS = 0.55, 2
"""A piece is looked for where so much of its outline differs from the table: its middle lies no farther beside what
differs than by so many cells."""

NEARLY_COVERED, MAX_OFFSET_MM = 0.9, 14.0
"""A piece may lie wherever its outline is covered by this share of what it is at most, not farther from there: what
differs is larger than the piece where it throws a shadow or shows its side."""

ERASE_MARGIN_MM = 1.5
"""Beside a piece that was read so much is not looked at again."""

MAX_BEHIND_EMPTY_NATS = 4.0
"""What is less likely than nothing by more than this is not told."""

MAX_MISFIT = 90.0
"""What fits no face better than this is something else: a hand's shadow, a cup, a drink."""

FloatImage = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Raster:
    """A rectangle of table at one height: `different` (rows, columns), and where its first cell lies."""

    left_mm: float
    top_mm: float
    different: FloatImage

    def cells(self, points_mm: Floats) -> Floats:
        """Columns and rows (n, 2) of points."""
        return np.asarray((points_mm - (self.left_mm, self.top_mm)) * (1, -1) / CELL_MM, np.float64)

    def points(self, cells: Floats) -> Floats:
        """The points (n, 2) that columns and rows (n, 2) show."""
        return np.asarray(cells * CELL_MM * (1, -1) + (self.left_mm, self.top_mm), np.float64)


def find_faces(scene: Scene, corners_mm: Sequence[Point], floor_mm: float, candidates: Sequence[Face],
              rise_mm: float = 0.0, beyond_mm: float = ZONE_TOLERANCE_MM, kept: Sequence[FaceReading] = ()
              ) -> list[FaceReading]:
    """All flat pieces in a zone of bare table, given by its corners in the table frame. Their feet are `floor_mm` above
    it, or up to `rise_mm` more where they may be piled: then the top of each pile is told, its centre as if it lay at
    `floor_mm`. Pieces that jut out over the zone's edge, up to `beyond_mm`, belong to it; what is `kept` from an
    earlier look is not looked for again."""
    zone = grow(np.array(corners_mm, np.float64), beyond_mm)
    height = floor_mm + min(face.piece.size_mm[2] for face in candidates)
    lean = max(lean_mm(scene.view, (x, y), height, rise_mm) for x, y in zone)
    raster = _look(scene, zone, height, max(face.radius_mm for face in candidates) + lean)
    kernels = [kernel for form in dict.fromkeys(face.form for face in candidates) for kernel in _kernels(form)]
    left = raster.different.copy()
    for old in kept:
        _erase(left, raster, _form_of(old, candidates), old)
    readings: list[FaceReading] = []
    while (place := _best_place(left, kernels)) is not None:
        at = raster.points(place.cells[:1])[0]
        if _inside((at[0], at[1]), grow(zone, lean)):
            reading = read_face(scene, (at[0], at[1]), floor_mm, candidates, ground=BareTable(),
                                around_mm=raster.points(place.cells))
            likely = reading.loglik[reading.best] > reading.loglik[EMPTY] - MAX_BEHIND_EMPTY_NATS
            if likely and reading.fits[reading.best].misfit < MAX_MISFIT:
                _erase(left, raster, _form_of(reading, candidates), reading)
                if _inside(reading.at_mm, zone):
                    readings.append(reading)
        _stamp(left, place)
    return readings


def _look(scene: Scene, zone: Floats, height_mm: float, margin_mm: float) -> _Raster:
    """Where in a zone and around it something is seen that is not the bare table."""
    low, high = zone.min(axis=0) - margin_mm, zone.max(axis=0) + margin_mm
    columns, rows = (int(np.ceil(length / CELL_MM)) + 1 for length in high - low)
    right, bottom = low[0] + (columns - 1) * CELL_MM, high[1] - (rows - 1) * CELL_MM
    px = scene.view.project_at([(low[0], high[1]), (right, high[1]), (right, bottom), (low[0], bottom)], height_mm)
    box = box_around(px, 2)
    scene.open(box)  # whatever lies in it is looked at closely
    seen = scene.seen(box)
    different = _different(scene, seen, scene.bare(box)) * _in_picture(scene, box)
    own = np.array([(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)], np.float32)
    to_px = cv2.getPerspectiveTransform(own, (px - (box.left, box.top)).astype(np.float32))
    coarse = cv2.warpPerspective(different, to_px, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    mask = (coarse > 0.5).astype(np.uint8)
    for operation, cells in ((cv2.MORPH_CLOSE, CLOSED_CELLS), (cv2.MORPH_OPEN, OPENED_CELLS)):
        mask = np.asarray(cv2.morphologyEx(mask, operation, np.ones((cells, cells), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, outlines, -1, 1, -1)
    return _Raster(float(low[0]), float(high[1]), mask.astype(np.float32))


def _different(scene: Scene, seen: Lab, bare: Lab) -> FloatImage:
    """Which pixels are not table, as shares of their surroundings."""
    off = cv2.subtract(seen, nearest_table(seen, bare, shadow=scene.shadow))
    far = cv2.transform(cv2.multiply(off, off), WEIGHTS) > FOREGROUND_MISFIT * FOREGROUND_MISFIT
    rough = _rough(seen) > EXTRA_ROUGHNESS + ROUGHNESS_RATIO * _rough(bare)
    return np.asarray(cv2.blur((far | rough).astype(np.float32), (3, 3)), np.float32)


def _in_picture(scene: Scene, box: Box) -> FloatImage:
    """Which pixels of a box are in the picture."""
    height, width = scene.image.shape[:2]
    rows, columns = np.arange(box.top, box.top + box.height), np.arange(box.left, box.left + box.width)
    return np.asarray(((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width)), np.float32)


def _rough(colours: Lab) -> FloatImage:
    light = np.ascontiguousarray(colours[..., 0])
    fine = np.abs(light - cv2.blur(light, (ROUGH_PX, ROUGH_PX)))
    return np.asarray(cv2.blur(fine, (ROUGH_PX, ROUGH_PX)), np.float32)


# ---------------------------------------------------------------- where pieces may lie


@dataclass(frozen=True, slots=True, eq=False)
class _Kernel:
    """An outline in cells: `inside` and `weights` (side, side); a weight sums what is covered less what is beside."""

    inside: FloatImage
    weights: FloatImage


@lru_cache(maxsize=32)
def _kernels(form: FaceOutline) -> tuple[_Kernel, ...]:
    """The outlines of a form in all turns."""
    across, deep, is_round = form
    reach = int(np.ceil((np.hypot(across, deep) / 2 + BAND_MM) / CELL_MM))
    step = np.arange(-reach, reach + 1) * CELL_MM
    grid = np.stack(np.meshgrid(step, -step), axis=-1)
    angles = (0.0,) if is_round else tuple(np.arange(ANGLES) * 180.0 / ANGLES)
    if across == deep:
        angles = angles[:max(1, len(angles) // 2)]
    kernels = []
    for angle in angles:
        own = grid @ spin(-angle).T
        inside, around = (covers(form, own, margin).astype(np.float32) for margin in (0.0, BAND_MM))
        band = around - inside
        weights = inside / inside.sum() - BAND_WEIGHT * band / band.sum()
        kernels.append(_Kernel(inside, weights.astype(np.float32)))
    return tuple(kernels)


@dataclass(frozen=True, slots=True, eq=False)
class _Spot:
    """Where a piece of some outline may lie: columns and rows (n, 2), the likeliest first."""

    kernel: _Kernel
    cells: Floats


def _best_place(different: FloatImage, kernels: Sequence[_Kernel]) -> _Spot | None:
    """Where an outline covers best what differs; None when none is covered enough."""
    left, top, width, height = cv2.boundingRect(different.astype(np.uint8))
    left, top = max(left - BESIDE_CELLS, 0), max(top - BESIDE_CELLS, 0)
    different = different[top:top + height + 2 * BESIDE_CELLS, left:left + width + 2 * BESIDE_CELLS]
    best: tuple[float, int, int, _Kernel, FloatImage] | None = None
    most = {side: _most_within(different, side) for side in {len(kernel.inside) for kernel in kernels}}
    for kernel in kernels:
        if most[len(kernel.inside)] < MIN_COVERED * kernel.inside.sum() - 0.5:
            continue  # nowhere so much of it differs
        covered = cv2.filter2D(different, -1, kernel.inside / kernel.inside.sum(), borderType=cv2.BORDER_CONSTANT)
        if covered.max() < (MIN_COVERED if best is None else max(MIN_COVERED, best[0])):
            continue  # it is never worth more than it covers
        worth = cv2.filter2D(different, -1, kernel.weights, borderType=cv2.BORDER_CONSTANT)
        worth[covered < MIN_COVERED] = -1
        row, column = divmod(int(worth.argmax()), worth.shape[1])
        if worth[row, column] > -1 and (best is None or worth[row, column] > best[0]):
            best = float(worth[row, column]), column, row, kernel, np.asarray(covered, np.float32)
    if best is None:
        return None
    _, column, row, kernel, covered = best
    rows, columns = np.nonzero(covered >= NEARLY_COVERED * covered[row, column])
    off = np.column_stack([columns - column, rows - row]).astype(np.float64)
    near = off[np.hypot(off[:, 0], off[:, 1]) <= MAX_OFFSET_MM / CELL_MM]
    nearest = near[np.argsort(np.hypot(near[:, 0], near[:, 1]), kind="stable")]
    return _Spot(kernel, np.add(nearest, (left + column, top + row)))


def _most_within(different: FloatImage, side: int) -> float:
    """The most of what differs that lies in a square of so many cells: quick to know, and no outline covers more."""
    sums = cv2.boxFilter(different, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return float(sums.max(initial=0.0))


def _stamp(different: FloatImage, place: _Spot) -> None:
    """Take an outline out of the mask."""
    column, row = place.cells[0].astype(int)
    reach = place.kernel.inside.shape[0] // 2
    top, left = max(row - reach, 0), max(column - reach, 0)
    part = different[top:row + reach + 1, left:column + reach + 1]
    inside = place.kernel.inside[top - row + reach:, left - column + reach:]
    part[inside[:part.shape[0], :part.shape[1]] > 0] = 0


def _form_of(reading: FaceReading, candidates: Sequence[Face]) -> FaceOutline:
    return next(face.form for face in candidates if face.piece.name == reading.best)


def _erase(different: FloatImage, raster: _Raster, form: FaceOutline, reading: FaceReading) -> None:
    """Take a piece that was read out of the mask."""
    rows, columns = different.shape
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
    off = cells - raster.cells(np.array([reading.at_mm]))[0]
    own = (off * (CELL_MM, -CELL_MM)) @ spin(-reading.fits[reading.best].lies_deg).T
    different[covers(form, own, ERASE_MARGIN_MM)] = 0


def _inside(point: Point, corners: Floats) -> bool:
    return bool(cv2.pointPolygonTest(corners.astype(np.float32).reshape(-1, 1, 2), point, False) >= 0)
