"""Planes around a foot, of a lid that is painted as a camera sees it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.arrays import Floats
from vision.imaging.camera import View, module_3_lens
from vision.photometry.white_reference import LitPicture, White
from vision.shapes.plane_sweep import MM_PER_PX, PLANES_MM, SIDE_PX, slant, sweep

WHITE = White(np.zeros((3, 3)), np.ones(3), {})
LID_RADIUS_MM = 5.0


def tilted_view(degrees: float) -> View:
    turn = np.asarray(cv2.Rodrigues(np.array([np.radians(degrees), 0.0, 0.0]))[0], np.float64)
    return View(module_3_lens(), turn @ np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 650.0]))


def lid(view: View, foot_mm: Floats, height_mm: float) -> LitPicture:
    """A white lid on a black table."""
    turns = np.linspace(0, 2 * np.pi, 60)
    rim = foot_mm[:2] + LID_RADIUS_MM * np.column_stack([np.cos(turns), np.sin(turns)])
    image = np.zeros((view.lens.height, view.lens.width, 3), np.uint8)
    px = np.rint(view.project_at(rim, float(foot_mm[2]) + height_mm) * 16).astype(np.int32)
    cv2.fillPoly(image, [px], (255, 255, 255), cv2.LINE_AA, 4)
    return LitPicture(image, view, WHITE)


def middle_mm(plane: Floats) -> tuple[float, float]:
    """Where the light of a plane (3, side, side) is: along its rows and across them, from its middle."""
    light = plane.sum(axis=0)
    rows, columns = np.indices(light.shape)
    half = (SIDE_PX - 1) / 2
    along, across = (float((light * each).sum() / light.sum() - half) * MM_PER_PX for each in (rows, columns))
    return along, across


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
@pytest.mark.parametrize("foot", [(180.0, 60.0, 0.0), (-90.0, 120.0, 1.2), (-30.0, -150.0, 0.0)])
def test_a_lid_is_in_the_middle_of_the_plane_at_its_height(tilt_deg: float, foot: tuple[float, float, float]) -> None:
    view, foot_mm = tilted_view(tilt_deg), np.array(foot)
    picture = lid(view, foot_mm, 16.0)
    planes = sweep(picture, foot_mm)
    assert planes.shape == (len(PLANES_MM), 3, SIDE_PX, SIDE_PX)
    for height, plane in zip(PLANES_MM, planes):
        expected_mm = (16.0 - height) * slant(picture, foot_mm)
        if abs(expected_mm) > SIDE_PX / 2 * MM_PER_PX - LID_RADIUS_MM:
            continue  # part of the lid is beyond the plane
        along, across = middle_mm(plane)
        assert along == pytest.approx(expected_mm, abs=0.35)
        assert across == pytest.approx(0.0, abs=0.25)


def test_light_is_as_bright_as_its_paper() -> None:
    view, foot_mm = tilted_view(0.0), np.array([100.0, 50.0, 0.0])
    planes = sweep(lid(view, foot_mm, 12.0), foot_mm)
    assert float(planes.max()) == pytest.approx(np.sqrt(0.8), abs=0.01)
    assert float(planes.min()) == 0.0


def test_a_foot_at_the_very_edge_of_the_picture_is_seen_as_far_as_it_goes() -> None:
    view = tilted_view(0.0)
    at = view.to_table(np.array([(1.0, 1.0)]))[0]
    planes = sweep(lid(view, np.array([0.0, 0.0, 0.0]), 12.0), np.array([*at, 0.0]))
    assert np.isfinite(planes).all()
