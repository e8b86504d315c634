"""How crates looked where they held nothing: better known than from their colours alone, until a drink that kept the
light away is taken, or one that does is put there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Mask
from vision.imaging.box import Box
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import misfit

EMPTIED_LIGHT = (0.3, 1.15)
"""By these factors what held nothing may since be darker or lighter."""


@dataclass(frozen=True, slots=True, eq=False)
class Emptied:
    """How crates looked where they held nothing: `colours` (h, w, 3) in a box, where they are `known` (h, w)."""

    box: Box
    colours: npt.NDArray[np.float16]
    known: Mask

    def lay_over(self, ground: Lab, seen: Lab, box: Box) -> None:
        """Puts on the ground in a box, of what is known there, what is nearer to what is seen: as a slot looked once it
        looks no more when a drink that kept the light from it was taken away."""
        if not self.box.meets(box):
            return
        there, here = self.box.overlap(box)
        known = self.known[there]
        looked = nearest_table(seen[here], self.colours[there].astype(np.float32), EMPTIED_LIGHT)[known]
        now, crate = seen[here][known], ground[here][known]
        is_as_before = misfit(now.T, looked.T) < misfit(now.T, crate.T)
        ground[here][known] = np.where(is_as_before[:, None], looked, crate)


def learn_emptied(before: Emptied | None, box: Box, seen: Lab, empty: Mask) -> Emptied:
    """What was known, and what is now seen in a box where it is empty (h, w)."""
    if before is None or before.box != box:
        before = Emptied(box, np.zeros(seen.shape, np.float16), np.zeros(empty.shape, np.bool_))
    colours = before.colours.copy()
    colours[empty] = seen[empty]
    return Emptied(box, colours, before.known | empty)
