"""Boxes of pixels in strips."""

import numpy as np
import pytest

from vision.imaging.box import Box


@pytest.mark.parametrize("rows", [1, 5, 10, 64])
def test_strips_are_the_whole_box_each_row_once(rows: int) -> None:
    box, seen = Box(-3, 7, 4, 10), np.zeros((10, 4), np.uint8)
    for strip in box.strips(rows):
        assert strip in box
        assert 0 < strip.height <= rows
        here, _ = box.overlap(strip)
        seen[here] += 1
    assert (seen == 1).all()
