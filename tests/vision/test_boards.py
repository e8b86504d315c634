from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import SightError
from companion.table import Body
from vision.bodies.print_features import anywhere
from vision.bodies.print_model import Print, drawn_print
from vision.bodies.print_registration import coarse_pose, learn_print, register_print
from vision.bodies.printed_body import PrintedBody
from vision.enrolment.picture_set import PictureSet, read_picture, read_set, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import White
from vision.scene.scene import Scene

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
CLOSE_MM, CLOSE_DEG = 0.3, 0.1


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def board(known: PictureSet) -> Print:
    """The board as its enrolment picture shows it, laid 3 mm beside where it should."""
    laid = known.enrolments[0]
    picture = read_picture(laid.picture, known.lens)
    piece = next(piece for piece in known.pieces if piece.kind == "board")
    beside = Pose((laid.pieces[0].at_mm[0] + 3.0, laid.pieces[0].at_mm[1]), laid.pieces[0].turn_deg)
    drawn = drawn_print(known.drawings()[piece.name], piece.size_mm)
    return learn_print(Picture(picture, find_cards(picture, known.lens).view), beside, piece.size_mm, drawn)


@pytest.fixture(scope="module")
def picture(known: PictureSet) -> tuple[Image, View, White]:
    image = known.frame(0).image
    arrangement = find_cards(image, known.lens)
    return image, arrangement.view, fit_white(image, arrangement)


def true_pose() -> Pose:
    piece = next(piece for piece in read_truth(EXCERPT)[0]["pieces"] if piece["spot"] == "board")
    return Pose((piece["at"][0], piece["at"][1]), piece["turn"])


def assert_close(found: Pose, expected: Pose) -> None:
    assert np.hypot(*np.subtract(found.at_mm, expected.at_mm)) < CLOSE_MM
    assert abs((found.turn_deg - expected.turn_deg + 180) % 360 - 180) < CLOSE_DEG


def off(pose: Pose, x_mm: float, y_mm: float, turn_deg: float) -> Pose:
    return Pose((pose.at_mm[0] + x_mm, pose.at_mm[1] + y_mm), pose.turn_deg + turn_deg)


def test_a_board_is_found_near_where_it_is_expected(board: Print, picture: tuple[Image, View, White]) -> None:
    seen = Picture(*picture[:2])
    fit = register_print(seen, board, coarse_pose(seen, board, off(true_pose(), 9.0, -8.0, 4.0), 14.0))
    assert fit is not None
    assert_close(fit.pose, true_pose())


def test_a_board_is_found_anywhere_and_however_turned(board: Print, picture: tuple[Image, View, White]) -> None:
    seen = Picture(*picture[:2])
    found = anywhere(seen, board)
    assert found is not None
    fit = register_print(seen, board, found)
    assert fit is not None
    assert_close(fit.pose, true_pose())


def a_body(board: Print, at: Pose) -> PrintedBody:
    return PrintedBody(board, Body("board", "board:wc", at.at_mm, (446.0, 326.0, 2.0), at.turn_deg))


def test_a_board_stays_where_it_is_until_it_is_nudged(board: Print, picture: tuple[Image, View, White]) -> None:
    image, view, white = picture
    body = a_body(board, off(true_pose(), 5.0, 5.0, 2.0))
    (first,), moved = body.find(Scene(image, view, white, None, None))
    assert moved
    (again,), moved = body.find(Scene(image, view, white, None, None))
    assert again == first
    assert not moved
    pushed = np.asarray(cv2.warpAffine(image, np.array([(1.0, 0, 4), (0, 1, 0)]), image.shape[1::-1]), np.uint8)
    (then,), moved = body.find(Scene(pushed, view, white, None, None))
    assert moved
    assert 1.0 < np.hypot(*np.subtract(then.at_mm, first.at_mm)) < 3.0


def test_a_table_without_its_board_is_said(board: Print, picture: tuple[Image, View, White]) -> None:
    image, view, white = picture
    with pytest.raises(SightError) as told:
        a_body(board, true_pose()).find(Scene(np.full_like(image, 90), view, white, None, None))
    assert told.value.phrase.id == "eyes.no_board"


def test_a_covered_packing_crate_is_taken_to_stand_where_it_is_expected(
    board: Print, picture: tuple[Image, View, White]
) -> None:
    image, view, white = picture
    small = replace(board, image=board.image[:84, :84])
    expected = Body("packing_crate:0:1", "packing:red", (0.0, 300.0), (42.0, 42.0, 1.5))
    (found,), _ = PrintedBody(small, expected).find(Scene(np.full_like(image, 90), view, white, None, None))
    assert found == expected


def test_a_covered_packing_crate_is_looked_for_again_once_its_cover_looks_otherwise(
    board: Print, picture: tuple[Image, View, White], monkeypatch: pytest.MonkeyPatch
) -> None:
    image, view, white = picture
    searched: list[Pose] = []

    def counted(picture: Picture, known: Print, near: Pose, reach_mm: float) -> Pose:
        searched.append(near)
        return coarse_pose(picture, known, near, reach_mm)

    monkeypatch.setattr("vision.bodies.printed_body.coarse_pose", counted)
    small = replace(board, image=board.image[:84, :84])
    body = PrintedBody(small, Body("packing_crate:0:1", "packing:red", (0.0, 300.0), (42.0, 42.0, 1.5)))
    for grey, searches in ((90, 1), (91, 1), (140, 2), (140, 2)):
        body.find(Scene(np.full_like(image, grey), view, white, None, None))
        assert len(searched) == searches
