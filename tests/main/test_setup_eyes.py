"""The eyes of a camera that is being set up: pictures fed as a camera, what is said of them, and light changed."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.errors import Phrase, phrase
from companion.main.bare_eyes import BareEyes, surveyed
from companion.main.eyes_session import NoPiecesError, open_table
from companion.main.eyes_watch import watch
from companion.main.messages import (
    CloseUpRequest, EyesConfig, FromAboveRequest, LookFor, MeasureLens, Preview, SurveyRequest,
    Teach)
from companion.games import registry
from companion.session.config import SourceConfig
from companion.session.sighted import Sighted
from companion.session.survey import LensMeasured, Survey, TableFromAbove
from hardware.sources.folder import FolderCamera
from vision.enrolment.picture_set import read_set
from vision.imaging.frame import Frame

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
WHY = phrase("house.no_pieces")


class FedCamera(FolderCamera):
    """Gives the pictures of a set once, as a camera does."""

    def __init__(self, most: int) -> None:
        super().__init__(EXCERPT, 0.0, sleep=lambda _: None)
        self.left, self.exposed = most, list[float]()

    def read(self) -> Frame | None:
        self.left -= 1
        return super().read() if self.left >= 0 else None

    def expose(self, factor: float) -> bool:
        self.exposed.append(factor)
        return True


class SurveyedCamera(FedCamera):
    """One that may refuse something."""

    def __init__(self) -> None:
        super().__init__(1)
        self.says = tuple[Phrase, ...]()

    def refused(self) -> tuple[Phrase, ...]:
        return self.says


def heard(camera: FedCamera, *said: Any) -> list[Any]:
    """What the eyes say to this."""
    ours, theirs = Pipe()
    for each in said:
        ours.send(each)
    found: list[Any] = []

    def listen() -> None:
        while (each := ours.recv()) is not None:
            found.append(each)

    listener = Thread(target=listen)
    listener.start()
    watch(theirs, BareEyes(WHY, read_set(EXCERPT).lens), lambda _: camera, clock=lambda: 0.0)
    theirs.send(None)
    listener.join(10)
    ours.close()
    theirs.close()
    return found


def test_before_the_pieces_are_known_the_picture_is_shown_and_told_of() -> None:
    camera = FedCamera(2)
    found = heard(camera, SurveyRequest(1.3))
    assert [each for each in found if isinstance(each, Survey)] == [Survey(2304, 1296, (0, 1, 2, 3))]
    assert camera.exposed == [1.3]
    assert [each.jpeg[:2] for each in found if isinstance(each, Preview)] == [b"\xff\xd8"]
    assert {(each.state, each.why) for each in found if isinstance(each, Sighted) and each.number >= 0} == {
        ("picture", WHY)}


def test_what_cannot_be_told_apart_from_there_is_told_before_any_piece_is_known(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    known, ours, frame = read_set(EXCERPT).lens, SurveyedCamera(), read_set(EXCERPT).frame(0)
    assert surveyed(frame, ours, known).faults == ()
    monkeypatch.setattr("vision.pieces.lid_shift.LEAST_SHIFT_PX", 5.0)
    assert [each.id for each in surveyed(frame, ours, known).faults] == ["eyes.heights_alike"]
    assert surveyed(frame, ours, None).faults == ()
    ours.says = phrase("hw.not_held", given=(phrase("hw.focus"),)),
    assert [each.id for each in surveyed(frame, ours, known).faults] == ["hw.not_held", "eyes.heights_alike"]
    blank = replace(frame, image=frame.image * 0 + 90)
    assert "eyes.heights_alike" not in [each.id for each in surveyed(blank, ours, known).faults]


def test_nobody_who_asks_is_told_nothing() -> None:
    camera = FedCamera(1)
    assert not [each for each in heard(camera) if isinstance(each, Survey)]
    assert camera.exposed == []


def test_a_game_that_is_looked_for_meanwhile_does_no_harm() -> None:
    layout = registry.game("kamikaze-cans").layout({"colours": ["red", "green"], "first": 0})
    found = heard(FedCamera(1), LookFor(layout, 2), Teach({}), CloseUpRequest("part", (((0.0, 0.0), True),)))
    assert [each.state for each in found if isinstance(each, Sighted)] == ["picture"]


def test_a_camera_without_pieces_is_being_set_up(tmp_path: Path) -> None:
    with pytest.raises(NoPiecesError):
        open_table(EyesConfig(SourceConfig("camera"), tmp_path), lambda _: None)


def test_the_table_is_shown_from_above_once_each_time_it_is_wished() -> None:
    (seen,) = [each for each in heard(FedCamera(2), FromAboveRequest()) if isinstance(each, TableFromAbove)]
    assert (seen.jpeg[:2], seen.why) == (b"\xff\xd8", None)
    assert seen.left_mm < 0 < seen.wide_mm - 500, "it shows what lies around the cards"


def test_the_sheet_of_the_lens_is_looked_for_once_each_time_it_is_wished() -> None:
    found = [each for each in heard(FedCamera(3), MeasureLens()) if isinstance(each, LensMeasured)]
    assert [(each.said.id, each.taken) for each in found] == [("calibrate.show", 0)]
    later, = (each for each in heard(FedCamera(1), MeasureLens("later")) if isinstance(each, LensMeasured))
    assert later.wanted != found[0].wanted
    anew, = (each for each in heard(FedCamera(1), MeasureLens("anew")) if isinstance(each, LensMeasured))
    assert anew.wanted == found[0].wanted


def test_without_cards_it_is_said_why_the_table_is_not_shown_from_above() -> None:
    class Bare(FedCamera):
        def read(self) -> Frame | None:
            frame = super().read()
            return None if frame is None else replace(frame, image=frame.image * 0 + 90)

    (seen,) = [each for each in heard(Bare(1), FromAboveRequest()) if isinstance(each, TableFromAbove)]
    assert seen.jpeg == b""
    assert seen.why is not None
    assert seen.why.id.startswith("eyes.")
