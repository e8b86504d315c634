"""How uneven the inside of a slot looks: the floor of an empty one is even, a lid in the crate's own colours is not.

A crate takes on many colours in shade, so that a background which is free to choose one for each pixel explains a grey
lid in a grey crate, or a yellow drink in a yellow one, as well as any drink does. But its floor is lit smoothly, a lid
mirrors lamps, and where a slot was seen empty before, light and dark lie in it as they did then, but for a factor that
changes smoothly. And walls throw their shadows into its corners from one side or two, while a lid may be lighter than
all four.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.drinks.drink_pose import DrinkPose
from vision.drinks.loss import LOSS_SCALE
from vision.imaging.arrays import Floats, Indices, Values
from vision.imaging.box import Box, box_around
from vision.imaging.least_squares import cauchy, reweighted
from vision.imaging.polygons import mask_within
from vision.scene.occluders import far_mm
from vision.scene.scene import Scene

MIDDLE_MM, MIDDLE_HEIGHT_MM = 4.0, 6.0
"""Radius of the middle of a slot, and its height above the floor: there one sees the floor alone, or what stands on it,
wherever the camera is."""

EVEN_LOSS = 15.0
"""The loss of a pixel against the plane of lightness through the middle, up to which a slot is even. Few empty
slots have more, where a neighbour's shadow ends; shiny lids have twice as much and more."""

CORNER_SHARE, CORNER_MM, LIGHTER_MIDDLE = 0.85, 0.9, 1.35
"""How far from the middle towards its corner a corner of a slot is looked at, within what radius, and by what factor
the middle of an empty slot may be lighter than the lightest of them. A can under a low lamp has up to twice as much."""

MIN_KNOWN = 0.6
"""A slot is compared with how it looked when it was empty if that is known of this share of its opening."""

ROUNDS, OUTLIER_SCALE = 3, 6.0
"""Rounds of the plane's fit by iteratively reweighted least squares with Cauchy weights, and their scale."""

_TURNS = np.linspace(0, 2 * np.pi, 25)[:-1]
_CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


def uneven_cost(scene: Scene, pose: DrinkPose) -> float:
    """The cost of a slot for being empty though its middle is uneven; 0 if it is even."""
    middle = pose.foot_mm[:2] + MIDDLE_MM * _CIRCLE
    box, rows, columns = _pixels(scene.view.project_at(middle, float(pose.foot_mm[2]) + MIDDLE_HEIGHT_MM))
    return _unlike(scene.plain(box)[rows, columns, 0], np.ones(len(rows), np.float32), rows, columns)


def altered_cost(scene: Scene, pose: DrinkPose, number: int) -> float:
    """The cost of a slot for being empty though light and dark lie otherwise in it than when it was last seen empty; 0
    if they lie alike, or if that is not known."""
    opening_px = pose.opening_px(scene.view)
    assert opening_px is not None
    box, rows, columns = _pixels(opening_px)
    colours, known = scene.remembered(box)
    use = (known & ~scene.hidden(box, number, far_mm(scene.view, pose.foot_mm)))[rows, columns]
    if use.sum() < MIN_KNOWN * len(rows):
        return 0.0
    rows, columns = rows[use], columns[use]
    return _unlike(scene.plain(box)[rows, columns, 0], colours[rows, columns, 0], rows, columns)


def raised_cost(scene: Scene, pose: DrinkPose, number: int) -> float:
    """The cost of a slot for being empty though its middle is lighter than all of its corners; 0 if it is not."""
    opening_px = pose.opening_px(scene.view)
    assert opening_px is not None
    assert pose.opening_mm is not None
    box = box_around(opening_px, 1)
    light = scene.plain(box)[..., 0]
    shown = (mask_within(box, [opening_px]) > 0) & ~scene.hidden(box, number, far_mm(scene.view, pose.foot_mm))
    foot, height_mm = pose.foot_mm[:2], float(pose.foot_mm[2]) + MIDDLE_HEIGHT_MM

    def within(outline_mm: Floats) -> Values:
        """The lightness (n,) of what is seen of the slot within an outline (m, 2)."""
        return light[shown & (mask_within(box, [scene.view.project_at(outline_mm, height_mm)]) > 0)]

    corners = [within(foot + CORNER_SHARE * (corner - foot) + CORNER_MM * _CIRCLE) for corner in pose.opening_mm]
    lightest = max((float(np.median(each)) for each in corners if len(each)), default=np.inf)
    return float(_loss(np.maximum(within(foot + MIDDLE_MM * _CIRCLE) - LIGHTER_MIDDLE * lightest, 0)).sum())


def _pixels(outline_px: Floats) -> tuple[Box, Indices, Indices]:
    """The box around an outline (n, 2), and the rows and columns in it of the pixels within."""
    box = box_around(outline_px, 1)
    rows, columns = np.nonzero(mask_within(box, [outline_px]))
    return box, rows, columns


def _unlike(seen: Values, before: Values, rows: Indices, columns: Indices) -> float:
    """What pixels cost whose lightness (n,) as `seen` is not that `before`, times a factor that changes linearly."""
    light = seen.astype(np.float64)
    plane = before[:, None] * np.column_stack([np.ones(len(rows)), rows - rows.mean(), columns - columns.mean()])
    fit = reweighted(lambda weights: np.linalg.lstsq(plane * weights[:, None], light * weights, rcond=None)[0],
                     lambda found: light - plane @ found, lambda off: cauchy(off, OUTLIER_SCALE),
                     np.ones(len(rows)), ROUNDS)
    return float(max(_loss(fit.residuals).mean() - EVEN_LOSS, 0.0) * len(rows))


def _loss(off: npt.NDArray[np.floating]) -> Floats:
    """The loss (n,) of lightness that is off (n,) by so much: as `cauchy_loss`, of one channel."""
    return np.asarray(LOSS_SCALE ** 2 * np.log1p(np.square(off / LOSS_SCALE)), np.float64)
