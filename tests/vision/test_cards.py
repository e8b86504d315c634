from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import SightError
from companion.table.tag_card import TAG_CARDS
from tests.vision.excerpt import arrangement, enrolment, excerpt, picture, true_cards, whole_sets
from vision.enrolment.picture_set import read_set, read_truth
from vision.fiducials.tag_corners import refine_corners, to_px
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.frame import CardSeen, Image


def errors(found: Arrangement, true: dict[int, tuple[float, float, float]]) -> tuple[float, float]:
    """The largest in mm and in degrees."""
    mm = [np.hypot(card.at_mm[0] - true[card.card][0], card.at_mm[1] - true[card.card][1]) for card in found.cards]
    deg = [abs((card.turn_deg - true[card.card][2] + 180) % 360 - 180) for card in found.cards]
    return float(max(mm)), float(max(deg))


def covered(image: Image, *cards: int) -> Image:
    """The picture with some cards covered by a grey sheet."""
    hidden = image.copy()
    for card in arrangement().cards:
        if card.card in cards:
            x, y = arrangement().view.project_at([card.at_mm], 0.0)[0].astype(int)
            cv2.rectangle(hidden, (x - 110, y - 110), (x + 110, y + 110), (120, 120, 120), -1)
    return hidden


def shifted(known: Arrangement, card: int, by_mm: tuple[float, float]) -> Arrangement:
    """An arrangement in which one card is thought to lie elsewhere."""
    cards = tuple(CardSeen(each.card, (each.at_mm[0] + by_mm[0], each.at_mm[1] + by_mm[1]), each.turn_deg)
                  if each.card == card else each for each in known.cards)
    return Arrangement(known.view, cards, known.seen, known.residual_px)


def test_cards_are_measured_to_a_millimetre_from_nothing() -> None:
    mm, deg = errors(find_cards(picture(0), excerpt().lens), true_cards(0))
    assert mm <= 1.0
    assert deg <= 0.3


@pytest.mark.parametrize("index", [0, 2, 9])
def test_known_cards_are_tracked_from_frame_to_frame(index: int) -> None:
    found = find_cards(picture(index), excerpt().lens, arrangement())
    assert found.bumped is None
    assert found.seen == frozenset(TAG_CARDS)
    mm, deg = errors(found, true_cards(index))
    assert mm <= 1.0
    assert deg <= 0.3


def test_two_covered_cards_do_no_harm_once_they_are_known() -> None:
    found = find_cards(covered(picture(0), 0, 2), excerpt().lens, arrangement())
    assert found.seen == {1, 3}
    assert errors(found, true_cards(0))[0] <= 1.0


def test_two_cards_covered_at_the_start_are_named() -> None:
    with pytest.raises(SightError) as error:
        find_cards(covered(picture(0), 1, 2), excerpt().lens)
    assert error.value.phrase.id == "eyes.cards_covered"
    assert dict(error.value.phrase.args)["cards"] == (1, 2)


def test_the_card_that_carries_the_frame_must_be_seen_at_the_start() -> None:
    with pytest.raises(SightError) as error:
        find_cards(covered(picture(0), 0), excerpt().lens)
    assert error.value.phrase.id == "eyes.card_covered"


def test_a_picture_without_cards_says_so() -> None:
    with pytest.raises(SightError) as error:
        find_cards(np.full((1296, 2304, 3), 90, np.uint8), excerpt().lens)
    assert error.value.phrase.id == "eyes.no_cards"


def test_a_picture_of_another_size_says_so() -> None:
    with pytest.raises(SightError) as error:
        find_cards(picture(0)[:1000], excerpt().lens)
    assert error.value.phrase.id == "eyes.other_size"


def test_a_card_that_was_covered_at_the_start_is_found_later() -> None:
    first = find_cards(covered(picture(0), 3), excerpt().lens)
    assert {card.card for card in first.cards} == {0, 1, 2}
    later = find_cards(picture(0), excerpt().lens, first)
    assert later.seen == frozenset(TAG_CARDS)
    assert errors(later, true_cards(0))[0] <= 1.0


def test_a_bumped_card_is_noticed_and_measured_again() -> None:
    found = find_cards(picture(0), excerpt().lens, shifted(arrangement(), 2, (6.0, -4.0)))
    assert found.bumped is not None
    assert found.bumped.id == "eyes.card_bumped"
    assert dict(found.bumped.args)["card"] == 2
    assert errors(found, true_cards(0))[0] <= 1.0


def test_a_bumped_camera_is_noticed_and_found_again() -> None:
    moved = np.array([(1.0, 0.0, 18.0), (0.0, 1.0, -11.0)])
    image = np.asarray(cv2.warpAffine(picture(0), moved, (2304, 1296), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    found = find_cards(image, excerpt().lens, arrangement())
    assert found.bumped is not None
    assert found.bumped.id == "eyes.camera_bumped"
    assert errors(found, true_cards(0))[0] <= 1.0


def test_spread_of_paper_into_black_does_not_change_the_scale() -> None:
    """Bright paper that eats 0.1 mm of every black edge moves the corners by less than 0.02 mm."""
    lens, scale = excerpt().lens, 2.5
    sheet = np.full((300, 600), 220, np.uint8)
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 0, 100)
    sheet[100:200, 100:200] = marker
    sheet[100 + int(58 - 18.75) + 28:100 + int(58 - 18.75) + 28 + 37, 221:258] = 20  # the black patch
    big = cv2.resize(sheet, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    spread = cv2.dilate(big, np.ones((5, 5), np.uint8))  # by 2 of 8 parts of a pixel: 0.1 mm
    small = cv2.resize(spread, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    canvas = np.full((1296, 2304), 220, np.uint8)
    canvas[500:800, 800:1400] = small
    rough = np.array([(900.0, 600.0), (999.0, 600.0), (999.0, 699.0), (900.0, 699.0)])
    found = refine_corners(np.asarray(cv2.cvtColor(canvas, cv2.COLOR_GRAY2BGR), np.uint8), lens, 0, rough)
    assert found is not None
    px = to_px(lens, found)
    width = np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).mean()
    assert abs(width / scale - 40.0) < 0.06


@pytest.mark.skipif(not whole_sets(), reason="whole picture sets are not here; set TABLES to their folder")
@pytest.mark.parametrize("folder", whole_sets(), ids=lambda path: path.name)
def test_cards_of_whole_sets_are_within_a_millimetre(folder: Path) -> None:
    pictures, true = read_set(folder), read_truth(folder)
    found: Arrangement | None = None
    for index in range(0, len(pictures.pictures), 12):
        found = find_cards(pictures.frame(index).image, pictures.lens, found)
        cards = {card["card"]: (*card["at"], card["turn"]) for card in true[index]["cards"]}
        mm, deg = errors(found, cards)
        assert mm <= 1.0
        assert deg <= 0.3


def test_enrolment_and_game_show_the_same_arrangement() -> None:
    assert find_cards(enrolment(3), excerpt().lens, arrangement()).bumped is None


def test_a_card_that_would_lie_beside_the_picture_is_not_seen() -> None:
    found = find_cards(picture(0), excerpt().lens, shifted(arrangement(), 3, (2000.0, 0.0)))
    assert found.seen == {0, 1, 2}
