from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from companion.errors import SightError, phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.main import eyes_supervisor as eyes_module
from companion.main.eyes_process import watch
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.messages import (
    CloseUp,
    CloseUpRequest,
    EyesConfig,
    EyesTrouble,
    LookFor,
    Pieces,
    Preview,
    Round,
    Teach,
)
from companion.session.clock import FakeClock
from companion.session.commands import Correct, Resync, Sighted, StartGame
from companion.session.config import SourceConfig
from companion.session.journal import open_journal
from companion.session.session import Session
from companion.session.library import GameLibrary
from companion.session.worker import Worker
from companion.table import Observation, Placement, Sight
from vision.imaging.frame import Frame, Look

HEADER = {
    "game": "kamikaze-cans", "options": {"stub_cans_chain": True, "quiet_limit": None},
    "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {"colours": ["red", "green"], "first": 0},
}  # fmt: skip
PICTURE = np.zeros((9, 16, 3), np.uint8)


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    resumed = open_journal(tmp_path, library, FakeClock())
    worker = Worker(
        session=Session(library=library, clock=FakeClock()), journal=resumed.journal, state=resumed.state,
        clock=FakeClock(),
    )
    thread = Thread(target=worker.run)
    thread.start()
    yield worker
    worker.stop()
    thread.join(10)
    resumed.journal.close()


class FakeChild:
    """A child whose side of the pipe a test holds."""

    def __init__(self) -> None:
        self.pipe, self.theirs = Pipe()
        self.ended = False

    def end(self) -> None:
        self.ended = True
        self.pipe.close()


@dataclass
class Keeper:
    """Eyes that run in a thread, with children made by a test."""

    eyes: EyesSupervisor
    children: list[FakeChild] = field(default_factory=list)

    def start(self) -> FakeChild:
        self.children.append(FakeChild())
        return self.children[-1]


@pytest.fixture
def keeper(worker: Worker, monkeypatch) -> Iterator[Keeper]:
    monkeypatch.setattr(eyes_module, "RESTART_S", (0.0,))
    monkeypatch.setattr(eyes_module, "STEP_S", 0.01)
    keeper = Keeper(None)
    config = EyesConfig(SourceConfig("folder"), Path())
    keeper.eyes = EyesSupervisor(config=config, worker=worker, clock=FakeClock(), start=keeper.start)
    thread = Thread(target=keeper.eyes.run)
    thread.start()
    yield keeper
    keeper.eyes.stop()
    thread.join(10)
    for child in keeper.children:
        child.theirs.close()


def until(listener, wanted):
    """The first snapshot that is as wanted."""
    while True:
        shown = listener.get(10)
        assert shown is not None
        if wanted(shown):
            return shown


def child_of(keeper: Keeper, worker: Worker, number: int = 0) -> FakeChild:
    listener = worker.listen()
    while len(keeper.children) <= number:
        listener.get(0.01)
    listener.close()
    child = keeper.children[number]
    assert isinstance(child.theirs.recv(), EyesConfig)
    return child


def test_a_round_of_a_set_begins_its_game_and_tells_the_eyes_what_to_look_for(keeper: Keeper, worker: Worker) -> None:
    child = child_of(keeper, worker)
    child.theirs.send(Round(HEADER))
    wanted = child.theirs.recv()
    assert isinstance(wanted, LookFor)
    assert (wanted.after, wanted.seats, len(wanted.layout.bodies), wanted.draft) == (None, 2, 6, True)
    assert (worker.snapshot().match, worker.snapshot().seen) == (1, None)
    begin(worker)
    begun = child.theirs.recv()
    assert (begun.draft, worker.snapshot().match) == (False, 1)
    child.theirs.send(Round(HEADER))
    assert not child.theirs.poll(0.05)  # people look at the end of the first round
    keeper.eyes._clock.s += eyes_module.ROUND_REST_S
    assert child.theirs.recv().draft
    assert worker.snapshot().match == 2


def begin(worker: Worker) -> None:
    worker.send(StartGame(worker.snapshot().seq, "table", HEADER))


def test_a_set_up_that_people_want_looked_at_again_is_looked_for_anew(keeper: Keeper, worker: Worker) -> None:
    child = child_of(keeper, worker)
    child.theirs.send(Round({**HEADER, "setup": None}))
    child.theirs.recv()
    listener = worker.listen()
    child.theirs.send(Sighted(0, "free", observation=Observation(0.0, ())))
    until(listener, lambda shown: shown.draft is not None and shown.draft.is_read)
    assert not child.theirs.poll(0.05)
    worker.send(Resync(worker.snapshot().seq, "arbiter"))
    assert child.theirs.recv().draft


