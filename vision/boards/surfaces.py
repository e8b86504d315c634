"""Which places of a board are printed in which colour: the light and dark squares of a chequered one, or all alike."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

Kinds = npt.NDArray[np.intp]
"""The number of the colour (n,) in which each place is printed."""

NEIGHBOUR: Final = 1.2
"""Places no farther apart than so many pitches are neighbours."""
APART_SDS: Final = 3.0
"""Two colours are told apart when their means differ by so many of their standard deviations."""
LEAST_STEP: Final = 0.12
"""And by this much in the logarithm of lightness."""
MEANS_ROUNDS: Final = 10


def printed_kinds(surface: Floats, at_mm: Floats, pitch_mm: float) -> Kinds:
    """The kinds by how light each place (n, 3) is beside its neighbours: that does not depend on where the lamp is."""
    light = surface.mean(axis=1)
    apart = np.hypot(*(at_mm[:, None] - at_mm[None]).transpose(2, 0, 1))
    beside = (apart > 0) & (apart < NEIGHBOUR * pitch_mm)
    if not beside.any(axis=1).all():
        return np.zeros(len(light), np.intp)
    step = light - (beside @ light) / beside.sum(axis=1)
    kinds = (step > np.median(step)).astype(np.intp)
    for _ in range(MEANS_ROUNDS):
        if len(set(kinds.tolist())) < 2:
            return np.zeros(len(light), np.intp)
        means = np.array([step[kinds == kind].mean() for kind in (0, 1)])
        kinds = np.abs(step[:, None] - means).argmin(axis=1)
    if len(set(kinds.tolist())) < 2:
        return np.zeros(len(light), np.intp)
    spread = max(float(step[kinds == kind].std()) for kind in (0, 1))
    far = means[1] - means[0]
    return kinds if far > max(LEAST_STEP, APART_SDS * spread) else np.zeros(len(light), np.intp)
