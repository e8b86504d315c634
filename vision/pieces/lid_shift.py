"""Which heights of drinks a camera can tell apart where it hangs, known from its place alone, before any is enrolled.

A lid is seen the farther from the point below the camera, the higher the drink is. Where two heights differ by less
than a pixel of that, one look cannot tell them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from companion.errors import Phrase, phrase
from vision.fiducials.tag_pose import Arrangement
from vision.imaging.arrays import Floats
from vision.imaging.camera import View

CAN_HEIGHTS_MM: Final = (12, 16, 22)
"""Of cans that are alike but for their height."""
LEAST_SHIFT_PX: Final = 1.0
MIDWAY: Final = 0.5
"""It is judged so far from the middle of the cards to each of them: there pieces lie."""


def heights_alike(arrangement: Arrangement) -> Phrase | None:
    """What cannot be told apart from there, with what to do; None when all cans can."""
    view = arrangement.view
    cards = np.array([card.at_mm for card in arrangement.cards], np.float64)
    places = cards.mean(axis=0) + MIDWAY * (cards - cards.mean(axis=0))
    alike = [pair for pair in pairwise(CAN_HEIGHTS_MM) if lid_shift_px(view, places, pair) < LEAST_SHIFT_PX]
    if not alike:
        return None
    one, other = alike[-1]
    return phrase("eyes.heights_alike", one=one, other=other, given=round(float(view.position_mm[2]) / 10),
                  width=view.lens.width, height=view.lens.height)


def lid_shift_px(view: View, places_mm: Floats, heights_mm: tuple[float, float]) -> float:
    """How far the lids of two drinks of these heights are seen from each other, in the median of places (n, 2)."""
    one, other = (view.project_at(places_mm, height) for height in heights_mm)
    return float(np.median(np.linalg.norm(one - other, axis=1)))
