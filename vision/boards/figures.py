"""The figure of a piece at a place, beside how the place looks empty: how broad it is, and how long.

A piece that stands shows its round foot from above, however far a tall one leans outwards; one that lies shows its
side, which is narrower than the foot and long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.imaging.arrays import Mask, Values

SHADOW: Final = 0.3
"""So much darker in logarithms, and of no other colour, is a shadow."""
SHARE, FAINT = 0.35, 0.1
"""What differs by this share of what differs most is the figure, and never what differs less than the other."""
CLEAREST, CLEAR = 92.0, 0.25
"""The percentile of a place's difference that tells how clearly a piece stands out there, and the least: of a piece of
the board's own colour only parts are seen."""
INSIDE: Final = 0.36
"""So far around the middle, in pitches, two looks at a place are compared."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The largest thing at a place: the radius `broad` of the largest circle within it in pitches, its length as a
    multiple of its width, and its `area` in squares of the pitch. All is 0 where nothing is clearly seen."""

    broad: float = 0.0
    long: float = 0.0
    area: float = 0.0


def figure_in(cell: Values, empty: Values) -> Figure:
    """What stands or lies in a place (s, s, 3) that looks so when it is `empty`; both as logarithms beside the board's
    own colour."""
    off = np.asarray(cv2.GaussianBlur(_beside_shade(cell - empty), (0, 0), 1.2), np.float32)
    around = _disc(len(off))
    most = float(np.percentile(off[around], CLEAREST))
    mask = ((off > max(SHARE * most, FAINT)) & around).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines or most < CLEAR:
        return Figure()
    largest = max(outlines, key=cv2.contourArea)
    whole = cv2.drawContours(np.zeros_like(mask), [largest], -1, (1,), -1)
    inner = cv2.distanceTransform(cv2.copyMakeBorder(whole, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)
    return Figure(float(inner.max()) / len(off), _length(whole), cv2.countNonZero(whole) / off.size)


def likeness(before: Values, now: Values) -> float:
    """How much alike two looks at one place are (both s, s, 3), at the best shift by an eighth of it: 1 for the same,
    in whatever light."""
    size = len(before)
    skip = round((0.5 - INSIDE) * size)
    middle, whole = (np.ascontiguousarray(cv2.GaussianBlur(each.mean(axis=2), (0, 0), 1.0)) for each in (before, now))
    found = cv2.matchTemplate(whole, middle[skip:size - skip, skip:size - skip], cv2.TM_CCOEFF_NORMED)
    return float(found.max())


def _beside_shade(off: Values) -> Values:
    """By how much (h, w) colours differ, when a shadow may have fallen."""
    light = off.mean(axis=2)
    lit = np.where(light > 0, light, np.minimum(light + SHADOW, 0.0))
    return np.asarray(np.abs(off + (lit - light)[..., None]).max(axis=2), np.float32)


def _disc(size: int) -> Mask:
    across = np.arange(size) + 0.5 - size / 2
    return np.asarray(np.hypot(across[:, None], across) < size / 2)


def _length(whole: cv2.typing.MatLike) -> float:
    """How many times as long as wide a mask is, by its moments."""
    found = cv2.moments(whole, True)
    across, down, slant = (found[each] / found["m00"] for each in ("mu20", "mu02", "mu11"))
    apart = float(np.hypot(across - down, 2.0 * slant))
    return float(np.sqrt((across + down + apart) / max(across + down - apart, 1e-3)))
