import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest

from companion.errors import phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.main import eyes_dialogue
from companion.main import eyes_supervisor as eyes_module
from companion.main.eyes_dialogue import ROUND_REST_S
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.messages import (
    CloseUp,
    CloseUpRequest,
    EnrolSet,
    EyesConfig,
    EyesTrouble,
    LookFor,
    Pieces,
    Preview,
    Round,
    Teach,
)
from companion.session.clock import FakeClock
from companion.session.commands import Correct, Resync, StartGame
from companion.session.config import SourceConfig
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from companion.table import Observation, Sight

HEADER = {
    "game": "kamikaze-cans", "options": {"stub_cans_chain": True, "quiet_limit": None},
    "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": {"colours": ["red", "green"], "first": 0},
}  # fmt: skip


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    library = GameLibrary(lookup=registry.game, interpreter=Interpreter)
    resumed = open_journal(tmp_path, library, FakeClock())
    writer = Writer(
        session=Session(library=library, clock=FakeClock()), journal=resumed.journal, state=resumed.state,
        clock=FakeClock(),
    )
    thread = Thread(target=writer.run)
    thread.start()
    yield writer
    writer.stop()
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
def keeper(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keeper]:
    monkeypatch.setattr(eyes_module, "RESTART_S", (0.0,))
    for limit in ("LATE_S", "START_S"):  # these children have no pulse
        monkeypatch.setattr(eyes_dialogue, limit, math.inf)
    keeper = Keeper(cast(Any, None))
    config = EyesConfig(SourceConfig("folder"), Path())
    keeper.eyes = EyesSupervisor(
        config=config, desk=writer, side=writer.eyes, clock=FakeClock(), start=cast(Any, keeper.start))
    thread = Thread(target=keeper.eyes.run)
    thread.start()
    yield keeper
    keeper.eyes.stop()
    thread.join(10)
    keeper.eyes.close()
    for child in keeper.children:
        child.theirs.close()


def until(listener: Any, wanted: Any) -> Any:
    """The first snapshot that is as wanted."""
    while True:
        shown = listener.get(10)
        assert shown is not None
        if wanted(shown):
            return shown


def child_of(keeper: Keeper, writer: Writer, number: int = 0) -> FakeChild:
    listener = writer.listen()
    while len(keeper.children) <= number:
        listener.get(0.01)
    listener.close()
    child = keeper.children[number]
    assert isinstance(child.theirs.recv(), EyesConfig)
    return child


def test_eyes_that_cannot_be_started_are_told_and_tried_again(keeper: Keeper, writer: Writer) -> None:
    """When memory runs out there is none for another process; the service goes on without it."""
    child, listener, start = child_of(keeper, writer), writer.listen(), keeper.start
    tries: list[int] = []

    def refusing() -> FakeChild:
        tries.append(1)
        if len(tries) < 3:
            raise OSError(12, "Cannot allocate memory")
        return start()

    keeper.eyes._start = cast(Any, refusing)
    child.theirs.close()
    no_start = phrase("house.eyes_no_start", given="Cannot allocate memory")
    assert until(listener, lambda shown: shown.eyes.why == no_start).eyes.state == "gone"
    listener.close()
    child_of(keeper, writer, 1)


def test_a_round_of_a_set_begins_its_game_and_tells_the_eyes_what_to_look_for(keeper: Keeper, writer: Writer) -> None:
    child = child_of(keeper, writer)
    child.theirs.send(Round(HEADER))
    wanted = child.theirs.recv()
    assert isinstance(wanted, LookFor)
    assert (wanted.after, wanted.seats, len(wanted.layout.bodies), wanted.draft) == (None, 2, 6, True)
    assert (writer.snapshot().match, writer.snapshot().seen) == (1, None)
    begin(writer)
    begun = child.theirs.recv()
    assert (begun.draft, writer.snapshot().match) == (False, 1)
    child.theirs.send(Round(HEADER))
    assert not child.theirs.poll(0.05)  # people look at the end of the first round
    cast(Any, keeper.eyes._clock).s += ROUND_REST_S
    keeper.eyes._wakeup.set()
    assert child.theirs.recv().draft
    assert writer.snapshot().match == 2


def test_once_a_backup_took_its_place_the_table_is_opened_anew(keeper: Keeper, writer: Writer) -> None:
    """Lens, areas and pieces are files, which their process reads when it begins: others may lie there now."""
    child, looked = child_of(keeper, writer), list[bool]()
    keeper.eyes.rest(lambda: looked.append(not child.ended or len(keeper.children) > 1))
    assert not child_of(keeper, writer, 1).ended
    assert looked == [False], "nobody looks while files are put in place"


def begin(writer: Writer) -> None:
    writer.send(StartGame(writer.snapshot().seq, "table", HEADER))


def test_a_set_up_that_people_want_looked_at_again_is_looked_for_anew(keeper: Keeper, writer: Writer) -> None:
    child = child_of(keeper, writer)
    child.theirs.send(Round({**HEADER, "setup": None}))
    child.theirs.recv()
    listener = writer.listen()
    child.theirs.send(Sighted(0, "free", observation=Observation(0.0, ())))
    until(listener, lambda shown: shown.draft is not None and shown.draft.is_read)
    assert not child.theirs.poll(0.05)
    writer.send(Resync(writer.snapshot().seq, "host"))
    assert child.theirs.recv().draft


