"""What the reader hands on with a look, and keeps from one look to the next, on an excerpt of War Chest."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games import registry
from companion.games.war_chest.layout import layout as war_chest
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import SECONDS_PER_FRAME, PictureSet, make_small, read_set
from vision.fiducials.tag_pose import find_cards
from vision.imaging.box import Box
from vision.imaging.frame import Frame, Image
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import White
from vision.pieces.piece_set import PieceSet
from vision.pipeline import reader as reader_module
from vision.pipeline.reader import Reader

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
SETUP = {"units": [["knight"], ["cavalry"]], "factions": ["raven", "wolf"]}
STAGES = {"bodies", "places", "zones"}


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def pieces(known: PictureSet, learned_once: None) -> PieceSet:
    return enrol_set(known, registry.kinds(known.game))


@pytest.fixture
def reader(known: PictureSet, pieces: PieceSet) -> Reader:
    return Reader(known.lens, pieces, war_chest(SETUP), known.zones, known.seats)


def frame_of(image: Image, number: int) -> Frame:
    return Frame(image, make_small(image), 4.0 * number, number)


def test_a_look_has_its_number_its_time_and_the_times_of_all_stages(reader: Reader, known: PictureSet) -> None:
    look = reader.look(frame_of(known.frame(0).image, 3))
    assert (look.number, look.at_s, look.state, look.why) == (3, 12.0, "free", None)
    assert look.observation is not None
    assert look.observation.at_s == 12.0
    assert look.ms.keys() == {"watch", "read", *STAGES}
    assert 0 < sum(look.ms[name] for name in STAGES) <= look.ms["read"] < 60_000
    assert 0 < look.ms["watch"] < 60_000


def test_a_free_table_is_announced_before_it_is_read_and_a_hand_is_not(reader: Reader, known: PictureSet) -> None:
    begun: list[int] = []
    for number in range(6):
        look = reader.look(known.frame(number), partial(begun.append, number))
        assert (number in begun) == (look.observation is not None)
        if look.observation is None:
            assert look.ms.keys() == {"watch"}
            assert look.ms["watch"] > 0
    assert begun
    assert len(begun) < 6


def test_a_look_tells_who_reached_over_the_table_before_it(reader: Reader, known: PictureSet) -> None:
    hands = 0
    for number in range(6):
        observation = reader.look(known.frame(number)).observation
        if observation is not None:
            assert observation.unwatched_s == (SECONDS_PER_FRAME if number else 0.0)
            assert bool(observation.arms) == (hands > 0)
            assert observation.unread_s == 0.0
        hands = hands + 1 if observation is None else 0


def test_a_picture_without_colours_is_nobody_s_arm(reader: Reader, known: PictureSet) -> None:
    reader.look(known.frame(0))
    grey = np.asarray(known.frame(0).image[..., 0], np.uint8)
    reader.look(Frame(grey, known.frame(0).small, 7.0, 1))
    observation = reader.look(replace(known.frame(0), at_s=9.0, number=2)).observation
    assert observation is not None
    assert (observation.arms, observation.unread_s, observation.unwatched_s) == (frozenset(), 7.0, 7.0)


def test_too_much_and_too_little_light_is_told_with_the_cards(reader: Reader, known: PictureSet) -> None:
    image = known.frame(0).image
    reader.look(frame_of(image, 0))
    for number, (gain, state) in enumerate(((0.2, "dark"), (1.6, "bright")), 1):
        look = reader.look(frame_of(np.asarray((image * gain).clip(0, 255), np.uint8), number))
        assert (look.number, look.at_s, look.state) == (number, 4.0 * number, state)
        assert look.observation is None
        assert {card.card for card in look.cards} <= {0, 1, 2, 3}
        assert len(look.cards) >= 3
        assert look.why is not None


def test_what_is_too_bright_is_read_where_pieces_were_learned_in_such_light(
    known: PictureSet, pieces: PieceSet
) -> None:
    image = np.asarray((known.frame(0).image * 1.6).clip(0, 255), np.uint8)
    assert pieces.bare is not None
    learned = replace(pieces, bare=replace(pieces.bare, white=fit_white(image, find_cards(image, known.lens))))
    look = Reader(known.lens, learned, war_chest(SETUP), known.zones, known.seats).look(frame_of(image, 0))
    assert look.state != "bright"


def test_a_frame_can_be_opened_as_the_last_one_was_once_one_was_read(
    reader: Reader, known: PictureSet, pieces: PieceSet
) -> None:
    frame = known.frame(0)
    assert reader.opened(frame) is None
    reader.look(frame)
    scene = reader.opened(frame)
    assert scene is not None
    assert scene.image is frame.image
    assert reader.arrangement is not None
    assert scene.view is reader.arrangement.view
    assert np.isfinite(scene.seen(Box(1000, 600, 40, 30))).all()


def test_light_is_fitted_as_a_change_since_the_first_look(
    reader: Reader, known: PictureSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[White | None, White]] = []

    def fit(image: Image, arrangement: Any, first: White | None) -> White:
        asked.append((first, fit_white(image, arrangement, first)))
        return asked[-1][1]

    monkeypatch.setattr(reader_module, "fit_white", fit)
    image = known.frame(0).image
    for number in range(3):
        reader.look(frame_of(np.asarray((image * (1 - 0.02 * number)).clip(0, 255), np.uint8), number))
    first = asked[0][1]
    assert [each for each, _ in asked] == [None, first, first]
