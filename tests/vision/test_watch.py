from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.excerpt import EXCERPT, arrangement, enrolment, excerpt, whole_sets
from vision.enrolment.picture_set import PictureSet, make_small, read_picture, read_set, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import View
from vision.imaging.frame import Image
from vision.presence.play_area import survey
from vision.presence.table_gate import TableGate


def small(index: int) -> Image:
    return excerpt().frame(index).small


def watcher(known: PictureSet | None = None, references: bool = True) -> TableGate:
    known = known or excerpt()
    first = read_picture(known.enrolments[0].picture, known.lens)
    stands = arrangement() if known is excerpt() else find_cards(first, known.lens)
    area = survey(stands.view, known.zones.values(), [(card.at_mm, card.turn_deg) for card in stands.cards],
                    known.pieces)
    pictures = [make_small(read_picture(each.picture, known.lens)) for each in known.enrolments]
    return TableGate(area, pictures if references else ())


def test_hands_are_told_from_free_looks_frame_by_frame() -> None:
    watch = watcher()
    states = [watch.look(small(index), 4.0 * index).state == "free" for index in range(10)]
    assert states == [line["free"] for line in read_truth(EXCERPT)]


@pytest.mark.parametrize("index", range(10))
def test_one_frame_is_enough_after_enrolment(index: int) -> None:
    assert (watcher().look(small(index), 0.0).state == "free") == read_truth(EXCERPT)[index]["free"]


def test_a_hand_that_rests_is_never_taken_for_the_table() -> None:
    watch = watcher()
    watch.look(small(0), 0.0)
    assert {watch.look(small(2), 4.0 + second).state for second in range(0, 90, 9)} == {"hand"}


def test_brighter_and_tinted_light_is_no_hand() -> None:
    watch = watcher()
    assert watch.look(small(0), 0.0).state == "free"
    for at_s, gain, tint in ((4.0, 1.12, (1.0, 1.0, 1.0)), (8.0, 0.8, (1.0, 0.97, 0.9)), (12.0, 1.0, (0.9, 1.0, 1.05))):
        lit = np.asarray((small(0) * gain * np.array(tint)).clip(0, 255), np.uint8)
        assert watch.look(lit, at_s).state == "free"


def test_light_that_falls_from_another_side_is_no_hand() -> None:
    watch = watcher()
    slope = np.linspace(0.8, 1.15, 320)[None, :, None]
    pictures: list[Any] = [small(0), small(0) * slope, small(2) * slope]
    states = [watch.look(np.asarray(lit.clip(0, 255), np.uint8), 4.0 * i).state for i, lit in enumerate(pictures)]
    assert states == ["free", "free", "hand"]


def under_a_lamp(image: Image) -> Image:
    """A warm lamp on the left of the table, brighter than all that was there, and the exposure that follows."""
    x, y = np.meshgrid(np.arange(320.0), np.arange(180.0))
    spot = np.exp(-((x - 60) ** 2 + (y - 30) ** 2) / (2 * 90.0 ** 2))[..., None] * np.array((2.8, 4.0, 5.0))
    light = (image / 255.0) ** 2.2 * (1.0 + spot)
    return np.asarray(255 * (light * 0.9 / max(0.9, np.percentile(light, 98))).clip(0, 1) ** (1 / 2.2), np.uint8)


def test_a_lamp_that_is_switched_on_is_no_hand_and_a_hand_in_its_light_is() -> None:
    watch = watcher()
    looks = small(0), under_a_lamp(small(0)), under_a_lamp(small(2)), under_a_lamp(small(0)), small(0)
    states = [watch.look(image, 4.0 * number).state for number, image in enumerate(looks)]
    assert states == ["free", "free", "hand", "free", "free"]
    assert watch.covered is None


def test_a_hand_that_comes_with_a_lamp_is_a_hand() -> None:
    watch = watcher()
    assert [watch.look(image, 4.0 * number).state for number, image in enumerate(
        (small(0), under_a_lamp(small(2)), under_a_lamp(small(2))))] == ["free", "hand", "hand"]