def test_what_is_open_is_asked_for_as_a_picture_and_kept_for_the_pages(keeper: Keeper, worker: Worker) -> None:
    child = child_of(keeper, worker)
    child.theirs.send(Pieces(("red", "green", "blue", "black", "white", "pink")))
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    look = Sight("stock:0", (10.0, 20.0), {"red/stub_can": 0.0, "green/stub_can": -1.0})
    child.theirs.send(Sighted(0, "free", observation=Observation(0.0, (look,), frozenset(["stock:0"]))))
    assert child.theirs.recv() == CloseUpRequest("colours.0", (((10.0, 20.0), False),))
    listener = worker.listen()
    child.theirs.send(CloseUp("colours.0", b"jpeg"))
    child.theirs.send(Sighted(1, "hand"))
    until(listener, lambda shown: shown.eyes.state == "hand")
    assert (worker.close_up("colours.0"), worker.close_up("colours.1")) == (b"jpeg", None)
    assert worker.colours is not None


def test_what_people_put_right_is_told_to_the_eyes_for_them_to_learn_from(keeper: Keeper, worker: Worker) -> None:
    child = child_of(keeper, worker)
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    begin(worker)
    child.theirs.recv()
    ply = {"player": 0, "action": {"type": "place", "drink": "red/tall_can", "to": "c4"}}
    worker.send(Correct(worker.snapshot().seq, "arbiter", 0, (ply,)))
    taught = child.theirs.recv()
    assert isinstance(taught, Teach)
    assert taught.told["grid:c4"] == ("red/tall_can",)
    assert not child.theirs.poll(0.05)


def test_after_a_restart_of_the_eyes_the_open_game_of_the_set_goes_on(keeper: Keeper, worker: Worker) -> None:
    child = child_of(keeper, worker)
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    begin(worker)
    child.theirs.recv()
    child.theirs.close()
    child = child_of(keeper, worker, 1)
    assert not child.theirs.poll(0.05)  # which game is played is for the set to say
    child.theirs.send(Round(HEADER))
    assert isinstance(child.theirs.recv(), LookFor)
    assert worker.snapshot().match == 1


def test_eyes_that_fail_are_told_with_their_reason_and_started_again(keeper: Keeper, worker: Worker) -> None:
    listener = worker.listen()
    child = child_of(keeper, worker)
    child.theirs.send(EyesTrouble(phrase("no camera")))
    child.theirs.close()
    shown = until(listener, lambda shown: shown.eyes.state == "gone")
    assert shown.eyes.why == phrase("no camera")
    child_of(keeper, worker, 1)
    assert keeper.children[0].ended


def test_eyes_that_crash_are_a_state_that_people_see(keeper: Keeper, worker: Worker) -> None:
    listener = worker.listen()
    child_of(keeper, worker).theirs.close()
    assert until(listener, lambda shown: shown.eyes.state == "gone").eyes.why == phrase("house.eyes_gone")


def test_looks_and_previews_are_passed_on(keeper: Keeper, worker: Worker) -> None:
    listener = worker.listen()
    child = child_of(keeper, worker)
    child.theirs.send(Preview(b"jpeg"))
    child.theirs.send(Sighted(0, "hand"))
    until(listener, lambda shown: shown.eyes.state == "hand")
    assert worker.preview() == b"jpeg"


# --- the loop of the child --------------------------------------------------------------------------------------------


@dataclass
class FakeTable:
    header: dict | None
    pictures: int
    state: str = "free"
    observation: Observation | None = None
    wanted: list[LookFor] = field(default_factory=list)
    draft: bool = False

    taught: list[Placement] = field(default_factory=list)

    def learn(self, told: Placement) -> None:
        self.taught.append(told)

    def look_for(self, wanted: LookFor) -> None:
        self.wanted.append(wanted)
        self.draft = wanted.draft

    def close_up(self, wanted: CloseUpRequest):
        return PICTURE

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        if self.state == "free":
            begins()
        return Look(frame.number, frame.at_s, self.state, observation=self.observation)

    def drawn(self, frame: Frame, look: Look, width: int):
        return frame.image


@dataclass
class FakeCamera:
    """Is lost once, then gives so many pictures."""

    left: int
    number: int = 0
    lost: bool = False
    exposed: list[float] = field(default_factory=list)

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
        return True

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
