"""The measured poses of pieces that were laid out for enrolment: people lay them within some mm of the asked ones.

Each is located by its silhouette in the difference from the bare table, by exhaustive search on grids from coarse to
fine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.table import Body, Piece
from vision.drinks.foreground import BinaryImage
from vision.drinks.profile_fit import first_profile
from vision.drinks.ring_solid import make_solid
from vision.enrolment.picture_set import LaidPiece
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View, spin
from vision.imaging.footprints import outline_mm
from vision.imaging.polygons import SUBPIXEL_BITS
from vision.photometry.background_model import nearest_table
from vision.photometry.difference import METRIC
from vision.scene.scene import Scene

PLACEMENT_SEARCH_MM, PLACEMENT_SEARCH_DEG = 8.0, 8.0
"""The range of the search about the asked pose; only pieces with corners are turned."""

STEPS_MM, STEPS_DEG = (2.0, 1.0, 0.5, 0.25), (2.0, 1.0, 0.5, 0.25)
"""The steps of the grids, from coarse to fine."""

PIECE_MISFIT = 12.0
"""A pixel at least this far from any colour that the bare table can have there is foreground; at half of it, partly."""

SHADOW_LIGHTNESS = (0.45, 1.06)
"""Limits of the bare table's lightness beside pieces, relative to enrolled; what is darker is no shadow on it."""

OUTLINE_BAND_MM, SILHOUETTE_BAND_WEIGHT = 3.0, 0.5
"""Width of a band outside the silhouette in which foreground counts against it, with this weight."""

LARGE_PX = 500
"""What is larger in the picture is compared at a coarser scale: the outline of a board is long enough."""

LAYING_ERROR_MM = 25.0
"""The scale of the quadratic penalty of the distance from the asked position: at this distance it equals the score of a
perfect fit."""

MAX_BESIDE_COVERED = 0.9
"""Where more of the band around a silhouette is foreground, something larger lies there; around pieces that stand close
together in crates, up to 0.7 is."""

