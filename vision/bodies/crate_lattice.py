"""Crates that are moved from cell to cell of a lattice: which cells are occupied, and the pose of each crate.

The lattice itself is fitted to the crates: its cells are as wide as a crate and the gap that players leave. At the
first look the whole group is searched for near its expected pose; later a cell is looked at again when its picture
changed, and the group is searched for again when fewer crates are found than before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import SightError, phrase
from companion.table import EMPTY, Body, Point, Sight, Spot
from companion.table.crate import RIM_MM
from vision.bodies.crate_block import open_crates, steady
from vision.bodies.crate_fit import FittedBody, fit_in_glare, fit_in_shade, refit_crates
from vision.bodies.crate_look import CrateLook
from vision.bodies.lattice_grid import Grid, GridFinder
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.box import Box, box_around
from vision.imaging.footprints import outline_mm
from vision.imaging.polygons import mask_within
from vision.imaging.pose import Pose
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import METRIC
from vision.photometry.white_reference import LitPicture
from vision.scene.reading_cache import summarise, summary_changed
from vision.scene.scene import Scene

PUSHED_MM, PUSHED_DEG = 2, 2
"""The group was pushed when its pose changed by more than either."""

FAR_CELLS = 2
"""Crates are searched for on cells this near to an occupied one: people play several plies between two looks."""

RIM_NATS, EVEN_RIM = 60.0, 0.2
INSIDE_NATS, EVEN_COVERED = 16.0, 0.5
CELL_DIFFERENCE = 6.0
"""The evidence for a crate on a cell, in nats: `RIM_NATS` for each unit by which its rim stands out above `EVEN_RIM`,
and `INSIDE_NATS` for each unit of the covered share above `EVEN_COVERED`. A pixel of the cell is covered when it
differs from the bare table by more than `CELL_DIFFERENCE` (units of colour)."""

BARE_COVERED = 0.4
"""A cell with a smaller covered share holds no crate, whatever looks like a rim: in a gap of the group its neighbours'
rims do. Of all crates in eight sets 0.65 and more was covered, of cells without one at most 0.51."""

FULL_COVERED = 0.9
"""Where more of a cell's middle is covered, or a crate stood before, one may stand whose rims look otherwise, as in a
lamp's reflection."""

MIDDLE_SHARE = 0.6
"""The width of the central part of a cell in which the covered share is measured, as a share of the cell's."""

ROUGH_SHARE, ROUGH_MM, GRAIN_PX, NOISE_RANGE = 0.25, 6, 1.0, 7.5
"""A pixel of a cell is covered too where its lightness, as a share of the bare table's there, changes by more than
`ROUGH_SHARE` within `ROUGH_MM`, smoothed against noise by `GRAIN_PX`: walls, slots and lids are lighter and darker, and
a table of their colour lies evenly in light or shade. Noise alone makes the lightest and the darkest of so many
pixels differ by up to `NOISE_RANGE` of its standard deviations: in the dim a dark table is no crate."""

LED_BY_NATS = 8.0
"""At the first look crates that are less likely are fitted once more where the others say that they stand."""

MAX_NATS = 30.0


@dataclass(frozen=True, slots=True)
class _Cell:
    """The state of a cell: how it `looked` (h, w, 3) in a box, the log-likelihood ratio of a crate on it, and the best
    fit of one."""

    box: Box
    looked: Lab
    nats: float
    fitted: FittedBody


@dataclass(frozen=True, slots=True)
class _Changed:
    """A cell that is looked at again: a crate on it at its expected pose, and the share of its middle that is
    `covered`, that is, differs from the bare table."""

    body: Body
    covered: float

    def nats(self, fitted: FittedBody) -> float:
        """The log-likelihood ratio of a crate with this fit against none."""
        rim = RIM_NATS * (fitted.stands_out - EVEN_RIM)
        inside = INSIDE_NATS * (self.covered - EVEN_COVERED)
        return float(np.clip(rim + inside, -MAX_NATS, MAX_NATS))


