"""One picture with all that is known of it: camera, light, where crates stand, how the bare table looks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from companion.table.crate import RIM_MM
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import View
from vision.imaging.footprints import opening_mm, outline_mm, slot_centres_mm
from vision.imaging.frame import Image
from vision.photometry.background_model import LIGHTER, CrateColours, Lab, nearest_table, spread_colours
from vision.photometry.shadow_tint import DEEPEST, GREY, Shadow
from vision.photometry.unsharp import REACH_PX, unsharpened
from vision.photometry.white_reference import White, to_opponent
from vision.scene.empty_slot_model import Emptied

TABLE, WALL, INSIDE, RIM, OTHER = range(5)
"""What the background is at a pixel; `OTHER` is something that was read otherwise, a board or a card."""

SAME_CAMERA_PX = 0.3

DRAWN_LIGHT = (0.75, 1.3)
"""A drink that was read may be seen in so much less or more light than it is drawn in."""

HIDES = 0.2
"""A pixel of which a nearer drink covers more than this tells nothing of one behind it."""


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The table without pieces, as `view` saw it under the light of `white`, and what shadows do to it."""

    image: Image
    view: View
    white: White
    shadow: Shadow = GREY


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A drink that was read, as it should look: `colours` (h, w, 3) in a box, times the `share` (h, w, 3) of each
    pixel's lightness and colours that it covers. `far_mm`: how far from the point below the camera it stands."""

    box: Box
    colours: Lab
    share: Lab
    far_mm: float


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Something that is no drink: its convex outline (n, 2) as it is seen, and how high it is."""

    outline_px: Floats
    height_mm: float

    @cached_property
    def box(self) -> Box:
        """The part of the picture in which it is seen."""
        return box_around(self.outline_px, 1)

    def covers(self, view: View, box: Box, far_mm: float) -> npt.NDArray[np.bool_]:
        """Where (h, w) in a box it is seen before what stands so far from the point below the camera."""
        seen = np.zeros((box.height, box.width), np.uint8)
        _fill(seen, self.outline_px - (box.left, box.top), 1)
        rows, columns = np.nonzero(seen)
        if len(rows):
            px = np.column_stack([columns, rows]) + np.array([box.left, box.top], np.float64)
            off_mm = view.to_table(px, self.height_mm) - view.position_mm[:2]
            seen[rows, columns] = np.linalg.norm(off_mm, axis=1) < far_mm
        return seen > 0


class Scene:
    """A picture, opened for reading parts of it. `crates` are where they stand in the table frame."""

    def __init__(self, image: Image, view: View, white: White, bare: Bare | None,
                 colours: CrateColours | None, crates: Sequence[Body] = ()) -> None:
        self.image, self.view, self.white = image, view, white
        self._colours = colours
        self._bare = bare
        self.shadow = GREY if bare is None else bare.shadow
        self._to_bare = None if bare is None else _to_bare(view, bare.view)
        self._drawn: dict[int, Drawn] = {}
        self._open: list[tuple[Box, Lab]] = []
        self._emptied: Emptied | None = None
        self._obstacles: list[Obstacle] = []
        self.stand(crates)

    def stand(self, crates: Sequence[Body]) -> None:
        """Say where the crates stand."""
        self.crates = tuple(crates)
        is_known = bool(crates) and self._colours is not None
        self._kinds = _kinds(self.image.shape[:2], self.view, self.crates).copy() if is_known else None

    def lay(self, things: Sequence[Obstacle]) -> None:
        """Say what else lies there: the background looks there as it is seen, and what is behind is hidden."""
        if not things:
            return
        if self._kinds is None:
            self._kinds = np.zeros(self.image.shape[:2], np.uint8)
        for thing in things:
            _fill(self._kinds, thing.outline_px, OTHER)
        self._obstacles += things

    def recall(self, emptied: Emptied | None) -> None:
        """Say how the crates looked, standing as they do, where they held nothing."""
        self._emptied = emptied

    def open(self, box: Box) -> None:
        """Prepare a box of which many parts will be asked for."""
        self._open.append((box, self.seen(box)))

    def seen(self, box: Box) -> Lab:
        """The picture in a box as white-referenced Lab."""
        for whole, lab in self._open:
            if box in whole:
                left, top = box.left - whole.left, box.top - whole.top
                return lab[top:top + box.height, left:left + box.width]
        return _lab(box.cut(self.image), self.white, box)

    def plain(self, box: Box) -> Lab:
        """The same without the camera's sharpening, as drinks are painted."""
        return _plain(self.seen(_widened(box)), self.white.sharpened)

    def bare(self, box: Box) -> Lab:
        """The bare table in a box; of one colour, that of the box's edge, while no bare table is known."""
        if self._bare is None:
            seen = self.seen(box)
            edge = np.concatenate([seen[:3].reshape(-1, 3), seen[-3:].reshape(-1, 3), seen[:, :3].reshape(-1, 3),
                                   seen[:, -3:].reshape(-1, 3)])
            return np.broadcast_to(np.median(edge, axis=0), seen.shape).astype(np.float32)
        if self._to_bare is None:
            return _lab(box.cut(self._bare.image), self._bare.white, box)
        matrix = self._to_bare @ np.array([(1, 0, box.left), (0, 1, box.top), (0, 0, 1)], np.float64)
        crop = cv2.warpPerspective(self._bare.image, matrix, (box.width, box.height),
                                   flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
        return _lab(np.asarray(crop, np.uint8), self._bare.white, box)

    def plain_bare(self, box: Box) -> Lab:
        """The bare table in a box without sharpening."""
        return _plain(self.bare(_widened(box)), 0.0 if self._bare is None else self._bare.white.sharpened)

    def background(self, box: Box, seen: Lab, number: int = 0, deepest: float = DEEPEST) -> Lab:
        """What would be `seen` in a box, without sharpening, but for drink `number`: the colours nearest to what is
        seen, of the table in a shadow that leaves at least the share `deepest` of its light, and other drinks."""
        ground = self._ground(box, seen, deepest)
        farthest_first = sorted(self._near(box, number), key=lambda drawn: -drawn.far_mm)
        for drawn in farthest_first:
            there, here = drawn.box.overlap(box)
            share, colours = drawn.share[there], drawn.colours[there]
            alone = (colours / np.maximum(share, 0.05)).astype(np.float32)
            whole = nearest_table(seen[here], alone, DRAWN_LIGHT)
            ground[here] += (whole - ground[here]) * share
        return ground

    def _ground(self, box: Box, seen: Lab, deepest: float) -> Lab:
        """Table and crates."""
        table = nearest_table(seen, self.plain_bare(box), (deepest, LIGHTER), self.shadow)
        if self._kinds is None:
            return table
        kinds = box.cut(self._kinds)
        if not kinds.any():
            return table
        ground = np.where((kinds == OTHER)[..., None], seen, table).astype(np.float32)
        if self._colours is None:
            return ground
        crate = self._colours.nearest(seen, kinds != INSIDE)
        ground = spread_colours(np.where(((kinds != TABLE) & (kinds != OTHER))[..., None], crate, ground), seen)
        if self._emptied is not None:
            self._emptied.lay_over(ground, seen, box)
        return ground

    def draw(self, number: int, drawn: Drawn | None) -> None:
        """Say how drink `number` (from 1) looks; None when it is not there after all."""
        self._drawn.pop(number, None)
        if drawn is not None:
            self._drawn[number] = drawn

    def hidden(self, box: Box, number: int, far_mm: float) -> npt.NDArray[np.bool_]:
        """Where (h, w) in a box other drinks or things stand before one that stands so far out."""
        hidden = np.zeros((box.height, box.width), np.bool_)
        for thing in self._obstacles:
            if thing.box.meets(box):
                hidden |= thing.covers(self.view, box, far_mm)
        for drawn in self._near(box, number):
            if drawn.far_mm < far_mm:
                there, here = drawn.box.overlap(box)
                hidden[here] |= drawn.share[there][..., 1] > HIDES
        return hidden

    def has_neighbours(self, box: Box, number: int, among: Collection[int] | None = None) -> bool:
        """Whether other drinks, of some or of all, are drawn in a box."""
        return any(other != number and (among is None or other in among) and drawn.box.meets(box)
                   for other, drawn in self._drawn.items())

    def shows(self, number: int, box: Box) -> bool:
        """Whether drink `number` is drawn in a box."""
        return number in self._drawn and self._drawn[number].box.meets(box)

    def _near(self, box: Box, number: int) -> list[Drawn]:
        return [drawn for other, drawn in self._drawn.items() if other != number and drawn.box.meets(box)]

    def kinds(self, box: Box) -> npt.NDArray[np.uint8]:
        """What the background is for each pixel: TABLE, WALL, INSIDE, RIM or OTHER."""
        return np.zeros((box.height, box.width), np.uint8) if self._kinds is None else box.cut(self._kinds)


def far_mm(view: View, foot_mm: Floats) -> float:
    """How far from the point below the camera something stands: what is nearer hides what is farther."""
    return float(np.linalg.norm(np.asarray(foot_mm)[:2] - view.position_mm[:2]))


@lru_cache(maxsize=1)  # crates stay where they are from look to look
def _kinds(shape: tuple[int, ...], view: View, crates: tuple[Body, ...]) -> npt.NDArray[np.uint8]:
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
    return to_opponent(white, crop, box.left, box.top)


def _widened(box: Box) -> Box:
    """The box with what its lightness without sharpening depends on."""
    return Box(box.left - REACH_PX, box.top - REACH_PX, box.width + 2 * REACH_PX, box.height + 2 * REACH_PX)


def _plain(lab: Lab, sharpened: float) -> Lab:
    """A widened box without sharpening, as wide as it was before."""
    inner = lab[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX].copy()
    inner[..., 0] = unsharpened(np.ascontiguousarray(lab[..., 0]), sharpened)[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX]
    return inner
