"""The pictures of the sheet that tell a lens well: in all parts of the picture and tilted to all sides, each as the
outline that the sheet is to fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.fiducials.lens_sheet import SQUARES, STILL_SHARE, SheetSeen
from vision.imaging.arrays import Floats

HELD: Final[Sequence[tuple[float, float, float, float]]] = (
    (0, 0, 0, 0), (35, 0, 0, 0), (35, 90, 0, 0), (35, 180, 0, 0), (35, 270, 0, 0), (30, 45, -2.4, -1.1),
    (30, 135, 2.4, -1.1), (30, 225, 2.4, 1.1), (30, 315, -2.4, 1.1), (28, 90, -2.4, 0), (28, 270, 2.4, 0),
    (40, 20, 0, 0),
)  # fmt: skip
"""How the sheet is held in each picture: tilted by so many degrees about an axis turned by so many, its middle aside of
the picture's by so many squares."""
HELD_FAR: Final = 16.0
"""So many squares from the camera, ..."""
USUAL_FOCAL: Final = 0.8
"""... in a picture that is as wide as this focal length is 0.8 of it: about 64 degrees. Of another lens the same
outline asks for another distance."""
FILLS_SHARE: Final = 0.08
"""A sheet fills an outline when each corner is as near to the outline's, as a share of the picture's width."""
FILLS_DEG: Final = 13.0
"""... and it is tilted as the outline is, to so many degrees: it is the tilt that tells focal length from distance."""
_WIDE, _DEEP = SQUARES
_ENDS: Final = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], np.float64) * (_WIDE / 2, _DEEP / 2, 0)
"""The sheet's corners, in squares from its middle."""


def sheet_outline(number: int) -> Floats:
    """The corners (4, 2) of the outline of picture `number`, in shares of the picture's width, from its middle."""
    tilt, turn, x, y = HELD[number]
    axis = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn)), 0.0]) * np.radians(tilt)
    there = _ENDS @ np.asarray(cv2.Rodrigues(axis)[0], np.float64).T + (x, y, HELD_FAR)
    return np.asarray(USUAL_FOCAL * there[:, :2] / there[:, 2:])


def sheet_ends(seen: SheetSeen, size: tuple[int, int]) -> Floats:
    """The corners (4, 2) of a sheet that is seen in a picture of this `size` (px), as `outline` gives them."""
    to_px, _ = cv2.findHomography(seen.squares[:, :2], seen.px)
    ends = _ENDS[None, :, :2] + (_WIDE / 2, _DEEP / 2)
    px = cv2.perspectiveTransform(ends, np.asarray(to_px, np.float64))[0]
    return np.asarray((px - np.array(size) / 2) / size[0], np.float64)


def fills(ends: Floats, wanted: Floats) -> bool:
    """Whether a sheet fills an outline, either way up."""
    ways = (np.roll(ends, turn, axis=0) for turn in (0, 2))
    return any(float(np.linalg.norm(each - wanted, axis=1).max()) <= FILLS_SHARE and
               _normal(each) @ _normal(wanted) >= np.cos(np.radians(FILLS_DEG)) for each in ways)


def _normal(ends: Floats) -> Floats:
    """Where a sheet with these corners faces, if the focal length is the usual one."""
    camera = np.diag([USUAL_FOCAL, USUAL_FOCAL, 1.0])
    _, turn, _ = cv2.solvePnP(_ENDS, ends, camera, None, flags=cv2.SOLVEPNP_IPPE)
    return np.asarray(cv2.Rodrigues(turn)[0][:, 2], np.float64)


def is_still(ends: Floats, before: Floats) -> bool:
    """Whether a sheet hardly moved since the look before."""
    return float(np.linalg.norm(ends - before, axis=1).max()) <= STILL_SHARE
