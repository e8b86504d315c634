"""Where a piece may lie in a part of the foreground that is larger than the piece."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.faces.outline_search import best_place, kernels_of
from vision.faces.zone_mask import MASK_CELL_MM

COIN = (22.0, 22.0, True)
RADIUS_CELLS = 11.0 / MASK_CELL_MM


@pytest.mark.parametrize("shadow_mm", [0.0, 15.0, 50.0])
def test_a_coin_may_lie_at_the_end_of_the_shadow_that_its_pile_casts(shadow_mm: float) -> None:
    differs, coin = np.zeros((80, 120), np.float32), (90, 40)
    for x in np.arange(0.0, shadow_mm + 1) / MASK_CELL_MM:
        cv2.circle(differs, (round(coin[0] - x), coin[1]), round(RADIUS_CELLS), (1.0,), -1)
    place = best_place(differs, kernels_of(COIN))
    assert place is not None
    assert np.abs(place.cells - coin).max(axis=1).min() <= 1


def test_a_coin_far_from_the_likeliest_place_is_another_place() -> None:
    differs = np.zeros((80, 120), np.float32)
    for x in (30, 90):
        cv2.circle(differs, (x, 40), round(RADIUS_CELLS), (1.0,), -1)
    place = best_place(differs, kernels_of(COIN))
    assert place is not None
    assert np.ptp(place.cells[:, 0]) < 30