MIN_SILHOUETTE_COVERED, MAX_EMPTY_COVERED = 0.6, 0.2
"""The least share of a silhouette that is foreground where a piece lies, and the largest where nothing does."""


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """A piece as asked for and as located. `share` of its silhouette is foreground, and `beside` of the band around it.
    """

    asked: LaidPiece
    laid: LaidPiece
    share: float
    beside: float

    @property
    def lies(self) -> bool:
        """Whether something with its silhouette lies there."""
        return self.share >= MIN_SILHOUETTE_COVERED and self.beside <= MAX_BESIDE_COVERED

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there."""
        return self.share < MAX_EMPTY_COVERED


def locate_pieces(scene: Scene, picture: PlannedPicture, sizes: Mapping[str, Piece]) -> list[LocatedPiece]:
    """Each piece at the pose with the best silhouette, drinks in a crate moved with it; the scene knows the bare table.
    """
    found = []
    for thing, inside in group_by_crate(picture, sizes):
        one = _locate(scene, thing, sizes[thing.appearance])
        found += [one, *(LocatedPiece(drink, _moved(drink, one), one.share, one.beside) for drink in inside)]
    return found


def _moved(inside: LaidPiece, crate: LocatedPiece) -> LaidPiece:
    """A piece in a crate, moved rigidly with the crate from its asked pose to the located one."""
    turn = crate.laid.turn_deg - crate.asked.turn_deg
    x, y = spin(turn) @ np.subtract(inside.at_mm, crate.asked.at_mm) + crate.laid.at_mm
    return replace(inside, at_mm=(float(x), float(y)), turn_deg=inside.turn_deg + turn)


@dataclass(frozen=True, slots=True, eq=False)
class _Target:
    """A piece to be located: the points (n, 3) of its convex `hull` at turn 0, in mm about its foot's centre, and the
    soft foreground `differs` (h, w), 0 to 1, of a `box`, `shrink` times smaller."""

    asked: LaidPiece
    hull: Floats
    view: View
    box: Box
    differs: Values
    shrink: int

    def covered(self, offset: Floats) -> tuple[float, float]:
        """The shares of foreground in the silhouette at a pose (3,): foot x, y in mm, and turn in degrees; and in the
        band around it."""
        inside, beside = (cv2.mean(self.differs, mask)[0] for mask in self._silhouette(offset))
        return inside, beside

    def score(self, offset: Floats) -> float:
        """The first, less the second with its weight, and less the penalty of the distance."""
        covered, beside = self.covered(offset)
        off_mm = np.hypot(*(offset[:2] - self.asked.at_mm))
        return covered - SILHOUETTE_BAND_WEIGHT * beside - float(off_mm / LAYING_ERROR_MM) ** 2

    def _silhouette(self, offset: Floats) -> tuple[BinaryImage, BinaryImage]:
        """The masks (h, w) of the silhouette and of the band around it."""
        x, y, turn = offset
        radius = float(np.hypot(self.hull[:, 0], self.hull[:, 1]).max())
        hulls = []
        for grown in (1.0, 1.0 + OUTLINE_BAND_MM / radius):
            own = self.hull * (grown, grown, 1.0)
            own[:, :2] = own[:, :2] @ spin(self.asked.turn_deg + turn).T + (x, y)
            px = (self.view.project(own) - (self.box.left, self.box.top) + 0.5) / self.shrink - 0.5
            hulls.append(cv2.convexHull(np.rint(px * (1 << SUBPIXEL_BITS)).astype(np.int32)))
        inside, beside = (np.zeros(self.differs.shape, np.uint8) for _ in range(2))
        for mask, hull, value in ((inside, hulls[0], 1), (beside, hulls[1], 1), (beside, hulls[0], 0)):
            cv2.fillConvexPoly(mask, hull, (value,), shift=SUBPIXEL_BITS)
        return inside, beside


def _locate(scene: Scene, asked: LaidPiece, piece: Piece) -> LocatedPiece:
    hull = _hull(piece)
    box = _box(scene.view, hull, asked)
    shrink = max(1, round(max(box.width, box.height) / LARGE_PX))
    differs = cv2.resize(_differs(scene, box), None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    target = _Target(asked, hull, scene.view, box, np.asarray(differs, np.float32), shrink)
    best = _search(target, np.array([1.0, 1.0, 0.0 if piece.round else 1.0]))
    x, y, turn = (float(each) for each in best)
    return LocatedPiece(asked, LaidPiece(asked.appearance, (x, y), asked.turn_deg + turn), *target.covered(best))


def _search(target: _Target, free: Floats) -> Floats:
    """The foot and turn (3,) with the highest score, on grids around the best of the last one. `free` (3,) is 0 for
    parameters that are fixed."""
    best, score = np.array([*target.asked.at_mm, 0.0]), -np.inf
    reach = np.array([PLACEMENT_SEARCH_MM, PLACEMENT_SEARCH_MM, PLACEMENT_SEARCH_DEG]) * free
    for step_mm, step_deg in zip(STEPS_MM, STEPS_DEG):
        step = np.array([step_mm, step_mm, step_deg]) * free
        count = np.where(free > 0, reach / np.maximum(step, 1e-9), 0).round().astype(int)
        grid = np.stack(np.meshgrid(*(np.arange(-many, many + 1) for many in count)), axis=-1).reshape(-1, 3)
        for tried in best + grid * step:
            gained = target.score(tried)
            if gained > score:
                score, found = gained, tried
        best, reach = found, step
    return best


def _hull(piece: Piece) -> Floats:
    """Points (n, 3) in mm of the convex hull of a piece at turn 0, its foot's centre at the origin."""
    across, deep, height = piece.size_mm
    if piece.kind == "drink":
        shape = piece.name.partition("/")[2]
        solid = make_solid(first_profile(shape, piece.size_mm, piece.round))
        return np.concatenate([np.column_stack([outline, np.full(len(outline), z)])
                               for outline, z in zip(solid.outlines_mm, solid.heights_mm)])
    if piece.round:
        angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        ring = np.column_stack([np.cos(angle) * across / 2, np.sin(angle) * deep / 2])
    else:
        ring = outline_mm(Body("", "", (0.0, 0.0), (across, deep, height)))
    return np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, height)])


def _box(view: View, hull: Floats, asked: LaidPiece) -> Box:
    """The box of the picture in which the piece may be seen, with the band around it."""
    x, y = asked.at_mm
    reach = PLACEMENT_SEARCH_MM + OUTLINE_BAND_MM + float(np.hypot(hull[:, 0], hull[:, 1]).max())
    corners = np.array([(x + across * reach, y + deep * reach, z) for across in (-1, 1) for deep in (-1, 1)
                        for z in (0.0, float(hull[:, 2].max()))])
    return box_around(view.project(corners), 2)


def _differs(scene: Scene, box: Box) -> Values:
    """The soft foreground (h, w), from 0 to 1: how far each pixel is from the bare table."""
    seen = scene.seen(box)
    off = (seen - nearest_table(seen, scene.bare(box), SHADOW_LIGHTNESS, scene.shadow)) * METRIC
    return np.asarray(np.clip(np.linalg.norm(off, axis=2) / PIECE_MISFIT, 0, 1), np.float32)
