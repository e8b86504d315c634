"""Crates that are moved from cell to cell of a lattice: which cells have one, and where exactly it stands.

The lattice itself lies where the crates stand: its cells are as wide as a crate and the gap that players leave. At the
first look the whole group is looked for near where it is expected; later a cell is looked at again when its picture
changed, and the group as a whole when many crates are no longer where they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import SightError, phrase
from companion.table import EMPTY, Body, Point, Sight, Spot
from companion.table.crate import RIM_MM
from vision.bodies.crate_block import BLOCK_PX, steady
from vision.bodies.crate_fit import CrateLook, FittedBody, fit_each, refit_crates, rims
from vision.bodies.rim_templates import crate_at
from vision.imaging.arrays import Floats
from vision.imaging.box import Box, box_around
from vision.imaging.camera import spin
from vision.imaging.footprints import BLOCK_MM, outline_mm
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import METRIC
from vision.scene.reading_cache import summarise, summary_changed
from vision.scene.scene import Scene

SHIFT_MM, TURNS_DEG = 13, np.arange(-8.0, 8.1, 2.0)
"""The group is looked for within this shift of where it is expected (less than half a crate), and in these turns."""

NOTABLE = 0.12
"""A cell counts towards the group when it looks so much like a crate."""

GAP_MM = 1.0
"""Between two crates that stand side by side, as far as they do not tell themselves."""

GAP_WEIGHT = 0.5

FAR_CELLS = 2
"""Crates are looked for on cells so near to one that has a crate: people play several plies between two looks."""

RIM_NATS, RIM_EVEN = 60.0, 0.48
INSIDE_NATS, INSIDE_EVEN = 16.0, 0.5
DIFFERENT = 6.0
"""A crate's rim looks like enrolled ones, by a likeness above `RIM_EVEN`, and what is in it is not the bare table: more
than `INSIDE_EVEN` of it differs by more than `DIFFERENT`. By how many nats each counts."""

BARE = 0.2
"""A cell of which less than this differs from the bare table holds no crate, whatever looks like a rim."""

INNER = 0.6
"""The share of a cell, in its middle, that must not look like the bare table."""

MOST_NATS = 30.0


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the lattice lies: cell (i, j) is at `origin_mm + i * right_mm + j * up_mm`; crates are turned by
    `turn_deg`."""

    origin_mm: Point
    right_mm: Point
    up_mm: Point
    turn_deg: float

    def at(self, cell: Floats) -> Point:
        x, y = np.array(self.origin_mm) + cell[0] * np.array(self.right_mm) + cell[1] * np.array(self.up_mm)
        return float(x), float(y)


@dataclass(frozen=True, slots=True)
class _Cell:
    """What is known of a cell: how it `looked` in a box, how much likelier a crate on it is than none, and how it
    fits there."""

    box: Box
    looked: Lab
    nats: float
    fitted: FittedBody


