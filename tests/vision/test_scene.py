import numpy as np

from vision.camera import View, module_3_lens
from vision.scene import Laid
from vision.solids import Box

ABOVE = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0]))


def a_crate() -> Laid:
    """30 mm wide and deep, 12 mm high, its middle 100 mm beside the point below the camera."""
    corners = np.array([(85.0, -15.0), (115.0, -15.0), (115.0, 15.0), (85.0, 15.0)])
    return Laid(ABOVE.project_at(corners, 12.0), 12.0)


def box_of(laid: Laid) -> Box:
    left, top = laid.outline_px.min(axis=0).astype(int) - 5
    right, bottom = laid.outline_px.max(axis=0).astype(int) + 5
    return Box(int(left), int(top), int(right - left), int(bottom - top))


def test_a_thing_hides_what_stands_behind_it_and_not_what_stands_before_it() -> None:
    crate = a_crate()
    box = box_of(crate)
    assert crate.covers(ABOVE, box, 130.0).mean() > 0.5
    assert not crate.covers(ABOVE, box, 80.0).any()


def test_a_thing_elsewhere_hides_nothing() -> None:
    assert not a_crate().covers(ABOVE, Box(0, 0, 40, 40), 500.0).any()
