"""Light as CIE L*a*b*, held against OpenCV's."""

import cv2
import numpy as np
import pytest

from vision.imaging.srgb import to_lab


def test_lab_is_that_of_opencv() -> None:
    light = np.random.default_rng(3).random((40, 50, 3)).astype(np.float32) * np.float32(1.3)
    light[:4] *= np.float32(0.004)  # where it is linear
    assert to_lab(light) == pytest.approx(cv2.cvtColor(light, cv2.COLOR_LBGR2Lab), abs=0.02)


def test_white_is_white_and_black_is_black() -> None:
    assert to_lab(np.ones((1, 1, 3), np.float32)) == pytest.approx(np.array([[[100, 0, 0]]]), abs=0.01)
    assert to_lab(np.zeros((1, 1, 3), np.float32)) == pytest.approx(np.zeros((1, 1, 3)), abs=0.01)
