"""What the network sees at feet of a zone: where silhouettes fit, and over a grid where no drink was found there.

In the light of two lamps shadows are as coloured as drinks are, and a blob of a few drinks and their shadows has no
silhouette of any.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

import cv2
import numpy as np

from companion.table import Appearance, Point
from vision.drinks.drink_pose import stands_near
from vision.drinks.foreground import BinaryImage
from vision.drinks.models import Models
from vision.drinks.second_opinion import SURELY_THERE_NATS
from vision.drinks.zone_rereading import MIN_SPACING_MM
from vision.imaging.arrays import Floats, Mask
from vision.imaging.box import Box
from vision.scene.scene import Scene
from vision.shapes.shape_net import presence_nats, shape_nats

GRID_MM = 4.0
"""From one foot to the next: the network has learned to see drinks whose feet are displaced by half as much."""

BODY_MM = 4.0
"""A foot is sought where foreground is seen at this height above it."""

SeenFeet = MutableMapping[Point, Mapping[Appearance, float]]
"""What the network tells of each foot, by shape and for EMPTY, in nats."""


class FeetSeen:
    """The feet of one zone, each looked at once. `known`: what the network told of those that were asked about
    before."""

    def __init__(self, scene: Scene, models: Models, box: Box, known: SeenFeet) -> None:
        self._scene, self._box = scene, box
        self._is_asked = models.network_knows
        middle_px = np.array([(box.left + box.width / 2, box.top + box.height / 2)])
        beside_px = round(GRID_MM * scene.view.px_per_mm(scene.view.to_table(middle_px)[0]))
        self._beside = np.ones((2 * beside_px + 1, 2 * beside_px + 1), np.uint8)
        self._known = known

    def may_stand(self, foot: Point) -> bool:
        """Whether a drink is seen at a foot rather than none; true where the network is not asked."""
        return not self._is_asked or self._presence(foot) > 0

    def surely_bare(self, foot: Point) -> bool:
        """Whether surely no drink is seen at a foot."""
        return self._is_asked and self._presence(foot) < -SURELY_THERE_NATS

    def seen(self, foot: Point) -> Mapping[Appearance, float] | None:
        """What the network tells of a foot; None where it is not asked."""
        if not self._is_asked:
            return None
        if foot not in self._known:
            self._known[foot] = shape_nats(self._scene.picture, np.array([*foot, 0.0]), in_slot=False, mirrored=False)
        return self._known[foot]

    def best(self, blob: BinaryImage, taken: Sequence[Point], least_nats: float) -> Point | None:
        """The foot below a blob (h, w) where a drink is seen most surely, by so many nats at least; None where none is.
        It is not sought where the feet of others leave it no room: `taken` (mm)."""
        if not self._is_asked:
            return None
        feet = [foot for foot in self._below(blob)
                if not stands_near(foot, taken, MIN_SPACING_MM) and self._presence(foot) > least_nats]
        return max(feet, key=self._presence, default=None)

    def _presence(self, foot: Point) -> float:
        nats = self.seen(foot)
        return 0.0 if nats is None else presence_nats(nats)

    def _below(self, blob: BinaryImage) -> list[Point]:
        """The points (mm) of the grid above which a blob is seen, or beside one: it may be but a part of a drink."""
        blob = np.asarray(cv2.dilate(blob, self._beside), np.uint8)
        rows, columns = np.nonzero(blob)
        px = np.column_stack([columns + self._box.left, rows + self._box.top]).astype(np.float64)
        spread = self._scene.view.to_table(px, BODY_MM)
        low, high = np.floor(spread.min(axis=0) / GRID_MM), np.ceil(spread.max(axis=0) / GRID_MM)
        x, y = np.meshgrid(*(np.arange(first, last + 1) * GRID_MM for first, last in zip(low, high)))
        feet = np.column_stack([x.ravel(), y.ravel()])
        return [(float(x), float(y)) for x, y in feet[self._are_in(blob, feet)]]

    def _are_in(self, blob: BinaryImage, feet: Floats) -> Mask:
        """Which of the feet (n, 2) are seen in a blob."""
        at = np.rint(self._scene.view.project_at(feet, BODY_MM)).astype(int) - (self._box.left, self._box.top)
        height, width = blob.shape
        column, row = at.T
        is_in = (at >= 0).all(axis=1) & (column < width) & (row < height)
        is_in[is_in] = blob[row[is_in], column[is_in]] > 0
        return np.asarray(is_in, np.bool_)
