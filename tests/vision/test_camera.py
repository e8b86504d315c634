import numpy as np
import pytest

from companion.errors import InvalidError
from vision.imaging.camera import View, lens_from_json, module_3_lens


def tilted_view(dist: tuple[float, ...] = (0.02, -0.05, 0.0003, -0.0004, 0.0)) -> View:
    plain = module_3_lens()
    lens = lens_from_json({"width": 2304, "height": 1296, "K": plain.camera_matrix.tolist(), "dist": list(dist)})
    tilt = np.radians(160.0)
    rotation = np.array([(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))])
    position = np.array([300.0, -100.0, 700.0])
    return View(lens, rotation, -rotation @ position)


@pytest.mark.parametrize("height_mm", [0.0, 12.0, 36.0])
def test_what_is_projected_comes_back_to_the_same_place_on_the_table(height_mm: float) -> None:
    view = tilted_view()
    points = np.array([(100.0, 50.0), (300.0, 100.0), (500.0, 250.0)])
    assert np.allclose(view.to_table(view.project_at(points, height_mm), height_mm), points, atol=1e-3)


def test_the_camera_is_where_it_was_put() -> None:
    assert np.allclose(tilted_view().position_mm, (300.0, -100.0, 700.0))


def test_higher_things_lean_away_from_the_camera() -> None:
    view = tilted_view()
    foot, behind = view.project_at([(300.0, 200.0), (300.0, 210.0)], 0.0)
    assert np.dot(view.lean((300.0, 200.0)), behind - foot) > 0


def test_the_built_in_lens_sees_66_degrees() -> None:
    rays = module_3_lens().rays([(0.0, 648.0), (2303.0, 648.0)])
    assert np.degrees(np.arctan(rays[1, 0]) - np.arctan(rays[0, 0])) == pytest.approx(66.0, abs=0.1)


def test_a_lens_without_distortion_numbers_is_refused_in_words() -> None:
    with pytest.raises(InvalidError) as error:
        lens_from_json({"width": 2304, "height": 1296, "K": np.eye(3).tolist()})
    assert error.value.phrase.id == "eyes.lens_invalid"


def test_no_points_give_no_pixels() -> None:
    assert tilted_view().project(np.zeros((0, 3))).shape == (0, 2)
