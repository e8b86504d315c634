import cv2
import numpy as np
import pytest

from vision.imaging.arrays import Floats
from vision.imaging.camera import spin
from vision.photometry.unsharp import Lightness, sharpening, unsharpened

BLACK, PAPER = 20.0, 90.0
FINE = 8


def a_marker(turn_deg: float = 20.0, blur_px: float = 0.6) -> tuple[Lightness, Floats]:
    """A black square of 80 px on paper, as a lens shows it, and its corners."""
    corners = np.array([(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)]) @ spin(turn_deg).T + 70.3
    light = np.full((140 * FINE, 140 * FINE), PAPER ** 2, np.float32)
    cv2.fillConvexPoly(light, np.rint(((corners + 0.5) * FINE - 0.5) * 16).astype(np.int32), BLACK ** 2, shift=4)
    blurred = cv2.GaussianBlur(light, (0, 0), blur_px * FINE)
    return np.sqrt(cv2.resize(blurred, (140, 140), interpolation=cv2.INTER_AREA)).astype(np.float32), corners


def sharpened(lightness: Lightness, amount: float) -> Lightness:
    return np.asarray(lightness + amount * (lightness - cv2.GaussianBlur(lightness, (0, 0), 1.0)), np.float32)


@pytest.mark.parametrize(("amount", "blur_px"), [(0.0, 0.6), (0.0, 0.9), (0.3, 0.5), (0.8, 0.6), (1.2, 0.5)])
def test_how_much_was_sharpened_is_measured_at_markers(amount: float, blur_px: float) -> None:
    markers = []
    for turn in (5.0, 20.0, 63.0):
        lightness, corners = a_marker(turn, blur_px)
        markers.append((sharpened(lightness, amount), corners))
    assert sharpening(markers) == pytest.approx(amount, abs=0.15)


def test_without_sharpening_edges_are_as_the_lens_shows_them() -> None:
    lightness, _ = a_marker()
    again = unsharpened(sharpened(lightness, 0.8), 0.8)
    assert np.abs(sharpened(lightness, 0.8) - lightness).max() > 6
    assert np.abs(again - lightness).max() < 0.7
    assert unsharpened(lightness, 0.0) is lightness


def test_where_no_marker_is_seen_nothing_is_said_to_be_sharpened() -> None:
    assert sharpening([]) == 0.0
    assert sharpening([(np.full((140, 140), 50.0, np.float32), a_marker()[1])]) == 0.0
