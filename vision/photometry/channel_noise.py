"""How noisy lightness and colours of a picture are, and how far each is trusted where faces are compared.

In the dim a camera amplifies, and what it smooths leaves blotches of colour that are as wide as a letter: lightness
still tells faces apart then, when colours mislead. Where nothing lies a picture differs from that of the bare table by
light, which varies slowly, and by noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.arrays import Floats
from vision.photometry.background_model import Lab
from vision.photometry.difference import METRIC

Trust = tuple[float, float, float]
"""The weights of lightness and two opponent colours, 1 for those of a quiet picture."""

FULL_TRUST: Trust = (1.0, 1.0, 1.0)

TILE_PX = 32
"""Noise is measured in squares of this width."""

BARE_SHARE, BY_CHANCE = 0.05, 0.8
"""At least so many of the squares are bare table in even light, also where trays or cards cover most of it: what the
most even ones differ by is noise, but by chance only so much of what it is elsewhere."""

FINE_GRAIN_PX = 1.0
"""Grain that is finer than this is averaged where faces are compared, and not measured."""

USUAL_NOISE, MODEL_ERROR = 0.7, 0.4
"""The noise of a picture in full light, at which every channel is fully trusted, and what faces differ by from what is
learned of them besides: standard deviations of values weighted by `METRIC`."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise of a picture: the `trust` in each channel, and what its lightness differs by from the bare table's
    where nothing lies, without the finest grain (`light_sd`, standard deviation)."""

    trust: Trust
    light_sd: float


UNMEASURED = Noise(FULL_TRUST, 0.0)


def tile_noise(off: Lab) -> Floats:
    """The standard deviations (tiles, 3) within squares of what a picture differs by from the bare table (h, w, 3),
    weighted by `METRIC`; none where it is narrower than a square."""
    rows, columns = off.shape[0] // TILE_PX, off.shape[1] // TILE_PX
    if not rows or not columns:
        return np.empty((0, 3))
    smooth = cv2.GaussianBlur(off[:rows * TILE_PX, :columns * TILE_PX], (0, 0), FINE_GRAIN_PX)
    tiles = smooth.reshape(rows, TILE_PX, columns, TILE_PX, 3)
    return np.asarray(tiles.std(axis=(1, 3)).reshape(-1, 3) * METRIC, np.float64)


def noise_in(tiles: Iterable[Floats]) -> Noise:
    """The noise of a picture and of a bare table as noisy, from what squares (tiles, 3) of all its parts differ by, in
    the most even ones; none where there are no squares. Cameras have more noise in colours than in lightness; where it
    is the other way round the grain of the table shows, seen a fraction of a pixel elsewhere."""
    each = np.concatenate([np.empty((0, 3)), *tiles])
    if not len(each):
        return UNMEASURED
    level = np.quantile(each, BARE_SHARE, axis=0) / BY_CHANCE
    light_sd = float(level[0] / METRIC[0])
    level[0] = level.min()
    level = np.maximum(level / np.sqrt(2), USUAL_NOISE)
    usual, now = (np.square(each) + MODEL_ERROR ** 2 for each in (USUAL_NOISE, level))
    light, red, yellow = np.round(np.sqrt(usual / now), 2).tolist()
    return Noise((light, red, yellow), light_sd)
