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

from companion.errors import SightError, phrase
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


@dataclass(frozen=True, slots=True, eq=False)
class SheetSeen:
    """Corners of the sheet in one picture: `px` (n, 2), and where they are on the sheet, in squares (n, 3)."""

    px: Floats
    squares: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """The lens, the root mean square of how far corners lie from where it puts them (px), how many pictures were used,
    and the parts of the picture (column, row, of 3 × 3 from the upper left) in which the sheet was never seen."""

    lens: Lens
    error_px: float
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
    """The lens by which all pictures of this `size` (width, height) fit best. Raises `SightError` for too few."""
    if len(seen) < LEAST_PICTURES:
        raise SightError(phrase("calibrate.too_few", number=len(seen), least=LEAST_PICTURES))
    squares = [each.squares.astype(np.float32) for each in seen]
    px = [each.px.astype(np.float32) for each in seen]
    # nothing is known yet: OpenCV begins with a guess of its own where it is told no matrix
    error, matrix, dist, _, _ = cv2.calibrateCamera(squares, px, size, None, None)
    lens = Lens(*size, np.asarray(matrix, np.float64), np.asarray(dist, np.float64).ravel()[:5])
    return Calibrated(lens, float(error), len(seen), unseen_parts(seen, size))


def verdict(done: Calibrated) -> Literal["good", "usable", "poor"]:
    """What its error means; a poor one is not fit to be used."""
    return "good" if done.error_px <= GOOD_PX else "usable" if done.error_px <= USABLE_PX else "poor"


def unseen_parts(seen: Sequence[SheetSeen], size: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The parts of the picture (column, row) in which no corner was seen."""
    every = np.concatenate([each.px for each in seen]) if seen else np.zeros((0, 2))
    parts = {(int(x), int(y)) for x, y in np.clip(every / np.array(size) * GRID_PARTS, 0, GRID_PARTS - 1e-6).tolist()}
    return tuple((x, y) for y in range(GRID_PARTS) for x in range(GRID_PARTS) if (x, y) not in parts)
