"""Samples that are spread evenly."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imaging.spread import spread, spread_indices


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_every_part_of_the_cube_gets_its_share(dimensions: int) -> None:
    points = spread(3_000, dimensions)
    assert points.shape == (dimensions, 3_000)
    assert points.min() >= 0
    assert points.max() < 1
    share, _ = np.histogramdd(points.T, bins=3, range=[(0, 1)] * dimensions)
    assert np.allclose(share, 3_000 / 3**dimensions, rtol=0.1)


def test_they_are_the_same_each_time() -> None:
    assert np.array_equal(spread(20, 2), spread(20, 2))


def test_pairs_of_a_few_things_are_seldom_one_thing_twice() -> None:
    one, other = spread_indices(10, 500, 2)
    assert set(one) == set(other) == set(range(10))
    assert np.mean(one == other) == pytest.approx(0.1, abs=0.03)
