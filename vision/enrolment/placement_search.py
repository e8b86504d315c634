"""Where pieces really lie that were laid out for enrolment: people lay them within some mm of where they are asked to.

Each is found by its silhouette, from what differs from the picture of the bare table, by exhaustive search on grids
from coarse to fine.
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
"""A piece is looked for this far around where it was asked for, and one with corners turned by so much."""

STEPS_MM, STEPS_DEG = (2.0, 1.0, 0.5, 0.25), (2.0, 1.0, 0.5, 0.25)
"""The steps in which that is done, from coarse to fine."""

PIECE_MISFIT = 12.0
"""A pixel this far from any colour that the bare table can have there shows a piece; half as far it may."""

SHADOW_LIGHTNESS = (0.45, 1.06)
"""The bare table's lightness beside pieces; what is darker is no shadow on it."""

OUTLINE_BAND_MM, SILHOUETTE_BAND_WEIGHT = 3.0, 0.5
"""Width of a band outside the silhouette in which what differs counts against it, with this weight."""

LAYING_ERROR_MM = 25.0
"""Among outlines that fit alike, the one nearer to the asked place is meant: so far off costs all that a fit gains."""

MIN_SILHOUETTE_COVERED, MAX_EMPTY_COVERED = 0.6, 0.2
"""The share of a piece's silhouette that differs from the table where it lies, at least; and where nothing does, at
most."""


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """What was asked for, and where it lies. `share` of its silhouette differs from the bare table."""

    asked: LaidPiece
    laid: LaidPiece
    share: float

    @property
    def lies(self) -> bool:
        """Whether something of its form lies there."""
        return self.share >= MIN_SILHOUETTE_COVERED

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there."""
        return self.share < MAX_EMPTY_COVERED


def locate_pieces(scene: Scene, picture: PlannedPicture, sizes: Mapping[str, Piece]) -> list[LocatedPiece]:
    """Each piece where its silhouette shows it best, drinks in a crate where that has them; the scene knows the bare
    table."""
    found = []
    for thing, inside in group_by_crate(picture, sizes):
        one = _locate(scene, thing, sizes[thing.appearance])
        found += [one, *(LocatedPiece(drink, _moved(drink, one), one.share) for drink in inside)]
    return found


def _moved(inside: LaidPiece, crate: LocatedPiece) -> LaidPiece:
    """What stands in a crate, with that moved from where it was asked for."""
    turn = crate.laid.turn_deg - crate.asked.turn_deg
    x, y = spin(turn) @ np.subtract(inside.at_mm, crate.asked.at_mm) + crate.laid.at_mm
    return replace(inside, at_mm=(float(x), float(y)), turn_deg=inside.turn_deg + turn)


@dataclass(frozen=True, slots=True, eq=False)
class _Target:
    """A piece to be located: the points (n, 3) of its `hull` when it is not turned, in mm about its foot's centre, and
    how surely each pixel (h, w) of a `box` shows something else than the table."""

    asked: LaidPiece
    hull: Floats
    view: View
    box: Box
    differs: Values

    def covered(self, offset: Floats) -> float:
        """How much of the silhouette, with its foot at x, y and turned by so much (3,), shows something."""
        return cv2.mean(self.differs, self._silhouette(offset)[0])[0]

    def score(self, offset: Floats) -> float:
        """The same, less what does beside it and what it costs to be far from the asked place."""
        covered, beside = (cv2.mean(self.differs, mask)[0] for mask in self._silhouette(offset))
        off_mm = np.hypot(*(offset[:2] - self.asked.at_mm))
        return covered - SILHOUETTE_BAND_WEIGHT * beside - float(off_mm / LAYING_ERROR_MM) ** 2

    def _silhouette(self, offset: Floats) -> tuple[BinaryImage, BinaryImage]:
        """The pixels (h, w) of the silhouette, and those just beside it."""
        x, y, turn = offset
        radius = float(np.hypot(self.hull[:, 0], self.hull[:, 1]).max())
        hulls = []
        for grown in (1.0, 1.0 + OUTLINE_BAND_MM / radius):
            own = self.hull * (grown, grown, 1.0)
            own[:, :2] = own[:, :2] @ spin(self.asked.turn_deg + turn).T + (x, y)
            px = (self.view.project(own) - (self.box.left, self.box.top)) * (1 << SUBPIXEL_BITS)
            hulls.append(cv2.convexHull(np.rint(px).astype(np.int32)))
        inside, beside = (np.zeros((self.box.height, self.box.width), np.uint8) for _ in range(2))
        for mask, hull, value in ((inside, hulls[0], 1), (beside, hulls[1], 1), (beside, hulls[0], 0)):
            cv2.fillConvexPoly(mask, hull, (value,), shift=SUBPIXEL_BITS)
        return inside, beside


def _locate(scene: Scene, asked: LaidPiece, piece: Piece) -> LocatedPiece:
    hull = _hull(piece)
    box = _box(scene.view, hull, asked)
    target = _Target(asked, hull, scene.view, box, _differs(scene, box))
    best = _search(target, np.array([1.0, 1.0, 0.0 if piece.round else 1.0]))
    x, y, turn = (float(each) for each in best)
    return LocatedPiece(asked, LaidPiece(asked.appearance, (x, y), asked.turn_deg + turn), target.covered(best))


def _search(target: _Target, free: Floats) -> Floats:
    """The foot and turn (3,) of the highest score, on grids around the best of the last one. `free` (3,) is 0 for what
    is not sought."""
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
    """Points (n, 3) in mm of the hull of a piece that is not turned, its foot's centre at the origin."""
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
    """The part of the picture in which the piece may be seen, with what is beside it."""
    x, y = asked.at_mm
    reach = PLACEMENT_SEARCH_MM + OUTLINE_BAND_MM + float(np.hypot(hull[:, 0], hull[:, 1]).max())
    corners = np.array([(x + across * reach, y + deep * reach, z) for across in (-1, 1) for deep in (-1, 1)
                        for z in (0.0, float(hull[:, 2].max()))])
    return box_around(view.project(corners), 2)


def _differs(scene: Scene, box: Box) -> Values:
    """How surely each pixel (h, w) shows something else than the bare table, from 0 to 1."""
    seen = scene.seen(box)
    off = (seen - nearest_table(seen, scene.bare(box), SHADOW_LIGHTNESS, scene.shadow)) * METRIC
    return np.asarray(np.clip(np.linalg.norm(off, axis=2) / PIECE_MISFIT, 0, 1), np.float32)
