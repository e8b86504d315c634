"""Pictures of another size than the lens was found for: half as large, or twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from companion.games import registry
from companion.games.war_chest.layout import layout as war_chest
from companion.main import eyes_session
from companion.main.eyes_session import TableEyes
from companion.main.messages import LookFor
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, make_small, read_set
from vision.imaging.camera import View, module_3_lens
from vision.imaging.fitting import fit_frame, lens_for
from vision.imaging.frame import Frame, Look
from vision.pieces.exemplars import with_examples
from vision.pieces.piece_set import PieceSet

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
SETUP = {"units": [["knight"], ["cavalry"]], "factions": ["raven", "wolf"]}


@pytest.fixture(scope="module")
def known() -> PictureSet:
    return read_set(EXCERPT)


@pytest.fixture(scope="module")
def pieces(known: PictureSet, learned_once: None) -> PieceSet:
    return enrol_set(known, registry.kinds(known.game))


def sized(frame: Frame, width: int, height: int) -> Frame:
    image = np.asarray(cv2.resize(frame.image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return Frame(image, make_small(image), frame.at_s, frame.number)


def test_a_lens_of_another_size_sees_the_same_points(known: PictureSet) -> None:
    lens = known.lens
    half = lens.of_size(1152, 648)
    assert half is not None
    tilt = cv2.Rodrigues(np.array([2.9, 0.1, 0.2]))[0]
    points = np.array([(0.0, 0.0, 0.0), (180.0, 90.0, 40.0), (-200.0, 120.0, 0.0)])
    px = View(lens, np.asarray(tilt, np.float64), np.array([0.0, 0.0, 900.0])).project(points)
    half_px = View(half, np.asarray(tilt, np.float64), np.array([0.0, 0.0, 900.0])).project(points)
    assert half_px == pytest.approx((px + 0.5) / 2 - 0.5)


@pytest.mark.parametrize(("size", "fits"), [((1152, 648), True), ((1536, 864), True), ((4608, 2592), True),
                                            ((1366, 768), True), ((1640, 1232), False), ((640, 480), False)])
def test_only_pictures_of_the_same_shape_show_the_same(size: tuple[int, int], fits: bool) -> None:
    assert (module_3_lens().of_size(*size) is not None) == fits


def test_smaller_pictures_are_read_as_they_are_and_larger_ones_are_shrunk(known: PictureSet) -> None:
    lens, frame = known.lens, known.frame(0)
    small, large, other = sized(frame, 1152, 648), sized(frame, 4608, 2592), sized(frame, 1640, 1232)
    assert [lens_for(each, lens).width for each in (small, frame, large, other)] == [1152, 2304, 2304, 2304]
    assert fit_frame(large, lens).image.shape == frame.image.shape
    assert fit_frame(small, lens).image.shape == frame.image.shape  # an enrolment's pictures have one size
    assert fit_frame(other, lens) is other  # and is refused with both sizes
    assert fit_frame(frame, lens) is frame


class SizedReader:
    """Stands in for the reader: keeps for which lens it was made and what it was shown."""

    made: ClassVar[list[int]] = []

    def __init__(self, lens: object, *_: object) -> None:
        self.made.append(lens.width)  # type: ignore[attr-defined]
        self.shown: list[tuple[int, ...]] = []

    def look(self, frame: Frame, begins: object) -> Look:
        self.shown.append(frame.image.shape)
        return Look(frame.number, frame.at_s, "hand")


def test_the_eyes_follow_a_camera_whose_size_changes(known: PictureSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eyes_session, "Reader", SizedReader)
    monkeypatch.setattr(SizedReader, "made", [])
    eyes = TableEyes(known.lens, with_examples(None, Path("none")), Path("none"), {}, {})  # type: ignore[arg-type]
    eyes.look_for(LookFor(war_chest(SETUP), 2))
    frame, shown = known.frame(0), []
    for size in ((2304, 1296), (1152, 648), (1152, 648), (2304, 1296), (4608, 2592)):
        eyes.look(sized(frame, *size), lambda: None)
        shown.append(eyes.reader.shown[-1])
    assert SizedReader.made == [2304, 1152, 2304]
    assert shown == [(1296, 2304, 3), (648, 1152, 3), (648, 1152, 3), (1296, 2304, 3), (1296, 2304, 3)]


def read_of(looks: Sequence[Look]) -> list[tuple[str, str]]:
    """What is most likely at each place."""
    (look,) = looks
    assert look.observation is not None, look
    return sorted((sight.spot, sight.likeliest)
                  for sight in look.observation.sights)


@pytest.mark.wide
@pytest.mark.parametrize("size", [(1536, 864), (4608, 2592)])
def test_a_table_is_read_alike_in_other_sizes(
    known: PictureSet, pieces: PieceSet, size: tuple[int, int], tmp_path: Path
) -> None:
    def looks(frame: Frame) -> list[Look]:
        eyes = TableEyes(known.lens, with_examples(pieces, tmp_path / "none"), tmp_path / "none", known.zones,
                         known.seats)
        eyes.look_for(LookFor(war_chest(SETUP), 2))
        return [eyes.look(frame, lambda: None)]

    frame = known.frame(0)
    assert read_of(looks(sized(frame, *size))) == read_of(looks(replace(frame)))
