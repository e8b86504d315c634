"""The loop in the process of the eyes: from frames to looks, and what it says through the pipe."""

from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from typing import Any, cast

import numpy as np
import pytest

from companion.errors import SightError, phrase
from companion.games import registry
from companion.main.eyes_watch import watch
from companion.main.messages import (
    CloseUpRequest,
    LookFor,
    Preview,
    Round,
    Teach,
)
from companion.session.sighted import Sighted
from companion.table import Observation, Placement
from vision.imaging.frame import Frame, Look

HEADER = {
    "game": "kamikaze-cans", "options": {"stub_cans_chain": True, "quiet_limit": None},
    "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {"colours": ["red", "green"], "first": 0},
}  # fmt: skip
PICTURE = np.zeros((9, 16, 3), np.uint8)


@dataclass
class FakeTable:
    header: dict[str, Any] | None
    pictures: int
    state: str = "free"
    observation: Observation | None = None
    wanted: list[LookFor] = field(default_factory=list)
    draft: bool = False

    taught: list[Placement] = field(default_factory=list)

    def learn(self, labels: Placement) -> None:
        self.taught.append(labels)

    def look_for(self, wanted: LookFor) -> None:
        self.wanted.append(wanted)
        self.draft = wanted.draft

    def close_up(self, wanted: CloseUpRequest) -> Any:
        return PICTURE

    def put_by(self, folder: Path) -> dict[str, Any] | None:
        return None

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        if self.state == "free":
            begins()
        return Look(frame.number, frame.at_s, cast(Any, self.state), observation=self.observation)

    def from_above(self, frame: Frame) -> Any:
        raise SightError(phrase("damaged"))

    def drawn(self, frame: Frame, look: Look, width: int) -> Any:
        return frame.image


@dataclass
class FakeCamera:
    """Is lost once, then gives so many pictures."""

    left: int
    number: int = 0
    lost: bool = False
    exposed: list[float] = field(default_factory=list)
    obeys: bool = True

    def open(self) -> None:
        pass

    def read(self) -> Frame | None:
        if not self.lost:
            self.lost = True
            raise SightError(phrase("damaged"))
        if not self.left:
            return None
        self.left -= 1
        self.number += 1
        return Frame(PICTURE, PICTURE, float(self.number), self.number - 1)

    def expose(self, factor: float) -> bool:
        self.exposed.append(factor)
        return self.obeys

    def close(self) -> None:
        pass


def said(table: FakeTable, camera: FakeCamera, answers: list[LookFor]) -> list[object]:
    """What the child says while it sees the camera's pictures, but for that it reads; each round that it announces is
    answered."""
    return [each for each in all_said(table, camera, answers) if getattr(each, "state", "") != "reading"]


def all_said(table: FakeTable, camera: FakeCamera, answers: list[LookFor]) -> list[object]:
    ours, theirs = Pipe()
    waiting, heard = list(answers), []

    def opened(first: int) -> FakeCamera:
        camera.number = first
        return camera

    def serve() -> None:
        while (each := ours.recv()) is not None:
            heard.append(each)
            if isinstance(each, Round):
                ours.send(waiting.pop(0))

    service = Thread(target=serve)
    service.start()
    watch(theirs, table, opened, clock=lambda: 0.0)
    theirs.send(None)
    service.join(10)
    ours.close()
    theirs.close()
    return heard


def looks(heard: list[object]) -> list[int]:
    return [each.number for each in heard if isinstance(each, Sighted) and each.number >= 0]


LAYOUT = registry.game("kamikaze-cans").layout(HEADER["setup"])


def test_a_reading_is_announced_once_when_the_table_becomes_free() -> None:
    heard = all_said(FakeTable(HEADER, 4), FakeCamera(3), [LookFor(LAYOUT, 2)])
    states = [each.state for each in heard if isinstance(each, Sighted) and each.number >= 0]
    assert (states[:2], states.count("reading")) == (["reading", "free"], 1)


