import numpy as np

from vision.imaging.box import Box
from vision.imaging.camera import View, module_3_lens
from vision.scene.occluders import Obstacle

ABOVE = View(module_3_lens(), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0]))


def a_crate() -> Obstacle:
    """30 mm wide and deep, 12 mm high, its middle 100 mm beside the point below the camera."""
    corners = np.array([(85.0, -15.0), (115.0, -15.0), (115.0, 15.0), (85.0, 15.0)])
    return Obstacle(ABOVE.project_at(corners, 12.0), 12.0)


def test_a_thing_hides_what_stands_behind_it_and_not_what_stands_before_it() -> None:
    crate = a_crate()
    assert crate.covers(ABOVE, crate.box, 130.0).mean() > 0.5
    assert not crate.covers(ABOVE, crate.box, 80.0).any()


def test_a_thing_elsewhere_hides_nothing() -> None:
    assert not a_crate().covers(ABOVE, Box(0, 0, 40, 40), 500.0).any()
