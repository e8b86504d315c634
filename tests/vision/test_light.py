import cv2
import numpy as np
import pytest

from tests.vision.excerpt import arrangement, enrolment, excerpt, picture, white
from vision.fiducials.tag_pose import find_cards
from vision.imaging.frame import Image
from vision.imaging.srgb import to_lab
from vision.photometry.card_patches import judge_exposure
from vision.photometry.white_fit import fit_white, is_as_bright
from vision.photometry.white_reference import PAPER_REFLECTANCE

TABLE = (slice(600, 700), slice(1700, 1900))


def brighter(image: Image, gain: float, tint: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Image:
    return np.asarray((image * np.array(tint) * gain).clip(0, 255), np.uint8)


def lab_of_the_table(image: Image) -> np.ndarray:
    crop = image[TABLE]
    light = fit_white(image, arrangement(), white())
    return np.asarray(np.median(to_lab(light.normalise(crop, TABLE[1].start, TABLE[0].start)).reshape(-1, 3), axis=0))


def test_white_paper_reflects_as_white_paper() -> None:
    for patch in (patch for (_, number), patch in white().patches.items() if number < 2):
        x, y = (int(value) for value in patch.at_px)
        light = white().normalise(enrolment(0)[y - 3:y + 4, x - 3:x + 4], x - 3, y - 3)
        assert np.abs(light.mean(axis=(0, 1)) / PAPER_REFLECTANCE - 1).max() < 0.12


@pytest.mark.parametrize(("gain", "tint"), [(0.8, (1.0, 1.0, 1.0)), (0.9, (1.0, 0.93, 0.86)), (1.08, (0.9, 1.0, 1.0))])
def test_a_drift_of_the_light_is_taken_out(gain: float, tint: tuple[float, float, float]) -> None:
    before = lab_of_the_table(enrolment(0))
    after = lab_of_the_table(brighter(enrolment(0), gain, tint))
    assert np.linalg.norm(after - before) < 2.0


def test_a_covered_patch_does_not_bend_the_reference() -> None:
    before = lab_of_the_table(picture(0))
    image = picture(0).copy()
    x, y = (int(value) for value in white().patches[2, 0].at_px)
    cv2.rectangle(image, (x - 30, y - 30), (x + 30, y + 30), (40, 60, 90), -1)
    assert np.linalg.norm(lab_of_the_table(image) - before) < 2.0


def test_a_good_exposure_is_not_complained_about() -> None:
    assert judge_exposure(white().patches) is None


def test_burnt_out_and_dark_pictures_are_told() -> None:
    known = find_cards(picture(0), excerpt().lens, arrangement())
    bright = judge_exposure(fit_white(brighter(picture(0), 1.45), known).patches)
    dark = judge_exposure(fit_white(brighter(picture(0), 0.2), known).patches)
    assert bright is not None
    assert dark is not None
    assert (bright[0], bright[1].id) == ("bright", "eyes.too_bright")
    assert (dark[0], dark[1].id) == ("dark", "eyes.too_dark")


def test_where_white_paper_is_burnt_out_grey_tells_the_light() -> None:
    before = lab_of_the_table(picture(0))
    burnt = fit_white(brighter(picture(0), 1.45), arrangement(), white())
    assert judge_exposure(burnt.patches) is not None
    assert np.linalg.norm(lab_of_the_table(brighter(picture(0), 1.45)) - before) < 4.0


@pytest.mark.parametrize(("gain", "learned", "as_bright"), [
    (1.6, 1.0, False), (1.6, 1.6, True), (1.7, 1.6, True), (1.5, 1.6, True), (2.0, 1.6, False),
])
def test_a_picture_is_as_burnt_out_as_the_one_pieces_were_learned_in(
    gain: float, learned: float, as_bright: bool
) -> None:
    now, then = (fit_white(brighter(picture(0), each), arrangement()) for each in (gain, learned))
    assert is_as_bright(now, then) == as_bright


def test_without_patches_nothing_is_said_of_the_exposure() -> None:
    assert judge_exposure({}) is None
