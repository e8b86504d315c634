"""Faces that look the same at several turns: how far one is turned from the nearest of them is read all the same."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.table import Piece, turn_between_deg
from tests.vision.test_faces import COINS, faces, lay_face, scene, table
from vision.faces.classifier import read_face
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable
from vision.faces.folds import count_folds
from vision.faces.learn_templates import learn_face
from vision.faces.outline_registration import LaidFace
from vision.faces.templates import Face
from vision.imaging.frame import Image

BACK = Piece("coin:back", "coin", (30.0, 30.0, 3.0), True)


@cache
def rays(count: int) -> Image:
    """A face of 300 by 300 pixels with some rays round its middle."""
    face = np.full((300, 300, 3), (150, 165, 175), np.uint8)
    for turn in np.arange(count) * 2 * np.pi / max(1, count):
        way = np.array([np.cos(turn), np.sin(turn)])
        near, far = (tuple(np.rint(150 + way * reach).astype(int).tolist()) for reach in (35, 110))
        cv2.line(face, near, far, (40, 40, 45), 10)
    return face


@cache
def face_with(count: int) -> Face:
    picture = table().copy()
    lay_face(picture, rays(count), (-75.0, 5.0), 0.0)
    return learn_face(scene(picture), LaidFace(BACK, (-75.0, 5.0), 0.0))


@pytest.mark.parametrize(("count", "folds"), [(1, 1), (2, 1), (4, 1), (8, 8), (12, 12)])
def test_many_rays_are_counted(count: int, folds: int) -> None:
    assert count_folds(face_with(count)) == folds


def test_only_round_faces_look_the_same_at_many_turns() -> None:
    shades = np.random.default_rng(2).uniform(20, 90, (126, 176, 3))
    assert count_folds(Face(Piece("card:x", "card", (88.0, 63.0, 0.3), False), shades.astype(np.float32))) == 1


def test_a_plain_face_has_no_turn() -> None:
    picture = table().copy()
    lay_face(picture, rays(0), (31.0, -22.0), 50.0)
    plain = face_with(0)
    reading = read_face(scene(picture), FaceSite((29.5, -21.0), 0.0, 3.0, BareTable()), (plain,))
    assert (reading.best, reading.turn_deg, reading.folds) == ("coin:back", None, 1)


@pytest.mark.parametrize("turn", [3.0, 44.0, 171.0])
def test_a_back_with_twelve_rays_is_read_at_its_turn_from_the_nearest_of_them(turn: float) -> None:
    picture = table().copy()
    lay_face(picture, rays(12), (31.0, -22.0), turn)
    reading = read_face(scene(picture), FaceSite((29.5, -21.0), 0.0, 3.0, BareTable()),
                        (face_with(12), *(faces()[name] for name in COINS)))
    assert (reading.best, reading.folds) == ("coin:back", 12)
    assert reading.turn_deg is not None
    assert turn_between_deg(reading.turn_deg, turn, 12) < 3.0


def test_turns_are_compared_round_the_circle_and_by_folds() -> None:
    assert turn_between_deg(179.5, -179.5) == pytest.approx(1.0)
    assert turn_between_deg(-95.0, 95.0) == pytest.approx(170.0)
    assert turn_between_deg(10.0, 220.5, 12) == pytest.approx(0.5)
    assert turn_between_deg(0.0, 44.0, 4) == pytest.approx(44.0)
