"""The pose of the lattice of cells on which crates stand: located from likeness to rims, or fitted to crates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body, Point, Spot
from vision.bodies.crate_fit import BLOCK_PX_PER_MM, FittedBody
from vision.bodies.crate_look import CrateLook, rim_likeness, seen_at_rim_height
from vision.bodies.rim_templates import RimMap, crate_scores
from vision.imaging.arrays import Floats, Values
from vision.imaging.camera import spin
from vision.imaging.pose import Pose
from vision.photometry.white_reference import LitPicture

GROUP_SHIFT_MM, GROUP_TURNS_DEG = 13, np.arange(-8.0, 8.1, 2.0)
"""The group is searched for within this shift (mm) of its expected pose (less than half a crate), and in these
turns."""

MIN_CELL_SCORE = 0.12
"""A cell votes for the group when its score as a crate is at least this."""

RIM_LIGHTNESS = (-15.0, 0.0)
"""How much darker than at enrolment rims may be: in the middle of a table drinks shade them."""

USUAL_GAP_MM, GAP_WEIGHT = 1.0, 0.5
"""The prior of the gap between two crates side by side, and its weight relative to that of one crate."""

CellNumber = Floats
"""Column and row (2,) of a cell in the lattice."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The pose of the lattice: cell (i, j) is at `origin_mm + i * right_mm + j * up_mm`; crates are turned by
    `turn_deg`."""

    origin_mm: Point
    right_mm: Point
    up_mm: Point
    turn_deg: float

    def at(self, cell: CellNumber) -> Point:
        """The centre of a cell (mm)."""
        x, y = np.array(self.origin_mm) + cell[0] * np.array(self.right_mm) + cell[1] * np.array(self.up_mm)
        return float(x), float(y)

    def pose(self, cell: CellNumber) -> Pose:
        """The pose of a crate on a cell."""
        return Pose(self.at(cell), self.turn_deg)

    def moved(self, turn_deg: float, about_mm: Floats, shift_mm: Floats) -> Grid:
        """The lattice turned about a point and shifted."""
        way = spin(turn_deg)
        origin = way @ (np.array(self.origin_mm) - about_mm) + about_mm + shift_mm
        return Grid(_point(origin), _point(way @ self.right_mm), _point(way @ self.up_mm), self.turn_deg + turn_deg)

    def is_near(self, other: Grid, mm: float, deg: float) -> bool:
        """Whether another lattice has the same origin and turn, within these tolerances."""
        return bool(np.hypot(*np.subtract(other.origin_mm, self.origin_mm)) < mm
                    and abs(other.turn_deg - self.turn_deg) < deg)


class GridFinder:
    """Finds the lattice of one table. `cells` are bodies of one size, one for each cell, with the expected pose of a
    crate on it in the table frame."""

    def __init__(self, cells: Sequence[Body]) -> None:
        self._first = cells[0]
        self._middle_mm = np.mean([body.at_mm for body in cells], axis=0)
        self._size_mm = np.array(self._first.size_mm[:2]) + USUAL_GAP_MM
        self.numbers = _numbers(cells)

    def expected(self) -> Grid:
        """The lattice by the layout, with the usual gaps."""
        turn = spin(self._first.turn_deg)
        right, up = turn @ (self._size_mm[0], 0), turn @ (0, self._size_mm[1])
        number = np.mean(list(self.numbers.values()), axis=0)
        origin = self._middle_mm - number[0] * right - number[1] * up
        return Grid(_point(origin), _point(right), _point(up), self._first.turn_deg)

    def find(self, picture: LitPicture, look: CrateLook, near: Grid, spots: set[Spot]) -> tuple[Grid, CrateLook]:
        """The lattice, shifted and turned about the middle of some of its cells to the maximum of votes, and the look
        of rims at which it is reached, as light as enrolled or darker.

        Each cell votes for the shifts at which a crate is seen on it (a generalised Hough transform, D. Ballard, 1981).
        Only what is thin may be a rim: lids and the table may have the same colour.
        """
        at = np.array([near.at(number) for spot, number in self.numbers.items() if spot in spots])
        looks = [look.lighter(by) for by in RIM_LIGHTNESS]
        seen = _seen(picture, at)
        maps = [rim_likeness(seen, each).thin() for each in looks]
        found = [self._voted(rims, near, at, float(turn)) for turn in GROUP_TURNS_DEG for rims in maps]
        best = max(range(len(found)), key=lambda each: found[each][0])
        return found[best][1], looks[best % len(looks)]

    def _voted(self, rims: RimMap, near: Grid, at: Floats, turn: float) -> tuple[float, Grid]:
        """The most votes for a shift of cells `at` (n, 2) mm, turned by so much about their middle, and the lattice
        shifted so."""
        middle = at.mean(axis=0)
        cells_px = np.rint(rims.patch.to_px((at - middle) @ spin(turn).T + middle)).astype(int)
        votes = _votes(crate_scores(rims, self._first.size_mm, near.turn_deg + turn), cells_px)
        down, right = np.unravel_index(int(votes.argmax()), votes.shape)
        shift = np.array([right - GROUP_SHIFT_MM, GROUP_SHIFT_MM - down])
        return float(votes.max()), near.moved(turn, middle, shift)

    def likely(self, picture: LitPicture, look: CrateLook, grid: Grid) -> set[Spot]:
        """The cells whose scores are high enough for a crate to be fitted there."""
        at = {spot: grid.at(number) for spot, number in self.numbers.items()}
        rims = rim_likeness(_seen(picture, list(at.values())), look)
        scores = cv2.dilate(crate_scores(rims, self._first.size_mm, grid.turn_deg), np.ones((5, 5)))
        px = {spot: np.rint(rims.patch.to_px(np.array(each))).astype(int) for spot, each in at.items()}
        return {spot for spot, (column, row) in px.items() if scores[row, column] > MIN_CELL_SCORE}

    def fit(self, standing: Mapping[Spot, FittedBody]) -> Grid:
        """The lattice fitted to the centres of crates by least squares, with the usual gaps as a weak prior; its turn
        is the median of theirs."""
        turn = float(np.median([each.turn_deg for each in standing.values()]))
        rows = [(1.0, *self.numbers[spot]) for spot in standing] + [(0.0, GAP_WEIGHT, 0.0), (0.0, 0.0, GAP_WEIGHT)]
        usual = [spin(turn) @ (self._size_mm[0], 0) * GAP_WEIGHT, spin(turn) @ (0, self._size_mm[1]) * GAP_WEIGHT]
        found = np.linalg.lstsq(np.array(rows), np.array([each.at_mm for each in standing.values()] + usual),
                                rcond=None)[0]
        return Grid(_point(found[0]), _point(found[1]), _point(found[2]), turn)


def _seen(picture: LitPicture, around_mm: Floats | Sequence[Point]) -> RimMap:
    return seen_at_rim_height(picture, [_point(each) for each in around_mm], BLOCK_PX_PER_MM, GROUP_SHIFT_MM)


def _votes(scores: Values, cells_px: npt.NDArray[np.int_]) -> Floats:
    """The accumulator (2 * GROUP_SHIFT_MM + 1 each way): the votes for each shift of all cells, whose middles are at
    columns and rows (n, 2) of the scores."""
    reach = GROUP_SHIFT_MM
    votes = np.zeros((2 * reach + 1, 2 * reach + 1))
    for column, row in cells_px:
        part = scores[max(row - reach, 0):row + reach + 1, max(column - reach, 0):column + reach + 1]
        if part.shape == votes.shape:
            votes += np.maximum(part - MIN_CELL_SCORE, 0) ** 2
    return votes


def _numbers(cells: Sequence[Body]) -> dict[Spot, CellNumber]:
    """The numbers (i, j) of cells, from their expected positions."""
    first = cells[0]
    return {cell.spot: np.rint(spin(-first.turn_deg) @ np.subtract(cell.at_mm, first.at_mm)
                               / np.array(first.size_mm[:2])) for cell in cells}


def _point(at: Floats | Sequence[float]) -> Point:
    return float(at[0]), float(at[1])
