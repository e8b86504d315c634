"""The search area of a drink: a part of the picture, with the shapes that may stand there painted for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.drinks.canvas import Canvas, ShapePose
from vision.drinks.crop import Crop
from vision.drinks.drink_pose import HALO_PX, DrinkPose, image_to_table
from vision.drinks.drink_reading import DrinkPrior
from vision.drinks.models import Models
from vision.drinks.pattern_search import UNIT_PX, Offset
from vision.drinks.ring_raster import OVERSAMPLING, Painted, project_each
from vision.imaging.arrays import Mask
from vision.imaging.box import Box, box_around, even_sized
from vision.imaging.camera import View
from vision.photometry.shadow_tint import DEEPEST_SHADOW
from vision.scene.occluders import far_mm
from vision.scene.scene import Scene

TurnedShape = tuple[str, float]
"""A shape and its turn in degrees."""


@dataclass(frozen=True, slots=True, eq=False)
class PaintedShapes:
    """Shapes painted where they may stand: their poses, the canvas, the box, and where (h, w) in it any of them may be
    seen."""

    poses: Sequence[ShapePose]
    canvas: Canvas
    box: Box
    anywhere: Mask


@dataclass(frozen=True, slots=True, eq=False)
class SearchArea:
    """The painted shapes with the crop of the picture, and the range of offsets in units of `UNIT_PX`."""

    shapes: PaintedShapes
    crop: Crop
    reach: int


def make_search_area(scene: Scene, pose: DrinkPose, models: Models, prior: DrinkPrior, turned: Sequence[TurnedShape],
                     far: Iterable[Offset] = ()) -> SearchArea:
    """The search area of drinks at some turns, within reach of a pose and of further offsets `far` from it."""
    reach_px = prior.reach_mm * scene.view.px_per_mm(pose.foot_mm[:2], float(pose.foot_mm[2]))
    farthest_px = UNIT_PX * max((float(np.abs(offset).max()) for offset in far), default=0.0)
    paint = _paint_in_slot if pose.in_slot else _paint
    shapes = paint(scene.view, pose, models, tuple(turned), reach_px + farthest_px)
    crop = crop_around(scene, shapes.box, shapes.anywhere, pose, prior.number)
    return SearchArea(shapes, crop, int(np.ceil(reach_px / UNIT_PX)))


def _paint(view: View, pose: DrinkPose, models: Models, turned: Sequence[TurnedShape], reach_px: float
           ) -> PaintedShapes:
    rings = project_each(view, [(models.solids[shape], turn) for shape, turn in turned], pose.foot_mm)
    box = even_sized(box_around(np.concatenate(rings), HALO_PX + int(np.ceil(reach_px)) + 1))
    canvas = Canvas(pose, pose.opening_px(view), box, image_to_table(view, pose.foot_mm))
    poses = [ShapePose(shape, turn, at, canvas.paint_small(models.solids[shape], at))
             for (shape, turn), at in zip(turned, rings)]
    return PaintedShapes(poses, canvas, box, _at_pixels(np.maximum.reduce([each.small for each in poses])))


_paint_in_slot = lru_cache(maxsize=12)(_paint)  # a slot stays where it is; few change, and each takes 90 kB


def _at_pixels(small: Painted) -> Mask:
    """Whether something is painted at the centre of each pixel of the picture (h, w), from the half-scale painting."""
    near = [at for cell in range(0, small.shape[0], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    across = [at for cell in range(0, small.shape[1], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    return np.asarray(small[near][:, across] > 0, np.bool_)


def crop_around(scene: Scene, box: Box, anywhere: Mask, pose: DrinkPose, number: int = 0) -> Crop:
    """The crop of a box with the pixels around where a drink may be seen (`anywhere`, h, w). Drinks with other numbers
    that are drawn in the scene are background or occluders."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * HALO_PX + 1, 2 * HALO_PX + 1))
    seen = scene.plain(box)
    near = cv2.dilate(anywhere.astype(np.uint8), kernel) > 0
    shown = ~scene.hidden(box, number, far_mm(scene.view, pose.foot_mm))
    deepest = DEEPEST_SHADOW if pose.in_slot else scene.shadow.deepest  # crates throw deeper ones
    return Crop(seen, scene.background(box, seen, number, deepest), np.asarray(near & shown, np.bool_), shown)