def test_what_is_open_is_asked_for_as_a_picture_and_kept_for_the_pages(keeper: Keeper, writer: Writer) -> None:
    child = child_of(keeper, writer)
    child.theirs.send(Pieces(("red", "green", "blue", "black", "white", "pink")))
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    look = Sight("stock:0", (10.0, 20.0), {"red/stub_can": 0.0, "green/stub_can": -1.0})
    child.theirs.send(Sighted(0, "free", observation=Observation(0.0, (look,), frozenset(["stock:0"]))))
    assert child.theirs.recv() == CloseUpRequest("colours.0", (((10.0, 20.0), False),))
    listener = writer.listen()
    child.theirs.send(CloseUp("colours.0", b"jpeg"))
    child.theirs.send(Sighted(1, "hand"))
    until(listener, lambda shown: shown.eyes.state == "hand")
    assert (writer.close_up("colours.0"), writer.close_up("colours.1")) == (b"jpeg", None)
    assert writer.colours is not None


def test_what_people_put_right_is_told_to_the_eyes_for_them_to_learn_from(keeper: Keeper, writer: Writer) -> None:
    child = child_of(keeper, writer)
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    begin(writer)
    child.theirs.recv()
    ply = {"player": 0, "action": {"type": "place", "drink": "red/tall_can", "to": "c4"}}
    writer.send(Correct(writer.snapshot().seq, "host", 0, (ply,)))
    taught = child.theirs.recv()
    assert isinstance(taught, Teach)
    assert taught.labels["grid:c4"] == ("red/tall_can",)
    assert not child.theirs.poll(0.05)


def test_after_a_restart_of_the_eyes_the_open_game_of_the_set_goes_on(keeper: Keeper, writer: Writer) -> None:
    child = child_of(keeper, writer)
    child.theirs.send(Round(HEADER))
    child.theirs.recv()
    begin(writer)
    child.theirs.recv()
    child.theirs.close()
    child = child_of(keeper, writer, 1)
    assert not child.theirs.poll(0.05)  # which game is played is for the set to say
    child.theirs.send(Round(HEADER))
    assert isinstance(child.theirs.recv(), LookFor)
    assert writer.snapshot().match == 1


def test_eyes_that_fail_are_told_with_their_reason_and_started_again(keeper: Keeper, writer: Writer) -> None:
    listener = writer.listen()
    child = child_of(keeper, writer)
    child.theirs.send(EyesTrouble(phrase("no camera")))
    child.theirs.close()
    shown = until(listener, lambda shown: shown.eyes.state == "gone")
    assert shown.eyes.why == phrase("no camera")
    child_of(keeper, writer, 1)
    assert keeper.children[0].ended


def test_eyes_that_crash_are_a_state_that_people_see(keeper: Keeper, writer: Writer) -> None:
    listener = writer.listen()
    child_of(keeper, writer).theirs.close()
    assert until(listener, lambda shown: shown.eyes.state == "gone").eyes.why == phrase("house.eyes_gone")


def test_looks_and_previews_are_passed_on(keeper: Keeper, writer: Writer) -> None:
    listener = writer.listen()
    child = child_of(keeper, writer)
    child.theirs.send(Preview(b"jpeg"))
    child.theirs.send(Sighted(0, "hand"))
    until(listener, lambda shown: shown.eyes.state == "hand")
    assert writer.preview() == b"jpeg"


def test_eyes_that_enrol_hear_what_people_want_and_watch_again_once_the_pieces_are_known(
    keeper: Keeper, writer: Writer
) -> None:
    child_of(keeper, writer)
    wanted = EyesConfig(SourceConfig("folder"), Path(), EnrolSet("own", "kamikaze-cans", Path(), False))
    keeper.eyes.enrol(wanted)
    enrolling = child_of(keeper, writer, 1)
    assert (keeper.children[0].ended, keeper.eyes.enrolling) == (True, wanted)
    writer.eyes.order(EnrolOrder("take", 0))
    assert enrolling.theirs.recv() == EnrolOrder("take", 0)
    enrolling.theirs.send(EnrolmentShown("learned", "own", "kamikaze-cans"))
    watching = child_of(keeper, writer, 2)
    assert (enrolling.ended, watching.ended, keeper.eyes.enrolling) == (True, False, None)


def test_eyes_whose_enrolment_is_broken_off_watch_again(keeper: Keeper, writer: Writer) -> None:
    child_of(keeper, writer)
    keeper.eyes.enrol(EyesConfig(SourceConfig("folder"), Path(), EnrolSet("own", "kamikaze-cans", Path(), False)))
    enrolling = child_of(keeper, writer, 1)
    keeper.eyes.enrol(None)
    child_of(keeper, writer, 2)
    assert (enrolling.ended, keeper.eyes.enrolling) == (True, None)
