"""One picture with all that is known of it: camera, light, where crates stand, how the bare table looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from vision.background import CrateColours, Lab, nearest_table
from vision.camera import Floats, View
from vision.crates import RIM_MM, WALL_MM
from vision.frames import Image
from vision.light import White, to_lab
from vision.solids import Box

FLOOR_MM = 1.2
"""Height of a crate's floor above the table."""

SLOTS = (2, 3)
"""Slots of a crate along its x and y."""

TABLE, WALL, INSIDE, RIM = range(4)
"""What the background is at a pixel."""

SAME_CAMERA_PX = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The table without pieces, as `view` saw it under the light of `white`."""

    image: Image
    view: View
    white: White


def slot_centres_mm(crate: Body) -> Floats:
    """Centres (6, 2) of a crate's slots in the frame the crate is given in: front row first, left to right."""
    across, deep = crate.size_mm[0], crate.size_mm[1]
    pitch = ((across - WALL_MM) / SLOTS[0], (deep - WALL_MM) / SLOTS[1])
    own = [((column - (SLOTS[0] - 1) / 2) * pitch[0], (row - (SLOTS[1] - 1) / 2) * pitch[1])
           for row in range(SLOTS[1]) for column in range(SLOTS[0])]
    return np.asarray(np.array(own) @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def opening_mm(crate: Body, centre_mm: Floats) -> Floats:
    """Corners (4, 2) of the opening of the slot with this centre."""
    half = [(size - WALL_MM) / slots / 2 - WALL_MM / 2 for size, slots in zip(crate.size_mm, SLOTS)]
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return np.asarray(corners @ spin(crate.turn_deg).T + centre_mm, np.float64)


def outline_mm(crate: Body) -> Floats:
    """Corners (4, 2) of a crate."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(crate.size_mm[:2]) / 2
    return np.asarray(corners @ spin(crate.turn_deg).T + crate.at_mm, np.float64)


def spin(turn_deg: float) -> Floats:
    """The rotation (2, 2) by an angle, anticlockwise."""
    turn = np.radians(turn_deg)
    return np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])


class Scene:
    """A picture, opened for reading parts of it. `crates` are where they stand in the table frame."""

    def __init__(self, image: Image, view: View, white: White, bare: Bare | None,
                 colours: CrateColours | None, crates: Sequence[Body] = ()) -> None:
        self.image, self.view, self.white = image, view, white
        self._colours = colours
        self._bare = bare
        self._to_bare = None if bare is None else _to_bare(view, bare.view)
        self._others: npt.NDArray[np.uint8] | None = None
        self._open: list[tuple[Box, Lab]] = []
        self.stand(crates)

    def stand(self, crates: Sequence[Body]) -> None:
        """Say where the crates stand."""
        self.crates = tuple(crates)
        self._kinds = _kinds(self.image.shape[:2], self.view, crates) if crates and self._colours else None

    def open(self, box: Box) -> None:
        """Prepare a box of which many parts will be asked for."""
        self._open.append((box, self.seen(box)))

    def seen(self, box: Box) -> Lab:
        """The picture in a box as white-referenced Lab."""
        for whole, lab in self._open:
            if box in whole:
                left, top = box.left - whole.left, box.top - whole.top
                return lab[top:top + box.height, left:left + box.width]
        return _lab(cut(self.image, box), self.white, box)

    def bare(self, box: Box) -> Lab:
        """The bare table in a box; of one colour, that of the box's edge, while no bare table is known."""
        if self._bare is None:
            seen = self.seen(box)
            edge = np.concatenate([seen[:3].reshape(-1, 3), seen[-3:].reshape(-1, 3), seen[:, :3].reshape(-1, 3),
                                   seen[:, -3:].reshape(-1, 3)])
            return np.broadcast_to(np.median(edge, axis=0), seen.shape).astype(np.float32)
        if self._to_bare is None:
            return _lab(cut(self._bare.image, box), self._bare.white, box)
        matrix = self._to_bare @ np.array([(1, 0, box.left), (0, 1, box.top), (0, 0, 1)], np.float64)
        crop = cv2.warpPerspective(self._bare.image, matrix, (box.width, box.height),
                                   flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        return _lab(np.asarray(crop, np.uint8), self._bare.white, box)

    def background(self, box: Box, seen: Lab) -> Lab:
        """What would be seen in a box without any drink: the colours nearest to what is seen."""
        table = nearest_table(seen, self.bare(box))
        if self._kinds is None or self._colours is None:
            return table
        kinds = cut(self._kinds, box)
        if not kinds.any():
            return table
        crate = self._colours.nearest(seen, kinds == RIM, kinds == WALL)
        return np.where((kinds != TABLE)[..., None], crate, table).astype(np.float32)

    def cover(self, outline_px: Floats, number: int) -> None:
        """Say that drink `number` (from 1) is seen within a convex outline (n, 2)."""
        if self._others is None:
            self._others = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillConvexPoly(self._others, np.rint(outline_px).astype(np.int32), number)

    def others(self, box: Box, number: int) -> npt.NDArray[np.bool_]:
        """Where (h, w) in a box other drinks than `number` are seen."""
        if self._others is None:
            return np.zeros((box.height, box.width), np.bool_)
        numbers = cut(self._others, box)
        return np.asarray((numbers != 0) & (numbers != number), np.bool_)

    def kinds(self, box: Box) -> npt.NDArray[np.uint8]:
        """What the background is: TABLE, WALL, INSIDE or RIM for each pixel."""
        return np.zeros((box.height, box.width), np.uint8) if self._kinds is None else cut(self._kinds, box)


def _kinds(shape: tuple[int, ...], view: View, crates: Sequence[Body]) -> npt.NDArray[np.uint8]:
    kinds = np.zeros(shape, np.uint8)
    for crate in crates:
        low, high = (view.project_at(outline_mm(crate), height) for height in (0.0, RIM_MM))
        _fill(kinds, np.asarray(cv2.convexHull(np.concatenate([low, high]).astype(np.float32)), np.float64), WALL)
    for crate in crates:
        _fill(kinds, view.project_at(outline_mm(crate), RIM_MM), RIM)
        for centre in slot_centres_mm(crate):
            _fill(kinds, view.project_at(opening_mm(crate, centre), RIM_MM), INSIDE)
    return kinds


def _fill(kinds: npt.NDArray[np.uint8], corners_px: Floats, kind: int) -> None:
    cv2.fillConvexPoly(kinds, np.rint(corners_px.reshape(-1, 2) * 16).astype(np.int32), kind, shift=4)


def _to_bare(view: View, bare: View) -> Floats | None:
    """The homography (3, 3) of table points from this picture to the bare one; None when the camera did not move."""
    width, height = view.lens.width, view.lens.height
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    there = bare.project_at(view.to_table(corners), 0.0)
    if np.abs(there - corners).max() < SAME_CAMERA_PX:
        return None
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), there.astype(np.float32)), np.float64)


def _lab(crop: Image, white: White, box: Box) -> Lab:
    return to_lab(white.normalise(crop, box.left, box.top))


def cut(picture: npt.NDArray[np.uint8], box: Box) -> npt.NDArray[np.uint8]:
    """A box of a picture; beyond the picture's edge its last pixels are repeated."""
    height, width = picture.shape[:2]
    if box.left >= 0 and box.top >= 0 and box.left + box.width <= width and box.top + box.height <= height:
        return picture[box.slices]
    rows = np.arange(box.top, box.top + box.height).clip(0, height - 1)
    columns = np.arange(box.left, box.left + box.width).clip(0, width - 1)
    return np.asarray(picture[rows[:, None], columns], np.uint8)
