"""How often a face looks the same in a full turn: the back of a coin with twelve rays does so at twelve turns.

Where the eyes cannot tell at which of these turns such a face lies, they can tell how far it is turned from the nearest
of them. That shows whether it is the one which lay there before.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces.linear_light import linear_values
from vision.faces.template_search import match_costs
from vision.faces.templates import COARSE_STEP_PX, TURNS, Face
from vision.faces.turned_templates import make_templates
from vision.imaging.arrays import Values

MIN_FOLDS = 6
"""So many turns at which a face looks the same are not even by chance. Fewer are not counted: where a figure with two
arms might lie either way the picture is poor, and how it is turned from the nearest of these is not told either."""

UNEVEN_STEPS = 1.0
"""Turns at which a face looks the same are even, within so many steps of the coarse search."""


@lru_cache(maxsize=64)
def count_folds(face: Face) -> int:
    """At how many turns a round face looks more like itself than at those between; 1 where these are few or not even,
    and of other faces."""
    if not face.piece.round:
        return 1
    light = linear_values(face.colours)
    around = COARSE_STEP_PX
    window = np.asarray(cv2.copyMakeBorder(light, around, around, around, around, cv2.BORDER_REPLICATE), np.float32)
    costs, _ = match_costs(window, make_templates((face,)), np.zeros((1, 2), np.intp))
    alike = _dips(costs[0, 0])
    if len(alike) < MIN_FOLDS:
        return 1
    uneven = np.abs(alike - np.arange(len(alike)) * TURNS / len(alike))
    return len(alike) if uneven.max() <= UNEVEN_STEPS else 1


def _dips(costs: Values) -> npt.NDArray[np.intp]:
    """The turns (n,) whose costs (turns,) are less than those beside them, and than half of all."""
    return np.flatnonzero((costs <= np.roll(costs, 1)) & (costs < np.roll(costs, -1)) & (costs < np.median(costs)))