def test_a_jump_of_the_exposure_in_a_stream_is_no_motion() -> None:
    watch = watcher()
    states = [watch.look(np.asarray(small(0) * gain, np.uint8), at_s).state for at_s, gain in ((0.0, 1.0), (0.1, 0.85))]
    assert states == ["free", "free"]


def mug(image: Image, colour: tuple[int, int, int]) -> Image:
    """A round thing of one colour at the lower border, beside the play area."""
    return np.asarray(cv2.circle(image.copy(), (250, 184), 18, colour, -1), np.uint8)


def test_a_mug_at_the_border_is_no_hand() -> None:
    watch = watcher()
    watch.look(small(0), 0.0)
    assert watch.look(mug(small(0), (120, 60, 20)), 4.0).state == "free"
    assert watch.look(small(2), 8.0).state == "hand"


def test_a_mug_that_is_taken_away_is_no_hand() -> None:
    watch = watcher()
    watch.look(mug(small(0), (120, 60, 20)), 0.0)
    assert watch.look(small(0), 4.0).state == "free"


def test_a_thing_of_skin_colour_is_doubted_first_and_believed_when_it_stays() -> None:
    watch = watcher()
    watch.look(small(0), 0.0)
    thing = mug(small(0), (110, 140, 200))
    assert [watch.look(thing, at_s).state for at_s in (4.0, 8.0)] == ["hand", "free"]


def test_in_a_stream_what_moves_is_not_read() -> None:
    watch = watcher()
    assert watch.look(small(0), 0.0).state == "free"
    moved = small(0).copy()
    moved[100:112, 150:162] = 200  # within the play area: a piece on its way
    assert watch.look(moved, 0.1).state == "moving"
    assert watch.look(moved, 0.2).state == "free"


def test_without_enrolment_two_still_pictures_are_the_beginning() -> None:
    for seconds in (0.1, 4.0):
        watch = watcher(references=False)
        assert [watch.look(small(0), at_s).state for at_s in (0.0, seconds)] == ["moving", "free"]
        assert watch.look(small(1), 9.0).state == "hand"


def test_a_person_can_say_that_the_table_is_free() -> None:
    watch = watcher()
    watch.look(small(0), 0.0)
    watch.accept(small(2))
    assert watch.look(small(2), 8.0).state == "free"


def test_after_a_bump_of_the_camera_the_references_are_turned() -> None:
    watch, known = watcher(), excerpt()
    view = arrangement().view
    assert watch.look(small(0), 0.0).state == "free"
    moved = np.array([(1.0, 0.0, 40.0), (0.0, 1.0, -25.0)])
    bumped = np.asarray(cv2.warpAffine(known.frame(0).image, moved, (2304, 1296), borderMode=cv2.BORDER_REPLICATE),
                        np.uint8)
    verdict = watch.look(make_small(bumped), 4.0)
    assert verdict.state == "hand"
    assert verdict.shifted
    now = find_cards(bumped, known.lens, arrangement())
    assert isinstance(now.view, View)
    area = survey(now.view, known.zones.values(), [(card.at_mm, card.turn_deg) for card in now.cards], known.pieces)
    watch.realign(view, now.view, area)
    assert watch.look(make_small(bumped), 8.0).state == "free"


def test_enrolment_pictures_are_free_among_themselves() -> None:
    watch = watcher()
    assert [watch.look(make_small(enrolment(index)), 4.0 * index).state for index in range(4)] == ["free"] * 4


@pytest.mark.long
@pytest.mark.skipif(not whole_sets(), reason="whole picture sets are not here; set TABLES to their folder")
@pytest.mark.parametrize("folder", whole_sets(), ids=lambda path: path.name)
def test_no_busy_frame_of_whole_sets_is_called_free(folder: Path) -> None:
    known, true = read_set(folder), read_truth(folder)
    watch = watcher(known)
    for index, line in enumerate(true):
        state = watch.look(known.frame(index).small, 4.0 * index).state
        assert (state == "free") == line["free"], index
