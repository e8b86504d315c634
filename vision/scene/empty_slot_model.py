"""The remembered look of empty parts of crates: a better background than their colours alone, until a drink that cast a
shadow there is taken away, or one that does is put down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Mask
from vision.imaging.box import Box
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import misfit

EMPTIED_LIGHT = (0.3, 1.15)
"""Limits of the factor by which the remembered background may since be darker or lighter."""


@dataclass(frozen=True, slots=True, eq=False)
class Emptied:
    """The remembered background of crates: `colours` (h, w, 3) in a box, valid where `known` (h, w)."""

    box: Box
    colours: npt.NDArray[np.float16]
    known: Mask

    def lay_over(self, ground: Lab, seen: Lab, box: Box) -> None:
        """Replace the ground (h, w, 3) in a box by the remembered background, at pixels where that is nearer to what is
        seen: it is out of date where a drink that cast a shadow was taken away."""
        if not self.box.meets(box):
            return
        there, here = self.box.overlap(box)
        known = self.known[there]
        looked = nearest_table(seen[here], self.colours[there].astype(np.float32), EMPTIED_LIGHT)[known]
        now, crate = seen[here][known], ground[here][known]
        is_as_before = misfit(now.T, looked.T) < misfit(now.T, crate.T)
        ground[here][known] = np.where(is_as_before[:, None], looked, crate)


def learn_emptied(before: Emptied | None, box: Box, seen: Lab, empty: Mask) -> Emptied:
    """The remembered background, updated with what is now seen in a box where it is empty (h, w)."""
    if before is None or before.box != box:
        before = Emptied(box, np.zeros(seen.shape, np.float16), np.zeros(empty.shape, np.bool_))
    colours = before.colours.copy()
    colours[empty] = seen[empty]
    return Emptied(box, colours, before.known | empty)