class CrateLattice:
    """Finds the crates on one table's lattice. `cells` are bodies of one size, one for each cell, with the expected
    pose of a crate on it in the table frame; `zones` are corners (4, 2) in mm of areas where other things lie; `most`
    is how many crates there are, if that is known."""

    def __init__(
        self, look: CrateLook, cells: Sequence[Body], zones: Sequence[Floats], most: int | None = None
    ) -> None:
        self._look = look
        self._zones = [corners.astype(np.float32) for corners in zones]
        self._bodies = {body.spot: body for body in cells}
        self._most = most
        self._finder = GridFinder(cells)
        self._cells: dict[Spot, _Cell] = {}
        self._fresh: set[Spot] = set()
        self._looked: set[Spot] = set()
        self._grid: Grid | None = None

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The crates, each by the spot of its cell, and whether any pose changed since the last look.

        Raises `SightError` when no crate is found.
        """
        before = self._standing()
        self._fresh, self._looked = set(), set()
        is_first = self._grid is None
        if self._grid is None:
            free = {spot for spot, body in self._bodies.items() if not self._in_zone(body.at_mm)}  # cards have rims too
            self._grid, look = self._finder.find(scene.picture, self._look, self._finder.expected(), free)
            self._look_at(scene, self._finder.likely(scene.picture, look, self._grid))
        else:
            self._look_at(scene, self._near(before))
        if len(self._standing()) < len(before):
            self._follow(scene, self._grid)
        for _ in range(FAR_CELLS):  # a crate found far out brings cells beyond it into view
            self._look_at(scene, self._near(self._standing()) - self._looked)
        if is_first:
            self._line_up(scene)
        standing = self._standing()
        if not standing:
            self._grid = None
            raise SightError(phrase("eyes.no_crates"))
        self._grid = self._finder.fit(standing)
        return tuple(replace(self._bodies[spot], at_mm=each.at_mm, turn_deg=each.turn_deg)
                     for spot, each in standing.items()), standing != before

    def sights(self) -> list[Sight]:
        """One for each cell that was looked at. Where more look like crates than there are, it is the likeliest other
        choice that speaks for or against each."""
        standing = self._standing()
        nats = {spot: cell.nats for spot, cell in self._cells.items()}
        ranked = sorted(nats.values(), reverse=True)
        if self._most is not None and len(ranked) > self._most and ranked[self._most] > 0:
            last, next_one = ranked[self._most - 1], ranked[self._most]
            nats = {spot: each - (next_one if spot in standing else last) for spot, each in nats.items()}
        return [Sight(spot, cell.fitted.at_mm, {self._bodies[spot].appearance: nats[spot] / 2, EMPTY: -nats[spot] / 2},
                      cell.fitted.turn_deg if spot in standing else None, spot in self._fresh)
                for spot, cell in self._cells.items()]

    def clear(self) -> None:
        """The camera moved: cells cannot be compared with how they looked."""
        self._cells = {spot: replace(cell, looked=np.zeros_like(cell.looked)) for spot, cell in self._cells.items()}

    def _follow(self, scene: Scene, grid: Grid) -> None:
        """Locate the group again when crates are gone from their cells: perhaps it was pushed as a whole."""
        spots = self._near(self._standing()) or set(self._cells)
        found, _ = self._finder.find(scene.picture, self._look, grid, spots | set(self._cells))
        if found.is_near(grid, PUSHED_MM, PUSHED_DEG):
            return
        self._grid, before = found, self._cells
        self._cells = {}
        self._look_at(scene, set(before))

    def _line_up(self, scene: Scene) -> None:
        """Fit crates that are hardly sure once more, where the lattice of the sure ones has them, and on cells that are
        covered: one that was pulled aside, by lids or by a table of its colour, is set right by the others."""
        sure = {spot: each for spot, each in self._standing().items() if self._cells[spot].nats > LED_BY_NATS}
        if not sure or len(sure) == self._most:
            return
        self._grid = grid = self._finder.fit(sure)
        expected = [self._by_lattice(spot, grid) for spot in self._cells if spot not in sure]
        seen = [_Changed(body, _covered(scene, body)) for body in expected if not self._in_zone(body.at_mm)]
        again = [cell for cell in seen if cell.covered > EVEN_COVERED]
        if not again:
            return
        fitted = fit_in_shade(scene.picture, self._look, [cell.body for cell in again], list(sure.values()))
        for cell, each in zip(again, fitted):
            if cell.nats(each) > self._cells[cell.body.spot].nats:
                del self._cells[cell.body.spot]
                self._remember(scene, cell, each)

    # ------------------------------------------------------------ which cells are looked at

    def _standing(self) -> dict[Spot, FittedBody]:
        """The crates as they fit best: of more than there are the likeliest."""
        likely = [spot for spot, cell in self._cells.items() if cell.nats > 0]
        kept = set(sorted(likely, key=lambda spot: -self._cells[spot].nats)[:self._most])
        return {spot: self._cells[spot].fitted for spot in likely if spot in kept}

    def _near(self, standing: Mapping[Spot, FittedBody]) -> set[Spot]:
        """The cells on which crates stand or that are near one."""
        numbers = self._finder.numbers
        there = np.array([numbers[spot] for spot in standing]).reshape(-1, 2)
        every = np.array(list(numbers.values()))
        near = (np.abs(every[:, None] - there).max(axis=2) <= FAR_CELLS).any(axis=1)
        return {spot for spot, is_near in zip(numbers, near.tolist()) if is_near}

    def _expected_on(self, spots: Collection[Spot]) -> list[Body]:
        """A crate on each of some cells, at its last pose or at the pose by the lattice, but for cells in zones."""
        assert self._grid is not None
        standing, expected = self._standing(), []
        for spot in self._bodies:
            if spot not in spots:
                continue
            stood = standing.get(spot)
            body = self._by_lattice(spot, self._grid) if stood is None else self._at(spot, stood.pose)
            if not self._in_zone(body.at_mm):
                expected.append(body)
        return expected

    def _by_lattice(self, spot: Spot, grid: Grid) -> Body:
        """A crate on a cell of the lattice."""
        return self._at(spot, grid.pose(self._finder.numbers[spot]))

    def _at(self, spot: Spot, pose: Pose) -> Body:
        return replace(self._bodies[spot], at_mm=pose.at_mm, turn_deg=pose.turn_deg)

    def _in_zone(self, at_mm: Point) -> bool:
        return any(cv2.pointPolygonTest(corners, at_mm, False) >= 0 for corners in self._zones)

    def _changed(self, scene: Scene, body: Body) -> bool:
        cell = self._cells.get(body.spot)
        return cell is None or summary_changed(cell.looked, summarise(scene, cell.box))

    # ------------------------------------------------------------ and what is seen on them

    def _look_at(self, scene: Scene, spots: set[Spot]) -> None:
        """Look again at those cells of which the picture changed."""
        self._looked |= spots
        expected = self._expected_on(spots)
        if not expected:
            return
        open_crates(scene, expected)
        changed = [_Changed(body, _covered(scene, body)) for body in expected if self._changed(scene, body)]
        bare = [cell for cell in changed if cell.covered < BARE_COVERED]
        for cell in bare:
            self._remember(scene, cell, FittedBody(cell.body.spot, cell.body.at_mm, cell.body.turn_deg, 0.0, 0.0))
        others = [cell for cell in changed if cell.covered >= BARE_COVERED]
        fitted = self._fit(scene.picture, others)
        for cell in others:
            self._remember(scene, cell, fitted[cell.body.spot])

    def _fit(self, picture: LitPicture, cells: Sequence[_Changed]) -> dict[Spot, FittedBody]:
        """The best fit of a crate on each of some cells: from its last pose, else close to its expected pose, else,
        where the cell is covered, farther around."""
        standing = self._standing()
        stood = [cell.body for cell in cells if cell.body.spot in standing]
        fitted = _by_spot(refit_crates(picture, self._look, stood, list(standing.values()))) if stood else {}
        missing = [cell for cell in cells
                   if cell.body.spot not in fitted or cell.nats(fitted[cell.body.spot]) <= 0]
        if missing:
            sought = {cell.body.spot for cell in missing}
            beside = [each for spot, each in (standing | fitted).items() if spot not in sought]
            fitted |= _by_spot(fit_in_shade(picture, self._look, [cell.body for cell in missing], beside))
        unsure = [cell.body for cell in missing
                  if cell.nats(fitted[cell.body.spot]) <= 0 and cell.covered > EVEN_COVERED]
        if unsure:
            wide = fit_in_shade(picture, self._look, unsure, wide=True)
            fitted |= _by_spot(each for each in wide if each.stands_out > fitted[each.spot].stands_out)
        unlike = [cell.body for cell in missing
                  if cell.nats(fitted[cell.body.spot]) <= 0
                  and cell.covered > (EVEN_COVERED if cell.body.spot in standing else FULL_COVERED)]
        if unlike:
            there = [each for spot, each in (standing | fitted).items() if spot not in {body.spot for body in unlike}]
            glaring = fit_in_glare(picture, self._look, unlike, there)
            fitted |= _by_spot(each for each in glaring if each.stands_out > fitted[each.spot].stands_out)
        return fitted

    def _remember(self, scene: Scene, cell: _Changed, fitted: FittedBody) -> None:
        body, old, nats = cell.body, self._cells.get(cell.body.spot), cell.nats(fitted)
        if nats <= 0:
            fitted = replace(fitted, at_mm=body.at_mm)
        elif old is not None and old.nats > 0:
            fitted = steady(old.fitted, fitted)
        box = box_around(scene.view.project_at(outline_mm(body), RIM_MM), 2)
        self._cells[body.spot] = _Cell(box, summarise(scene, box), nats, fitted)
        self._fresh.add(body.spot)


def _by_spot(fitted: Iterable[FittedBody]) -> dict[Spot, FittedBody]:
    return {each.spot: each for each in fitted}


def _covered(scene: Scene, body: Body) -> float:
    """The share of a cell's middle that differs from the bare table, or lies less evenly in the light."""
    inner = (outline_mm(body) - body.at_mm) * MIDDLE_SHARE + body.at_mm
    corners = scene.view.project_at(inner, 0.0)
    box = box_around(corners, 0)
    seen, bare = scene.seen(box), scene.bare(box)
    off = (seen - nearest_table(seen, bare, shadow=scene.shadow)) * METRIC
    reach_px = round(ROUGH_MM * scene.view.px_per_mm(body.at_mm, 0.0))
    differs = (np.linalg.norm(off, axis=2) > CELL_DIFFERENCE) | _rough(
        seen[..., 0], bare[..., 0], reach_px, NOISE_RANGE * scene.noise.light_sd)
    return float(differs[mask_within(box, [corners]) > 0].mean())


def _rough(light: Values, bare_light: Values, reach_px: int, by_noise: float) -> Mask:
    """Where (h, w) lightness (h, w), as a share of the bare table's, changes much within so many pixels, and by more
    than by noise."""
    smooth, bare = (cv2.GaussianBlur(each, (0, 0), GRAIN_PX) for each in (light, np.maximum(bare_light, np.float32(1))))
    share = np.asarray(smooth / bare, np.float32)
    around = np.ones((reach_px + 1 - reach_px % 2,) * 2, np.uint8)
    high, low = cv2.dilate(share, around), cv2.erode(share, around)
    return np.asarray(high - low > np.maximum(ROUGH_SHARE * high, by_noise / bare), np.bool_)
