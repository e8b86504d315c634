"""What tells an empty place from one with a piece: its middle beside its own corners, where the board shows.

All is taken from logarithms, so that more or less light on a place changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.boards.patch import BoardView, logarithms
from vision.imaging.arrays import Floats, Values
from vision.imaging.frame import Image

MIDDLE: Final = 0.34
"""Radius of the middle, as a share of the pitch."""
CORNER_SHARE: Final = 0.2
"""Side of a corner."""
EDGE: Final = 0.06
"""What is left out at the very edge of a place."""
FEATURES: Final = 7
"""Of the middle beside the surface: mean, 10 % and 90 % quantile and spread of lightness, two differences of colours;
and how much lightness changes from pixel to pixel in the whole place."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceLooks:
    """How all places look in one picture: `features` (n, 7), `surface` (n, 3), the logarithms of the board's own
    colours B G R around the middle of each, and `cells` (n, s, s, 3), the places beside these."""

    features: Floats
    surface: Floats
    cells: Values


def look_at_places(view: BoardView, patch: Image) -> PlaceLooks:
    """How the places of a rectified board look."""
    cells = _cells(view, patch)
    size = cells.shape[1]
    surface = _surface(cells, size)
    across = np.arange(size) + 0.5 - size / 2
    middle = across[:, None] ** 2 + across[None] ** 2 < (MIDDLE * size) ** 2
    beside = cells - surface[:, None, None]
    off = beside[:, middle]
    light = off.mean(axis=2)
    low, high = np.percentile(light, (10, 90), axis=1)
    rough = _steps(cells.mean(axis=3))
    blue, green, red = off.mean(axis=1).T
    features = np.column_stack([light.mean(axis=1), low, high, light.std(axis=1), red - green, blue - green, rough])
    return PlaceLooks(features.astype(np.float64), surface.astype(np.float64), beside)


def _cells(view: BoardView, patch: Image) -> Values:
    """The squares around the places (n, s, s, 3), as logarithms."""
    size = int(view.pitch_px)
    logs = logarithms(patch)
    lefts_tops = np.rint(view.places_px - size / 2).astype(int)
    most = np.array(patch.shape[1::-1]) - size
    return np.stack([logs[top:top + size, left:left + size] for left, top in np.clip(lefts_tops, 0, most)])


def _surface(cells: Values, size: int) -> Values:
    """The colour of the board around the middle (n, 3): the median over the four corners, as a piece may lean over
    one."""
    skip, side = max(1, round(EDGE * size)), round(CORNER_SHARE * size)
    ends = (slice(skip, side), slice(size - side, size - skip))
    corners = [cells[:, down, across].reshape(len(cells), -1, 3) for down in ends for across in ends]
    return np.median(np.stack([np.median(each, axis=1) for each in corners]), axis=0)


def _steps(light: Values) -> Values:
    """The mean step of lightness (n, s, s) from pixel to pixel (n,)."""
    down, across = np.abs(np.diff(light, axis=1)), np.abs(np.diff(light, axis=2))
    return np.asarray(down.mean(axis=(1, 2)) + across.mean(axis=(1, 2)), np.float32)