class Lattice:
    """Finds the crates on one table's lattice. `cells` are bodies of one size, one for each cell, where a crate on it
    is expected, in the table frame; `zones` are corners (4, 2) of areas where other things lie."""

    def __init__(self, look: CrateLook, cells: Sequence[Body], zones: Sequence[Floats]) -> None:
        self._look = look
        self._zones = [corners.astype(np.float32) for corners in zones]
        self._bodies = {body.spot: body for body in cells}
        self._numbers = _numbers(cells)
        self._cells: dict[Spot, _Cell] = {}
        self._fresh: set[Spot] = set()
        self._looked: set[Spot] = set()
        self._grid: _Grid | None = None

    def find(self, scene: Scene) -> tuple[tuple[Body, ...], bool]:
        """The crates, each by the spot of its cell, and whether any stands otherwise than at the last look.

        Raises `SightError` when no crate is to be seen.
        """
        before = self._standing()
        self._fresh, self._looked = set(), set()
        if self._grid is None:
            self._grid = self._find_group(scene, self._expected_grid())
            self._look_at(scene, self._near_group(scene, self._grid))
        else:
            self._look_at(scene, self._near(before))
        if len(self._standing()) < len(before):
            self._follow(scene, self._grid)
        for _ in range(FAR_CELLS):  # a crate found far out brings cells beyond it into view
            self._look_at(scene, self._near(self._standing()) - self._looked)
        standing = self._standing()
        if not standing:
            self._grid = None
            raise SightError(phrase("eyes.no_crates"))
        self._grid = self._fit_grid(standing)
        return tuple(replace(self._bodies[spot], at_mm=each.at_mm, turn_deg=each.turn_deg)
                     for spot, each in standing.items()), standing != before

    def sights(self) -> list[Sight]:
        """One for each cell that was looked at."""
        return [Sight(spot, cell.fitted.at_mm, {self._bodies[spot].appearance: cell.nats / 2, EMPTY: -cell.nats / 2},
                      cell.fitted.turn_deg if cell.nats > 0 else None, spot in self._fresh)
                for spot, cell in self._cells.items()]

    def clear(self) -> None:
        """The camera was moved: cells cannot be compared with how they looked."""
        self._cells = {spot: replace(cell, looked=np.zeros_like(cell.looked)) for spot, cell in self._cells.items()}

    # ------------------------------------------------------------ cells

    def _standing(self) -> dict[Spot, FittedBody]:
        return {spot: cell.fitted for spot, cell in self._cells.items() if cell.nats > 0}

    def _near(self, standing: Mapping[Spot, FittedBody]) -> set[Spot]:
        """The cells on which crates stand or that are near one."""
        there = np.array([self._numbers[spot] for spot in standing]).reshape(-1, 2)
        every = np.array(list(self._numbers.values()))
        near = (np.abs(every[:, None] - there).max(axis=2) <= FAR_CELLS).any(axis=1)
        return {spot for spot, is_near in zip(self._numbers, near.tolist()) if is_near}

    def _look_at(self, scene: Scene, spots: set[Spot]) -> None:
        """Look again at those cells of which the picture changed."""
        assert self._grid is not None
        self._looked |= spots
        expected = {spot: body for spot in self._bodies if spot in spots
                    and not self._in_zone((body := self._expected(spot)).at_mm)}
        if not expected:
            return
        corners = np.concatenate([outline_mm(body) for body in expected.values()])
        scene.open(box_around(np.concatenate([scene.view.project_at(corners, height)
                                              for height in (0.0, BLOCK_MM)]), BLOCK_PX))
        changed = [body for body in expected.values() if self._changed(scene, body)]
        different = {body.spot: self._different(scene, body) for body in changed}
        bare = [body for body in changed if different[body.spot] < BARE]
        for body in bare:
            nothing = FittedBody(body.spot, body.at_mm, body.turn_deg, 0.0, 0.0)
            self._remember(scene, body, nothing, different[body.spot])
        changed = [body for body in changed if body not in bare]
        stirred = [body for body in changed if body.spot in self._standing()]
        again = {each.spot: each for each in refit_crates(scene.image, scene.view, scene.white, self._look, stirred,
                                                          list(self._standing().values()))} if stirred else {}
        search = [body for body in changed
                  if body.spot not in again or _nats(again[body.spot], different[body.spot]) <= 0]
        if search:
            sought = {body.spot for body in search}
            beside = [each for spot, each in (self._standing() | again).items() if spot not in sought]
            again |= {each.spot: each
                      for each in fit_each(scene.image, scene.view, scene.white, self._look, search, beside)}
        unsure = [body for body in search if _nats(again[body.spot], different[body.spot]) <= 0
                  and different[body.spot] > INSIDE_EVEN]
        if unsure:
            wide = fit_each(scene.image, scene.view, scene.white, self._look, unsure, wide=True)
            again |= {each.spot: each for each in wide if each.likeness > again[each.spot].likeness}
        for body in changed:
            self._remember(scene, body, again[body.spot], different[body.spot])

    def _remember(self, scene: Scene, body: Body, fitted: FittedBody, different: float) -> None:
        old = self._cells.get(body.spot)
        nats = _nats(fitted, different)
        if nats <= 0:
            fitted = replace(fitted, at_mm=body.at_mm)
        elif old is not None and old.nats > 0:
            fitted = steady(old.fitted, fitted)
        box = box_around(scene.view.project_at(outline_mm(body), RIM_MM), 2)
        self._cells[body.spot] = _Cell(box, summarise(scene, box), nats, fitted)
        self._fresh.add(body.spot)

    def _expected(self, spot: Spot) -> Body:
        """A crate on this cell: where it stood, or where the lattice has it."""
        assert self._grid is not None
        cell = self._cells.get(spot)
        if cell is not None and cell.nats > 0:
            return replace(self._bodies[spot], at_mm=cell.fitted.at_mm, turn_deg=cell.fitted.turn_deg)
        return replace(self._bodies[spot], at_mm=self._grid.at(self._numbers[spot]), turn_deg=self._grid.turn_deg)

    def _in_zone(self, at_mm: Point) -> bool:
        return any(cv2.pointPolygonTest(corners, at_mm, False) >= 0 for corners in self._zones)

    def _changed(self, scene: Scene, body: Body) -> bool:
        cell = self._cells.get(body.spot)
        return cell is None or summary_changed(cell.looked, summarise(scene, cell.box))

    def _different(self, scene: Scene, body: Body) -> float:
        """The share of a cell's middle that does not look like the bare table."""
        inner = (outline_mm(body) - body.at_mm) * INNER + body.at_mm
        corners = scene.view.project_at(inner, 0.0)
        box = box_around(corners, 0)
        seen = scene.seen(box)
        off = (seen - nearest_table(seen, scene.bare(box), shadow=scene.shadow)) * METRIC
        mask = np.zeros(seen.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.rint(corners - (box.left, box.top)).astype(np.int32), 1)
        return float((np.linalg.norm(off, axis=2)[mask > 0] > DIFFERENT).mean())

    # ------------------------------------------------------------ the group

    def _expected_grid(self) -> _Grid:
        """The lattice as the layout has it, with the usual gaps."""
        first = next(iter(self._bodies.values()))
        middle = np.mean([body.at_mm for body in self._bodies.values()], axis=0)
        size = np.array(first.size_mm[:2]) + GAP_MM
        right, up = spin(first.turn_deg) @ (size[0], 0), spin(first.turn_deg) @ (0, size[1])
        number = np.mean(list(self._numbers.values()), axis=0)
        origin = middle - number[0] * right - number[1] * up
        return _Grid(_point(origin), _point(right), _point(up), first.turn_deg)

    def _find_group(self, scene: Scene, grid: _Grid, spots: set[Spot] | None = None) -> _Grid:
        """The lattice, shifted and turned about the middle of some of its cells to where most crates are seen."""
        cells = np.array([self._numbers[spot] for spot in self._bodies if spots is None or spot in spots])
        at = np.array([grid.at(cell) for cell in cells])
        middle = at.mean(axis=0)
        map_ = rims(scene.image, scene.view, scene.white, self._look, [_point(each) for each in at], SHIFT_MM)
        size = next(iter(self._bodies.values())).size_mm
        best: tuple[float, _Grid] = (-1.0, grid)
        for turn in TURNS_DEG:
            like = crate_at(map_, size, grid.turn_deg + turn)
            way = spin(turn)
            total = np.zeros((2 * SHIFT_MM + 1, 2 * SHIFT_MM + 1))
            for column, row in np.rint(map_[1].to_px((at - middle) @ way.T + middle)).astype(int):
                part = like[max(row - SHIFT_MM, 0):row + SHIFT_MM + 1, max(column - SHIFT_MM, 0):column + SHIFT_MM + 1]
                if part.shape == total.shape:
                    total += np.maximum(part - NOTABLE, 0) ** 2
            down, right = np.unravel_index(int(total.argmax()), total.shape)
            if total.max() > best[0]:
                shift = np.array([right - SHIFT_MM, SHIFT_MM - down])
                origin = way @ (np.array(grid.origin_mm) - middle) + middle + shift
                best = (float(total.max()), _Grid(_point(origin), _point(way @ grid.right_mm), _point(way @ grid.up_mm),
                                                  grid.turn_deg + float(turn)))
        return best[1]

    def _near_group(self, scene: Scene, grid: _Grid) -> set[Spot]:
        """The cells that look enough like a crate to begin with."""
        at = {spot: grid.at(number) for spot, number in self._numbers.items()}
        map_ = rims(scene.image, scene.view, scene.white, self._look, list(at.values()), SHIFT_MM)
        like = cv2.dilate(crate_at(map_, next(iter(self._bodies.values())).size_mm, grid.turn_deg), np.ones((5, 5)))
        px = {spot: np.rint(map_[1].to_px(np.array(each))).astype(int) for spot, each in at.items()}
        return {spot for spot, (column, row) in px.items() if like[row, column] > NOTABLE}

    def _follow(self, scene: Scene, grid: _Grid) -> None:
        """Crates are gone from their cells: perhaps the whole group was pushed."""
        spots = self._near(self._standing()) or set(self._cells)
        found = self._find_group(scene, grid, spots | set(self._cells))
        off = np.subtract(found.origin_mm, grid.origin_mm)
        if np.hypot(*off) < 2 and abs(found.turn_deg - grid.turn_deg) < 2:
            return
        self._grid, before = found, self._cells
        self._cells = {}
        self._look_at(scene, set(before))

    def _fit_grid(self, standing: Mapping[Spot, FittedBody]) -> _Grid:
        """The lattice that fits best where crates stand; its gaps are as usual as far as they do not tell."""
        turn = float(np.median([each.turn_deg for each in standing.values()]))
        size = np.array(next(iter(self._bodies.values())).size_mm[:2]) + GAP_MM
        rows = [(1.0, *self._numbers[spot]) for spot in standing] + [(0.0, GAP_WEIGHT, 0.0), (0.0, 0.0, GAP_WEIGHT)]
        usual = [spin(turn) @ (size[0], 0) * GAP_WEIGHT, spin(turn) @ (0, size[1]) * GAP_WEIGHT]
        found = np.linalg.lstsq(np.array(rows), np.array([each.at_mm for each in standing.values()] + usual),
                                rcond=None)[0]
        return _Grid(_point(found[0]), _point(found[1]), _point(found[2]), turn)


def _nats(fitted: FittedBody, different: float) -> float:
    """How much likelier a crate on a cell is than none, if so much of its middle does not look like the bare table."""
    rim = RIM_NATS * (fitted.likeness - RIM_EVEN)
    inside = INSIDE_NATS * (different - INSIDE_EVEN)
    return float(np.clip(rim + inside, -MOST_NATS, MOST_NATS))


def _numbers(cells: Sequence[Body]) -> dict[Spot, Floats]:
    """The numbers (i, j) of cells, from where they are expected to be."""
    first = cells[0]
    return {cell.spot: np.rint(spin(-first.turn_deg) @ np.subtract(cell.at_mm, first.at_mm)
                               / np.array(first.size_mm[:2])) for cell in cells}


def _point(at: Floats | Sequence[float]) -> Point:
    return float(at[0]), float(at[1])
