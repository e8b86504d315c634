"""Pieces on which the edge of a lamp's reflection lies, of the very colour of what they lie on."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.table import Piece, Point
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable
from vision.faces.learn_templates import learn_face
from vision.faces.light_model import gamma_coded
from vision.faces.linear_light import TO_VALUES
from vision.faces.outline_registration import LaidFace
from vision.faces.sharp_gloss import glossy_loss
from vision.faces.templates import Face
from vision.imaging.arrays import Values
from vision.imaging.camera import Lens, View
from vision.imaging.frame import Image
from vision.photometry.white_reference import White
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

LENS = Lens(600, 400, np.array([[1200.0, 0, 300], [0, 1200.0, 200], [0, 0, 1]]), np.zeros(5))
WHITE = White(np.zeros((3, 3)), np.ones(3), {})
BACK = Piece("tile:back", "tile", (30.0, 30.0, 2.0), False)
RED, DARK_RED = (45, 40, 160), (25, 20, 85)
PX_PER_MM = 10
ENROLLED_AT, AT = (-45.0, 5.0), (40.0, -10.0)
BURNT = np.full(3, 4.0, np.float32)


def view() -> View:
    """A camera 500 mm above the table, looking straight down."""
    rotation = np.diag((1.0, -1.0, -1.0))
    return View(LENS, rotation, -rotation @ np.array([0.0, 0.0, 500.0]))


def table() -> Image:
    return np.full((LENS.height, LENS.width, 3), RED, np.uint8)


def design(gloss: float) -> Image:
    """The back of a tile (300, 300, 3): small squares, and white light on all that is below one of its diagonals."""
    back = np.full((300, 300, 3), RED, np.uint8)
    for x in range(35, 300, 50):
        for y in range(35, 300, 50):
            cv2.rectangle(back, (x, y), (x + 25, y + 25), DARK_RED, 7)
    lit = np.tri(300, dtype=np.float64)[..., None]
    return np.asarray(255 * np.minimum((back / 255.0) ** 2.2 + gloss * lit, 1) ** (1 / 2.2), np.uint8)


def laid(at_mm: Point, gloss: float) -> Image:
    """The table with a tile on it."""
    corners = np.array([(-15, 15), (15, 15), (15, -15), (-15, -15)]) + at_mm
    own = np.array([(0, 0), (300, 0), (300, 300), (0, 300)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(own, view().project_at(corners, 2.0).astype(np.float32))
    picture = table()
    cv2.warpPerspective(cv2.GaussianBlur(design(gloss), (0, 0), 3), matrix, (LENS.width, LENS.height), picture,
                        borderMode=cv2.BORDER_TRANSPARENT)
    return picture


def scene(picture: Image) -> Scene:
    noisy = picture + np.random.default_rng(5).normal(0, 2, picture.shape)
    image = np.clip(cv2.GaussianBlur(noisy, (0, 0), 0.6), 0, 255).astype(np.uint8)
    return Scene(image, view(), WHITE, Bare(table(), view(), WHITE), None)


@cache
def back(off_mm: Point = (0.0, 0.0), gloss: float = 0.1) -> Face:
    """The back as it is learned where it lay somewhat off the asked place."""
    x, y = np.subtract(ENROLLED_AT, off_mm).tolist()
    return learn_face(scene(laid(ENROLLED_AT, gloss)), LaidFace(BACK, (x, y), 0.0))


def read(picture: Image, face: Face) -> FaceReading:
    return read_face(scene(picture), FaceSite((AT[0] + 1, AT[1] - 1), 0.0, 2.0, ground=BareTable()), (face,))


@pytest.mark.parametrize("gloss", [0.0, 0.05, 0.1])
def test_a_tile_of_its_grounds_colour_is_seen_though_a_reflection_ended_on_it_at_enrolment(gloss: float) -> None:
    reading = read(laid(AT, gloss), back())
    assert reading.over_empty_nats > 3
    assert np.hypot(*np.subtract(reading.at_mm, AT)) < 0.6


def test_the_bare_ground_is_no_tile_that_was_enrolled_under_a_reflection() -> None:
    assert read(table(), back()).over_empty_nats < -5


def test_what_lay_beside_a_tile_at_enrolment_is_hardly_compared() -> None:
    exact, off = (read(laid(AT, 0.0), back(off_mm, 0.0)).misfit for off_mm in ((0.0, 0.0), (0.8, -0.5)))
    assert off < exact + 3


def losses(seen: Values, expected: Values) -> Values:
    """The losses of linear light that is seen where other is expected, both (faces, 3, n)."""
    return glossy_loss(TO_VALUES.T @ gamma_coded(seen), expected, BURNT)


def test_white_light_costs_little_and_other_light_or_a_print_as_much_as_ever() -> None:
    face = np.tile(np.array([0.05, 0.06, 0.35], np.float32)[:, None], (1, 1, 8))
    more, tinted, paper = (np.array(each, np.float32)[:, None]
                           for each in ((0.12, 0.12, 0.12), (0.2, 0, 0), (0.5, 0.5, 0.5)))
    ((own,), (glossy,), (gone,), (coloured,), (printed,)) = (losses(*each) for each in (
        (face, face), (face + more, face), (face, face + more), (face + tinted, face), (face + paper, face)))
    assert own < 0.1
    assert max(glossy, gone) < 30
    assert coloured > 200
    assert printed > 100
