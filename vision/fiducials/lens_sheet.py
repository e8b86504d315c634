"""The lens of a camera, from pictures of a printed sheet: a ChArUco board, whose squares are known wherever it is held.

The sheet's size does not matter, only that it is flat: so it may as well be shown on a tablet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, SightError, phrase
from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens
from vision.imaging.frame import Image

SQUARES: Final = (10, 7)
MARKER_SHARE: Final = 0.74
SHEET_DICTIONARY: Final = cv2.aruco.DICT_5X5_100
"""Not that of the tag cards, which may lie about."""
LEAST_CORNERS: Final = 12
LEAST_PICTURES: Final = 6
"""Fewer pictures do not tell focal length from distance."""
GRID_PARTS: Final = 3
"""In so many columns and rows the sheet has to be seen once each."""
GOOD_PX, USABLE_PX = 0.3, 1.0
"""Mean errors up to which a calibration is good, and fit to be used."""
GOOD_DOUBT, USABLE_DOUBT = 0.0025, 0.01
"""The same of how unsure focal length and principal point are, as shares of the focal length. Small errors do not show
it: of a sheet that is never tilted each focal length fits as well as any other."""
GOOD_TILT_DEG, USABLE_TILT_DEG = 8.0, 5.0
"""The same of how much the sheet's tilts differ at least."""
STILL_SHARE: Final = 0.004
"""A sheet of which no corner moved by more, as a share of the picture's width, is held still."""
Grade = Literal["good", "usable", "poor"]
_GRADES: Final[tuple[Grade, ...]] = ("good", "usable", "poor")


@dataclass(frozen=True, slots=True, eq=False)
class SheetSeen:
    """Corners of the sheet in one picture: `px` (n, 2), and where they are on the sheet, in squares (n, 3)."""

    px: Floats
    squares: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """The lens, the root mean square of how far corners lie from where it puts them (px), the standard deviation of
    focal length or principal point, whichever is larger, as a share of the focal length, that of the sheet's tilts, how
    many different pictures were used, and the parts of the picture (column, row, of 3 × 3 from the upper left) in which
    the sheet was never seen."""

    lens: Lens
    error_px: float
    doubt: float
    tilt_deg: float
    pictures: int
    unseen: tuple[tuple[int, int], ...]


def _board() -> cv2.aruco.CharucoBoard:
    return cv2.aruco.CharucoBoard(SQUARES, 1.0, MARKER_SHARE, cv2.aruco.getPredefinedDictionary(SHEET_DICTIONARY))


def sheet_picture(square_px: int = 160) -> npt.NDArray[np.uint8]:
    """The sheet as a picture (h, w) in grey, with a white margin of half a square."""
    margin = square_px // 2
    size = (SQUARES[0] * square_px + 2 * margin, SQUARES[1] * square_px + 2 * margin)
    return np.asarray(_board().generateImage(size, marginSize=margin), np.uint8)


def find_sheet(image: Image) -> SheetSeen | None:
    """The corners of the sheet in a picture; None if too few are seen."""
    board = _board()
    found, numbers, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(image)
    if numbers is None or len(numbers) < LEAST_CORNERS:
        return None
    at = np.asarray(board.getChessboardCorners(), np.float64)[numbers.ravel()]
    return SheetSeen(np.asarray(found, np.float64).reshape(-1, 2), at)


def calibrate(seen: Sequence[SheetSeen], size: tuple[int, int]) -> Calibrated:
    """The lens by which all pictures of this `size` (width, height) fit best. Those that show the sheet as another does
    count once. Raises `SightError` for too few."""
    each_once = _without_repeats(seen, STILL_SHARE * size[0])
    if len(each_once) < LEAST_PICTURES:
        raise SightError(phrase("calibrate.too_few", number=len(each_once), least=LEAST_PICTURES))
    lens, error_px, turns = _fitted(each_once, size)
    return Calibrated(lens, error_px, _doubt(each_once, lens), _tilt_spread_deg(turns), len(each_once),
                      unseen_parts(each_once, size))


