"""One picture with all that is known of it: camera, white reference, poses of crates, background, occluders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

import numpy as np

from companion.table import Body
from vision.imaging.arrays import Mask
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.imaging.polygons import fill_convex
from vision.photometry.background_model import MAX_TABLE_LIGHT, CrateColours, Lab, nearest_table, spread_colours
from vision.photometry.channel_noise import TILE_PX, UNMEASURED, Trust, noise_in, tile_noise
from vision.photometry.shadow_tint import DEEPEST_SHADOW, GREY_SHADOW
from vision.photometry.unsharp import KERNEL_REACH_PX, unsharpened
from vision.photometry.white_reference import LitPicture, White, to_opponent
from vision.scene.bare_table import Bare, edge_colour, table_homography
from vision.scene.empty_slot_model import Emptied
from vision.scene.occluders import Drawn, Obstacle
from vision.scene.surfaces import CRATE_INSIDE, OTHER, TABLE, SurfaceMap, crate_surfaces

NOISE_ROWS = 3
"""Noise is measured in every third row of squares: there are hundreds."""


class Scene:
    """A picture, opened for reading parts of it. `crates` have their poses in the table frame, `noise` is
    that of the camera."""

    def __init__(self, image: Image, view: View, white: White, bare: Bare | None,
                 colours: CrateColours | None, crates: Sequence[Body] = ()) -> None:
        self.picture = LitPicture(image, view, white)
        self.image, self.view, self.white = image, view, white
        self._colours = colours
        self._bare = bare
        self.shadow = GREY_SHADOW if bare is None else bare.shadow
        self.noise = UNMEASURED
        self._to_bare = None if bare is None else table_homography(view, bare.view)
        self._drawn: dict[int, Drawn] = {}
        self._open: tuple[Box, Lab] | None = None
        self._emptied: Emptied | None = None
        self._obstacles: list[Obstacle] = []
        self.stand(crates)

    # ------------------------------------------------------------ what is known of it

    def stand(self, crates: Sequence[Body]) -> None:
        """Set the poses of the crates."""
        self.crates = tuple(crates)
        is_known = bool(crates) and self._colours is not None
        self._surfaces = crate_surfaces(self.image.shape[:2], self.view, self.crates) if is_known else None

    def measure_noise(self, box: Box) -> None:
        """Set the noise to what it is in some rows of a box that is mostly bare table."""
        if self._bare is not None:
            rows = islice(box.strips(TILE_PX), 0, None, NOISE_ROWS)
            self.noise = noise_in(tile_noise(self.seen(strip) - self.bare(strip)) for strip in rows)

    @property
    def trust(self) -> Trust:
        """The weights of lightness and colours where faces, and looks, are compared, and where foreground is sought."""
        return self.noise.trust

    def lay(self, things: Sequence[Obstacle]) -> None:
        """Add occluders: at their pixels the background is what is seen, and what is behind is occluded."""
        self._obstacles += things

    def recall(self, emptied: Emptied | None) -> None:
        """Set the remembered background of the crates, for the poses that they have."""
        self._emptied = emptied

    def remembered(self, box: Box) -> tuple[Lab, Mask]:
        """The remembered background of the crates in a box (h, w, 3), and where (h, w) it is known."""
        colours, known = np.zeros((box.height, box.width, 3), np.float32), np.zeros((box.height, box.width), np.bool_)
        if self._emptied is not None and self._emptied.box.meets(box):
            there, here = self._emptied.box.overlap(box)
            colours[here], known[here] = self._emptied.colours[there], self._emptied.known[there]
        return colours, known

    def draw(self, number: int, drawn: Drawn | None) -> None:
        """Set the rendering of drink `number` (from 1); None when it is not there after all."""
        self._drawn.pop(number, None)
        if drawn is not None:
            self._drawn[number] = drawn

    # ------------------------------------------------------------ what is seen

    def open(self, box: Box) -> None:
        """Convert a box in advance, of which many parts will be asked for. One at a time: it takes megabytes."""
        self._open = None
        self._open = box, self.seen(box)

    def seen(self, box: Box) -> Lab:
        """The picture in a box as white-referenced lightness and opponent colours (h, w, 3)."""
        if self._open is not None and box in self._open[0]:
            whole, lab = self._open
            left, top = box.left - whole.left, box.top - whole.top
            return lab[top:top + box.height, left:left + box.width]
        return to_opponent(self.white, box.cut(self.image), box.left, box.top)

    def plain(self, box: Box) -> Lab:
        """The same without the camera's sharpening, for comparison with renderings."""
        return _plain(self.seen(_widened(box)), self.white.sharpened)

    # ------------------------------------------------------------ and what would be

    def bare(self, box: Box) -> Lab:
        """The bare table in a box (h, w, 3); of one colour, that of the box's edge, while no bare table is known."""
        return edge_colour(self.seen(box)) if self._bare is None else self._bare.seen(box, self._to_bare)

    def plain_bare(self, box: Box) -> Lab:
        """The bare table in a box without sharpening."""
        return _plain(self.bare(_widened(box)), 0.0 if self._bare is None else self._bare.white.sharpened)

    def background(self, box: Box, seen: Lab, number: int = 0, deepest: float = DEEPEST_SHADOW) -> Lab:
        """The prediction (h, w, 3) of what is `seen` in a box, without sharpening and without drink `number`: at each
        pixel the nearest colour of the table, in a shadow that leaves at least the share `deepest` of its lightness, or
        of a crate, with all other drinks blended in."""
        ground = self._ground(box, seen, deepest)
        for drawn in sorted(self._near(box, number), key=lambda each: -each.far_mm):  # the nearest cover the others
            drawn.lay_over(ground, seen, box)
        return ground

    def _ground(self, box: Box, seen: Lab, deepest: float) -> Lab:
        """Table and crates."""
        table = nearest_table(seen, self.plain_bare(box), (deepest, MAX_TABLE_LIGHT), self.shadow)
        surfaces = self.kinds(box)
        if not surfaces.any():
            return table
        ground = np.where((surfaces == OTHER)[..., None], seen, table).astype(np.float32)
        if self._colours is None:
            return ground
        crate = self._colours.nearest(seen, surfaces != CRATE_INSIDE)
        is_crate = (surfaces != TABLE) & (surfaces != OTHER)
        ground = spread_colours(np.where(is_crate[..., None], crate, ground), seen)
        if self._emptied is not None:
            self._emptied.lay_over(ground, seen, box)
        return ground

    def kinds(self, box: Box, least_mm: float = 0.0) -> SurfaceMap:
        """The surface at each pixel (h, w): TABLE, CRATE_WALL, CRATE_INSIDE, CRATE_RIM or OTHER, of crates and of
        things that are at least so high."""
        kinds = np.zeros((box.height, box.width), np.uint8) if self._surfaces is None else self._surfaces.within(box)
        for thing in self._obstacles:
            if thing.height_mm >= least_mm and thing.box.meets(box):
                fill_convex(kinds, thing.outline_px - (box.left, box.top), OTHER)
        return kinds

    # ------------------------------------------------------------ what stands before what

    def hidden(self, box: Box, number: int, far_mm: float) -> Mask:
        """Where (h, w) in a box other drinks or bodies occlude one at this distance from the point below the camera."""
        hidden = np.zeros((box.height, box.width), np.bool_)
        for thing in self._obstacles:
            if thing.box.meets(box):
                hidden |= thing.covers(self.view, box, far_mm)
        for drawn in self._near(box, number):
            if drawn.far_mm < far_mm:
                drawn.hide(hidden, box)
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


def _widened(box: Box) -> Box:
    """The box with the margin that its lightness without sharpening depends on."""
    reach = KERNEL_REACH_PX
    return Box(box.left - reach, box.top - reach, box.width + 2 * reach, box.height + 2 * reach)


def _plain(lab: Lab, sharpened: float) -> Lab:
    """A widened box (h, w, 3) without sharpening, cropped to the original box."""
    inner = np.s_[KERNEL_REACH_PX:-KERNEL_REACH_PX, KERNEL_REACH_PX:-KERNEL_REACH_PX]
    plain = lab[inner].copy()
    plain[..., 0] = unsharpened(np.ascontiguousarray(lab[..., 0]), sharpened)[inner]
    return plain
