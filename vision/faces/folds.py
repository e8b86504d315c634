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
from vision.faces.templates import TURNS, Face
from vision.faces.turned_templates import make_templates
from vision.imaging.arrays import Values

UNEVEN_STEPS = 1.0
"""Turns at which a face looks the same are even, within so many steps of the coarse search."""

SPARE_PX = 12
"""A border for what is searched, so that no sampling point leaves it."""


@lru_cache(maxsize=64)
def count_folds(face: Face) -> int:
    """At how many turns a face looks more like itself than at those between; 1 where they are not even."""
    light = linear_values(face.colours)
    rows, columns = light.shape[:2]
    side = max(rows, columns) + 2 * SPARE_PX
    down, right = (side - rows) // 2, (side - columns) // 2
    window = np.asarray(cv2.copyMakeBorder(
        light, down, side - rows - down, right, side - columns - right, cv2.BORDER_REPLICATE), np.float32)
    costs, _ = match_costs(window, make_templates((face,)), np.zeros((1, 2), np.intp))
    alike = _dips(costs[0, 0])
    even = np.arange(len(alike)) * TURNS / max(1, len(alike))
    return len(alike) if len(alike) and np.abs(alike - even).max() <= UNEVEN_STEPS else 1


def _dips(costs: Values) -> npt.NDArray[np.intp]:
    """The turns whose costs are less than those beside them, and than half of all."""
    lower = (costs <= np.roll(costs, 1)) & (costs < np.roll(costs, -1)) & (costs < np.median(costs))
    return np.flatnonzero(lower)