def _without_repeats(seen: Sequence[SheetSeen], still_px: float) -> list[SheetSeen]:
    kept: list[SheetSeen] = []
    for each in seen:
        if not any(_moved_px(each, other) <= still_px for other in kept):
            kept.append(each)
    return kept


def _moved_px(one: SheetSeen, other: SheetSeen) -> float:
    """How far the corner that moved most lies from where it was; without end if few are seen in both."""
    now, before = _corners(one), _corners(other)
    moved = [float(np.linalg.norm(now[at] - before[at])) for at in now.keys() & before.keys()]
    return max(moved) if len(moved) >= LEAST_CORNERS else np.inf


def _corners(seen: SheetSeen) -> dict[tuple[float, ...], Floats]:
    """Pixels (2,) by the place on the sheet."""
    return {tuple(at): px for at, px in zip(seen.squares.tolist(), seen.px, strict=True)}


def _fitted(seen: Sequence[SheetSeen], size: tuple[int, int]) -> tuple[Lens, float, Sequence[Floats]]:
    """The lens, its error (px), and how the sheet is turned in each picture."""
    squares = [each.squares.astype(np.float32) for each in seen]
    px = [each.px.astype(np.float32) for each in seen]
    # nothing is known yet: OpenCV begins with a guess of its own where it is told no matrix
    error, matrix, dist, turns, _ = cv2.calibrateCamera(squares, px, size, None, None)
    lens = Lens(*size, np.asarray(matrix, np.float64), np.asarray(dist, np.float64).ravel()[:5])
    return lens, float(error), [np.asarray(each, np.float64) for each in turns]


def _doubt(seen: Sequence[SheetSeen], lens: Lens) -> float:
    """The jackknife's standard deviation (Efron and Tibshirani 1993, chapter 11): how much the lens changes when a
    picture is left out. That which OpenCV derives from the errors takes each corner for independent: it is several
    times too small where pictures were turned or the sheet was bent."""
    size = lens.width, lens.height
    without = [_fitted([*seen[:n], *seen[n + 1:]], size)[0].camera_matrix for n in range(len(seen))]
    found = np.array([(matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]) for matrix in without])
    return float(found.std(axis=0).max() * np.sqrt(len(seen) - 1) / lens.focal_px)


def _tilt_spread_deg(turns: Sequence[Floats]) -> float:
    """Root mean square of the angles between where the sheet faces and where it faces on average."""
    faces = np.array([cv2.Rodrigues(each)[0][:, 2] for each in turns])
    return float(np.degrees(np.sqrt(max(0.0, 2.0 * (1.0 - float(np.linalg.norm(faces.mean(axis=0))))))))


def verdict(done: Calibrated) -> Grade:
    """How good it is; a poor one is not fit to be used."""
    return _GRADES[max(_levels(done).values())]


def finding(done: Calibrated) -> Phrase:
    """What is told of it: how good it is, and what to do about that which it lacks most."""
    levels = _levels(done)
    lacks = max(levels, key=levels.__getitem__)
    name = "good" if not levels[lacks] else f"{_GRADES[levels[lacks]]}{lacks}"
    return phrase(f"calibrate.{name}", error=round(done.error_px, 2), number=done.pictures)


def _levels(done: Calibrated) -> dict[str, int]:
    """The place of each measure in `_GRADES`. What explains the others comes first: without tilts all is unsure."""
    return {
        "_flat": (done.tilt_deg < GOOD_TILT_DEG) + (done.tilt_deg < USABLE_TILT_DEG),
        "_unsure": (not done.doubt <= GOOD_DOUBT) + (not done.doubt <= USABLE_DOUBT),
        "": (done.error_px > GOOD_PX) + (done.error_px > USABLE_PX),
    }


def unseen_parts(seen: Sequence[SheetSeen], size: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The parts of the picture (column, row) in which no corner was seen."""
    every = np.concatenate([each.px for each in seen]) if seen else np.zeros((0, 2))
    parts = {(int(x), int(y)) for x, y in np.clip(every / np.array(size) * GRID_PARTS, 0, GRID_PARTS - 1e-6).tolist()}
    return tuple((x, y) for y in range(GRID_PARTS) for x in range(GRID_PARTS) if (x, y) not in parts)
