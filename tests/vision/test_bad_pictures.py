from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import InvalidError, SightError
from companion.games.kamikaze_cans.layout import layout as kamikaze
from companion.games.war_chest.layout import layout as war_chest
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, make_small, read_set
from vision.fiducials.tag_pose import find_cards
from vision.imaging.arrays import Floats
from vision.imaging.frame import Frame, Image, Look
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader
from vision.presence.image_health import FROZEN_FRAMES, FreezeDetector, ImageHealth

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
SETUP = {"units": [["knight"], ["cavalry"]], "factions": ["raven", "wolf"]}


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def pieces(known: PictureSet) -> PieceSet:
    return enrol_set(known, ())


def reader_of(known: PictureSet, pieces: PieceSet) -> Reader:
    return Reader(known.lens, pieces, war_chest(SETUP), known.zones, known.seats)


def shown(image: Image, number: int = 0, small: Image | None = None) -> Frame:
    return Frame(image, make_small(image) if small is None else small, 4.0 * number, number)


def said(look: Look) -> str:
    assert look.observation is None
    assert look.why is not None
    return look.why.id


@pytest.mark.parametrize(("change", "phrase_id"), [
    (lambda image: np.zeros_like(image), "eyes.black"),
    (lambda image: np.full_like(image, 255), "eyes.too_bright"),
    (lambda image: image[..., 1:2].repeat(3, axis=2), "eyes.no_colours"),
    (lambda image: image[::-1, ::-1], "eyes.upside_down"),
    (lambda image: image[:, ::-1], "eyes.mirrored"),
    (lambda image: image[::-1], "eyes.flipped"),
    (lambda image: image[..., ::-1], "eyes.colours_swapped"),
    (lambda image: image[..., 0], "eyes.no_colours"),
    (lambda image: image[:1080, :1920], "eyes.other_size"),
])
def test_what_is_wrong_with_a_picture_is_said(
    known: PictureSet, pieces: PieceSet, change: object, phrase_id: str
) -> None:
    assert callable(change)
    image = known.frame(0).image
    small = make_small(image)
    changed = np.ascontiguousarray(change(image))
    small = make_small(changed) if changed.ndim == 3 else small
    assert said(reader_of(known, pieces).look(shown(changed, small=small))) == phrase_id


def test_the_next_good_picture_is_looked_at_as_if_nothing_had_been(known: PictureSet, pieces: PieceSet) -> None:
    reader, image = reader_of(known, pieces), known.frame(0).image
    first = reader.look(shown(image))
    assert first.state == "free"
    for number, bad in enumerate((np.zeros_like(image), np.full_like(image, 255), np.full_like(image, 255),
                                  image[..., 1:2].repeat(3, axis=2), np.ascontiguousarray(image[:, ::-1])), 1):
        assert reader.look(shown(bad, number)).observation is None
    again = reader.look(shown(image, 9))
    assert again.observation is not None
    assert first.observation is not None
    assert [sight.spot for sight in again.observation.sights] == [sight.spot for sight in first.observation.sights]
    assert not any(sight.fresh for sight in again.observation.sights)
    assert ImageHealth(pieces.references).look(make_small(image)) is None


def test_a_camera_that_repeats_one_picture_is_noticed(known: PictureSet) -> None:
    frame, pulse = known.frame(0), FreezeDetector()
    stuck = [pulse.is_frozen(replace(frame, number=number, at_s=float(number))) for number in range(FROZEN_FRAMES + 2)]
    assert stuck[-1]
    assert not any(stuck[:FROZEN_FRAMES])
    other = replace(frame, small=np.asarray(frame.small + 1, np.uint8), number=99, at_s=99.0)
    assert not pulse.is_frozen(other)


def test_one_picture_that_is_shown_again_and_again_is_no_stuck_camera(known: PictureSet) -> None:
    frame, pulse = known.frame(0), FreezeDetector()
    assert not any(pulse.is_frozen(replace(frame, at_s=float(second))) for second in range(60))


def test_the_lens_of_another_camera_is_noticed(known: PictureSet) -> None:
    shorter = known.lens.camera_matrix * np.array([(0.8, 1, 1), (1, 0.8, 1), (1, 1, 1)])
    other = replace(known.lens, camera_matrix=shorter)
    with pytest.raises(SightError) as told:
        find_cards(known.frame(0).image, other)
    assert told.value.phrase.id == "eyes.lens_disagrees"


def test_a_piece_set_of_another_game_is_refused(known: PictureSet, pieces: PieceSet) -> None:
    with pytest.raises(InvalidError) as told:
        Reader(known.lens, pieces, kamikaze(2), {}, {})
    assert told.value.phrase.id == "eyes.other_pieces"


def test_a_piece_that_was_never_enrolled_is_named(known: PictureSet, pieces: PieceSet) -> None:
    lacking = replace(pieces, faces={name: face for name, face in pieces.faces.items() if name != "coin:knight"})
    with pytest.raises(InvalidError) as told:
        reader_of(known, lacking)
    assert told.value.phrase.id == "eyes.lacks_pieces"
    assert "coin:knight" in str(told.value.phrase)


def test_cards_of_another_printout_size_are_measured_and_told(known: PictureSet) -> None:
    image = known.frame(0).image
    arrangement = find_cards(image, known.lens)
    card = next(card for card in arrangement.cards if card.card == 3)
    printed = scaled_card(image, arrangement.view.project_at([card.at_mm], 0.3)[0], 0.96)
    with pytest.raises(SightError) as told:
        find_cards(printed, known.lens)
    assert told.value.phrase.id == "eyes.card_size"
    assert dict(told.value.phrase.args) == {"card": 3, "percent": 96}


def scaled_card(image: Image, centre_px: Floats, share: float) -> Image:
    """The picture with what is around a point shrunk towards it."""
    reach = 70
    left, top = (int(each) - reach for each in centre_px)
    crop = image[top:top + 2 * reach, left:left + 2 * reach]
    middle = centre_px - (left, top)
    matrix = np.array([(share, 0, middle[0] * (1 - share)), (0, share, middle[1] * (1 - share))])
    changed = image.copy()
    changed[top:top + 2 * reach, left:left + 2 * reach] = cv2.warpAffine(
        crop, matrix, (2 * reach, 2 * reach), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(changed, np.uint8)


def test_cards_that_were_all_printed_anew_in_another_size_are_told(known: PictureSet) -> None:
    image = known.frame(0).image
    before = find_cards(image, known.lens)
    for card in before.cards:
        image = scaled_card(image, before.view.project_at([card.at_mm], 0.3)[0], 0.95)
    with pytest.raises(SightError) as told:
        find_cards(image, known.lens, before)
    assert told.value.phrase.id == "eyes.cards_size"
    assert dict(told.value.phrase.args) == {"percent": 95}
