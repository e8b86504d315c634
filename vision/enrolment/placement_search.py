"""Where pieces really lie that were laid out for enrolment: people lay them within some mm of where they are asked to.

Each is found by its outline, from what differs from the picture of the bare table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body, Piece
from vision.drinks.profile_fit import first_profile
from vision.drinks.ring_solid import make_solid
from vision.enrolment.picture_set import LaidPiece
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View, spin
from vision.imaging.footprints import outline_mm
from vision.photometry.background_model import nearest_table
from vision.photometry.difference import METRIC
from vision.scene.scene import Scene

SEARCH_MM, SEARCH_DEG = 8.0, 8.0
"""A piece is looked for so far around where it was asked for, and one with corners turned by so much."""

STEPS_MM, STEPS_DEG = (2.0, 1.0, 0.5, 0.25), (2.0, 1.0, 0.5, 0.25)
"""The steps in which that is done, from coarse to fine."""

FOREGROUND_MISFIT = 12.0
"""A pixel this far from any colour that the bare table can have there shows a piece; half as far it may."""

SHADOW_LIGHTNESS = (0.45, 1.06)
"""The bare table's lightness beside pieces; what is darker is no shadow on it."""

OUTLINE_BAND_MM, BAND_WEIGHT = 3.0, 0.5
"""What differs so near outside the outline counts so much against it."""

LAYING_SD_MM = 25.0
"""Among outlines that fit alike, the one nearer to the asked place is meant: so far off costs all that a fit gains."""

MIN_COVERED, MAX_EMPTY_COVERED = 0.6, 0.2
"""Of a piece's outline so much differs from the table where it lies, and so little where nothing does."""

FloatImage = npt.NDArray[np.float32]
BinaryImage = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LocatedPiece:
    """What was asked for, and where it lies. `share` of its outline differs from the bare table."""

    asked: LaidPiece
    laid: LaidPiece
    share: float

    @property
    def lies(self) -> bool:
        """Whether something of its form lies there."""
        return self.share >= MIN_COVERED

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there."""
        return self.share < MAX_EMPTY_COVERED


def locate_pieces(scene: Scene, picture: PlannedPicture, sizes: Mapping[str, Piece]) -> list[LocatedPiece]:
    """Each piece where its outline shows it best, drinks in a crate where that has them; the scene knows the bare
    table."""
    found = []
    for thing, inside in group_by_crate(picture, sizes):
        one = _find(scene, thing, sizes[thing.appearance])
        found += [one, *(LocatedPiece(drink, _moved(drink, one), one.share) for drink in inside)]
    return found


def _moved(inside: LaidPiece, crate: LocatedPiece) -> LaidPiece:
    """What stands in a crate, with that moved from where it was asked for."""
    turn = crate.laid.turn_deg - crate.asked.turn_deg
    x, y = spin(turn) @ np.subtract(inside.at_mm, crate.asked.at_mm) + crate.laid.at_mm
    return replace(inside, at_mm=(float(x), float(y)), turn_deg=inside.turn_deg + turn)


def _find(scene: Scene, asked: LaidPiece, piece: Piece) -> LocatedPiece:
    solid = _points(piece)
    box = _box(scene.view, solid, asked)
    worth = _different(scene, box)
    at = np.array([*asked.at_mm, 0.0])
    free = np.array([1.0, 1.0, 0.0 if piece.round else 1.0])
    reach = np.array([SEARCH_MM, SEARCH_MM, SEARCH_DEG]) * free
    best, score = at, -np.inf
    for step_mm, step_deg in zip(STEPS_MM, STEPS_DEG):
        step = np.array([step_mm, step_mm, step_deg]) * free
        count = np.where(free > 0, reach / np.maximum(step, 1e-9), 0).round().astype(int)
        ways = np.stack(np.meshgrid(*(np.arange(-many, many + 1) for many in count)), axis=-1).reshape(-1, 3)
        for tried in best + ways * step:
            gained = _score(worth, scene.view, solid, box, asked, tried, at)
            if gained > score:
                score, found = gained, tried
        best, reach = found, step
    x, y, turn = (float(each) for each in best)
    inside, _ = _outline(scene.view, solid, box, asked, best)
    return LocatedPiece(asked, LaidPiece(asked.appearance, (x, y), asked.turn_deg + turn), cv2.mean(worth, inside)[0])


def _score(worth: FloatImage, view: View, solid: Floats, box: Box, asked: LaidPiece, tried: Floats,
           first: Floats) -> float:
    """How much of an outline, shifted and turned, shows something, less what does beside it."""
    covered, around = (cv2.mean(worth, mask)[0] for mask in _outline(view, solid, box, asked, tried))
    return covered - BAND_WEIGHT * around - float(np.hypot(*(tried - first)[:2]) / LAYING_SD_MM) ** 2


def _points(piece: Piece) -> Floats:
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


def _box(view: View, solid: Floats, asked: LaidPiece) -> Box:
    """The part of the picture in which the piece may be seen, with what is beside it."""
    x, y = asked.at_mm
    reach = SEARCH_MM + OUTLINE_BAND_MM + float(np.hypot(solid[:, 0], solid[:, 1]).max())
    corners = np.array([(x + across * reach, y + deep * reach, z) for across in (-1, 1) for deep in (-1, 1)
                        for z in (0.0, float(solid[:, 2].max()))])
    return box_around(view.project(corners), 2)


def _different(scene: Scene, box: Box) -> FloatImage:
    """How surely each pixel shows something else than the bare table, from 0 to 1."""
    seen = scene.seen(box)
    off = (seen - nearest_table(seen, scene.bare(box), SHADOW_LIGHTNESS, scene.shadow)) * METRIC
    return np.asarray(np.clip(np.linalg.norm(off, axis=2) / FOREGROUND_MISFIT, 0, 1), np.float32)


def _outline(view: View, solid: Floats, box: Box, asked: LaidPiece, tried: Floats) -> tuple[BinaryImage, BinaryImage]:
    """The pixels (h, w) of an outline, and those just beside it."""
    x, y, turn = tried
    radius = float(np.hypot(solid[:, 0], solid[:, 1]).max())
    hulls = []
    for grown in (1.0, 1.0 + OUTLINE_BAND_MM / radius):
        own = solid * (grown, grown, 1.0)
        own[:, :2] = own[:, :2] @ spin(asked.turn_deg + turn).T + (x, y)
        px = (view.project(own) - (box.left, box.top)) * 16
        hulls.append(cv2.convexHull(np.rint(px).astype(np.int32)))
    inside, beside = (np.zeros((box.height, box.width), np.uint8) for _ in range(2))
    for mask, hull, kept in ((inside, hulls[0], 1), (beside, hulls[1], 1), (beside, hulls[0], 0)):
        cv2.fillConvexPoly(mask, hull, (kept,), shift=4)
    return inside, beside