def test_a_reading_is_announced_again_when_another_game_begins_on_a_free_table() -> None:
    ours, theirs = Pipe()

    class Camera(FakeCamera):
        def read(self) -> Frame | None:
            if self.left == 1:
                ours.send(LookFor(LAYOUT, 2))
            return super().read()

    watch(theirs, FakeTable(None, 1), lambda _: Camera(3, lost=True), clock=lambda: 0.0)
    heard = []
    while ours.poll(0.0):
        heard.append(ours.recv())
    ours.close()
    theirs.close()
    assert [each.state for each in heard if isinstance(each, Sighted)] == ["reading", "free", "free", "reading", "free"]


def test_a_set_whose_set_up_is_read_waits_with_the_picture_that_showed_it() -> None:
    table = FakeTable(HEADER, 10, observation=Observation(0.0, ()))
    ours, theirs = Pipe()
    camera = FakeCamera(3)
    child = Thread(target=watch, args=(theirs, table, lambda _: camera, lambda: 0.0))
    child.start()
    assert isinstance(ours.recv(), Round)
    ours.send(LookFor(LAYOUT, 2, draft=True))
    while not isinstance(ours.recv(), Preview):
        pass
    ours.send(CloseUpRequest("stock.0", (((0.0, 0.0), False),)))
    assert ours.recv().name == "stock.0"
    ours.send(LookFor(LAYOUT, 2, draft=True))
    assert ours.recv().number == 0  # looked at again
    assert camera.number == 1
    ours.send(Teach({"grid:c4": ("red/tall_can",)}))
    ours.send(LookFor(LAYOUT, 2))
    child.join(10)
    assert table.taught == [{"grid:c4": ("red/tall_can",)}]
    heard = []
    while ours.poll(0.0):
        heard.append(ours.recv())
    assert looks(heard) == [0, 1, 2]
    ours.close()
    theirs.close()


def test_every_round_of_a_set_is_announced() -> None:
    table = FakeTable(HEADER, 2)
    heard = said(table, FakeCamera(4), [LookFor(LAYOUT, 2)] * 2)
    kinds = [type(each).__name__ for each in heard]
    assert kinds == ["Round", "Sighted", "Sighted", "Preview", "Sighted", "Round", "Sighted", "Sighted"]
    assert len(table.wanted) == 2


def test_a_set_goes_on_after_the_picture_that_was_last_understood() -> None:
    assert looks(said(FakeTable(HEADER, 10), FakeCamera(1), [LookFor(LAYOUT, 2, after=23)])) == [4]


def test_a_set_whose_last_picture_was_understood_begins_anew() -> None:
    heard = said(FakeTable(HEADER, 10), FakeCamera(1), [LookFor(LAYOUT, 2, after=9), LookFor(LAYOUT, 2)])
    assert [type(each).__name__ for each in heard].count("Round") == 2


def test_a_camera_announces_no_game_and_tells_its_troubles() -> None:
    heard = said(FakeTable(None, 1), FakeCamera(2), [])
    assert heard[0] == Sighted(-1, "gone", phrase("damaged"))
    assert looks(heard) == [0, 1]


def test_after_a_free_table_was_read_the_camera_rests() -> None:
    assert looks(said(FakeTable(None, 1, observation=Observation(0.0, ())), FakeCamera(5), [])) == [0]


def test_a_dark_picture_is_answered_with_more_light_but_not_at_every_frame() -> None:
    camera = FakeCamera(5)
    said(FakeTable(None, 1, state="dark"), camera, [])
    assert [factor > 1 for factor in camera.exposed] == [True]


@pytest.mark.parametrize("state", ["dark", "bright"])
def test_a_camera_whose_light_cannot_be_changed_is_told(state: str) -> None:
    for obeys, ids in ((True, [None, None, None]), (False, [None, f"eyes.{state}_held", f"eyes.{state}_held"])):
        looks = [each for each in said(FakeTable(None, 1, state=state), FakeCamera(3, obeys=obeys), [])
                 if isinstance(each, Sighted) and each.number >= 0]
        assert [each.why and each.why.id for each in looks] == ids
