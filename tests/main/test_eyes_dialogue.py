"""What is said to the process of the eyes and when it counts as hung, by a clock that a test moves; no thread runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from companion.errors import phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.main.eyes_child import EyesChild
from companion.main.eyes_dialogue import HUNG_S, LATE_S, ROUND_REST_S, START_S, EyesDialogue
from companion.main.eyes_supervisor import RESTART_S, EyesSupervisor
from companion.main.messages import CloseUpRequest, EyesConfig, LookFor, Pulse, Round, Teach
from companion.main.wakeup import Wakeup
from companion.session.clock import FakeClock
from companion.session.commands import LayOut
from companion.session.config import SourceConfig
from companion.session.events import GameStarted, SetupBegun, SetupSeen, SetupTold
from companion.session.evolve import evolve
from companion.session.eyes_side import EyesSide
from companion.session.library import GameLibrary
from companion.session.seen_things import SeenThing
from companion.session.sighted import Sighted
from companion.session.state import Question, State
from web.fakes import NO_GAME, FakeDesk

HEADER = {
    "format": "tabletop-record", "version": 1, "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0}, "started": "2026-01-01T00:00:00Z",
}  # fmt: skip
LIBRARY = GameLibrary(lookup=registry.game, interpreter=Interpreter)
DRAFT = evolve(State(), SetupBegun(HEADER), LIBRARY)
GAME = evolve(State(), GameStarted(HEADER), LIBRARY)
PACE_S = 2.0


@dataclass
class Told:
    """A dialogue with a process whose end of the pipe a test holds."""

    dialogue: EyesDialogue
    side: EyesSide
    desk: FakeDesk
    clock: FakeClock
    theirs: Connection

    def follow(self) -> list[object]:
        """What is said now."""
        self.dialogue.follow()
        said = []
        while self.theirs.poll(0):
            said.append(self.theirs.recv())
        return said


@pytest.fixture
def pipe() -> Iterator[tuple[Connection, Connection]]:
    ours, theirs = Pipe()
    yield ours, theirs
    ours.close()
    theirs.close()


def told(pipe: tuple[Connection, Connection], state: State, kind: str = "camera") -> Told:
    side, desk, clock = EyesSide(state), FakeDesk(replace(NO_GAME, seq=state.seq)), FakeClock()
    config = EyesConfig(SourceConfig(kind, Path("set"), pace_s=PACE_S), Path())  # type: ignore[arg-type]
    dialogue = EyesDialogue(pipe=pipe[0], config=config, desk=desk, side=side, clock=clock)
    return Told(dialogue, side, desk, clock, pipe[1])


def test_a_game_is_looked_for_once_and_anew_when_another_begins(pipe: Any) -> None:
    eyes = told(pipe, State())
    assert eyes.follow() == []
    eyes.side.show(GAME)
    assert [type(each) for each in eyes.follow()] == [LookFor]
    assert eyes.follow() == []
    eyes.side.show(evolve(GAME, GameStarted(HEADER), LIBRARY))
    assert [type(each) for each in eyes.follow()] == [LookFor]


def test_all_that_people_taught_is_said_before_the_next_game_is_looked_for(pipe: Any) -> None:
    eyes = told(pipe, GAME)
    eyes.side.teach({"grid:a1": ("red/tall_can",)})
    eyes.side.teach({})
    eyes.side.teach({"grid:a2": ("red/tall_can",)})
    assert [type(each) for each in eyes.follow()] == [Teach, Teach, LookFor]


def test_eyes_that_do_not_get_on_are_told_soon_and_count_as_hung_later(pipe: Any) -> None:
    eyes = told(pipe, GAME)
    eyes.dialogue.hear(Pulse(0.0))
    eyes.dialogue.hear(Sighted(3, "hand"))
    eyes.clock.s += LATE_S - 1
    eyes.dialogue.watch_silence()
    assert (eyes.dialogue.due_s, [each.state for each in eyes.desk.sent]) == (1, ["hand"])
    eyes.clock.s += 1
    eyes.dialogue.watch_silence()
    eyes.dialogue.watch_silence()
    assert [each.state for each in eyes.desk.sent] == ["hand", "gone"]
    assert eyes.desk.sent[-1].why == phrase("house.eyes_late")
    assert (eyes.dialogue.is_hung, eyes.dialogue.due_s) == (False, HUNG_S - LATE_S)
    eyes.clock.s += HUNG_S - LATE_S
    assert (eyes.dialogue.is_hung, eyes.dialogue.due_s) == (True, 0)


def test_eyes_that_come_back_show_what_they_saw_last(pipe: Any) -> None:
    eyes = told(pipe, GAME)
    eyes.dialogue.hear(Sighted(3, "hand"))
    eyes.dialogue.hear(Pulse(LATE_S))
    eyes.dialogue.watch_silence()
    eyes.dialogue.hear(Pulse(0.0))
    eyes.dialogue.watch_silence()
    assert [each.state for each in eyes.desk.sent] == ["hand", "gone", "hand"]


def test_a_pulse_that_says_stuck_is_no_sign_that_they_get_on(pipe: Any) -> None:
    eyes = told(pipe, GAME)
    for second in range(int(HUNG_S)):
        assert not eyes.dialogue.is_hung
        eyes.clock.s += 1
        eyes.dialogue.hear(Pulse(second + 1.0))
    assert eyes.dialogue.is_hung


def test_until_their_first_pulse_they_may_take_longer(pipe: Any) -> None:
    eyes = told(pipe, GAME)
    eyes.clock.s += START_S - 1
    assert (eyes.dialogue.is_late, eyes.dialogue.is_hung) == (True, False)
    eyes.clock.s += 1
    assert eyes.dialogue.is_hung


def test_the_end_of_a_round_is_shown_for_a_while_and_longer_while_something_is_asked(pipe: Any) -> None:
    eyes = told(pipe, GAME, "folder")
    for _ in range(2):
        eyes.dialogue.hear(Round(HEADER))
    assert eyes.desk.sent == [], "its game was open at the start"
    eyes.clock.s += ROUND_REST_S - 1
    eyes.dialogue.hear(Pulse(0.0))
    eyes.follow()
    assert (eyes.desk.sent, eyes.dialogue.due_s) == ([], 1)
    eyes.clock.s += 1
    eyes.side.show(replace(GAME, question=Question(1, ())))
    eyes.follow()
    assert (eyes.desk.sent, eyes.dialogue.due_s) == ([], LATE_S - 1)
    eyes.side.show(GAME)
    eyes.follow()
    assert [type(each) for each in eyes.desk.sent] == [LayOut]


# --- restarts ---------------------------------------------------------------------------------------------------------


def test_pauses_before_restarts_grow_and_begin_anew_after_a_look_that_was_understood(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    understood, pauses = [False] * 7 + [True, False, False], []
    eyes = EyesSupervisor(config=EyesConfig(SourceConfig("camera"), Path()), desk=FakeDesk(), side=EyesSide(State()),
                          clock=FakeClock(), start=EyesChild)

    def pause(pause_s: float) -> None:
        pauses.append(pause_s)
        if not understood:
            eyes.stop()

    monkeypatch.setattr(eyes, "_pause", pause)
    monkeypatch.setattr(eyes, "_live", lambda _config: (phrase("house.eyes_gone"), understood.pop(0)))
    eyes.run()
    eyes.close()
    assert pauses == [*RESTART_S, RESTART_S[-1], RESTART_S[-1], *RESTART_S[:3]]
    assert list(RESTART_S) == sorted(set(RESTART_S))


def test_a_pause_is_as_long_as_it_says_unless_the_eyes_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    eyes = EyesSupervisor(config=None, desk=FakeDesk(), side=EyesSide(State()), clock=clock)
    waited = []

    def wait(_pipes: Any, timeout_s: float) -> bool:
        waited.append(timeout_s)
        clock.s += timeout_s
        return False

    monkeypatch.setattr(eyes._wakeup, "wait", wait)
    eyes._pause(12.0)
    assert (sum(waited), eyes.alive_s) == (12.0, 10.0)
    eyes.stop()
    eyes._pause(12.0)
    assert sum(waited) == 12.0
    eyes.close()


# --- the wake-up ------------------------------------------------------------------------------------------------------


def test_a_wake_up_that_came_before_the_wait_is_not_lost_and_counts_once(pipe: Any) -> None:
    wakeup = Wakeup()
    for _ in range(100_000):  # more than a pipe holds
        wakeup.set()
    while wakeup.wait((), 0.0) or _is_set(wakeup):
        pass
    pipe[1].send("word")
    assert wakeup.wait(pipe[:1], 60)
    wakeup.close()
    wakeup.close()
    wakeup.set()


def _is_set(wakeup: Wakeup) -> bool:
    from multiprocessing.connection import wait

    return bool(wait([wakeup._reader], 0))


def test_whoever_waits_is_woken_by_a_change_of_the_session() -> None:
    wakeup, side = Wakeup(), EyesSide(State())
    side.subscribe(wakeup.set)
    thread = Thread(target=wakeup.wait, args=((), 60))
    thread.start()
    side.show(GAME)
    thread.join(10)
    assert not thread.is_alive()
    wakeup.close()


def test_a_picture_set_gives_way_to_a_game_that_people_began(pipe: Any) -> None:
    eyes = told(pipe, evolve(State(), GameStarted({**HEADER, "players": [{"name": "Cem"}, {"name": "Dora"}]}), LIBRARY),
                "folder")
    eyes.dialogue.hear(Round(HEADER))
    eyes.dialogue.hear(Sighted(0, "free"))
    assert [(type(each), each.state) for each in eyes.desk.sent if isinstance(each, Sighted)] == [(Sighted, "none")]
    assert (len(eyes.desk.sent), eyes.follow()) == (1, [])


def test_nor_does_it_begin_anew_on_a_table_that_people_have_used(pipe: Any) -> None:
    eyes = told(pipe, State(), "folder")
    eyes.dialogue.hear(Round(HEADER))
    assert [type(each) for each in eyes.desk.sent] == [LayOut]
    theirs = evolve(State(), GameStarted({**HEADER, "game": "war-chest", "setup": registry.game("war-chest").deal(
        2, registry.game("war-chest").read_options({}, 2), Random(1))}), LIBRARY)
    eyes.side.show(theirs)
    eyes.dialogue.hear(Sighted(1, "free"))
    eyes.side.show(State(seq=theirs.seq + 1))  # their game has ended
    eyes.dialogue.hear(Round(HEADER))
    eyes.clock.s += ROUND_REST_S + 1
    eyes.follow()
    assert [type(each) for each in eyes.desk.sent] == [LayOut, Sighted]


def test_a_game_of_the_set_whose_set_up_was_put_right_is_its_own(pipe: Any) -> None:
    other = {**HEADER, "setup": {"colours": ["red", "blue"], "first": 1}}
    eyes = told(pipe, evolve(State(), GameStarted(other), LIBRARY), "folder")
    eyes.dialogue.hear(Round(HEADER))
    eyes.dialogue.hear(Sighted(0, "free"))
    assert [type(each) for each in eyes.desk.sent] == [LayOut, Sighted]


def test_the_picture_of_the_next_question_is_asked_for_before_it_comes(pipe: Any) -> None:
    three = {**HEADER, "players": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cem"}]}
    seen = evolve(evolve(State(), SetupBegun(three), LIBRARY), SetupSeen({"colours": [None] * 3, "first": 1}), LIBRARY)
    things = {f"stock:{seat}": (SeenThing((10.0, 20.0), {"red/stub_can": 0.0, "blue/stub_can": -1.0}),)
              for seat in range(3)}
    asked = replace(seen, draft=replace(seen.draft, things=things))
    eyes = told(pipe, asked)
    first, second, third = (".".join(map(str, part.path)) for part in asked.draft.open)
    assert [each.name for each in eyes.follow() if isinstance(each, CloseUpRequest)] == [first, second]
    eyes.side.show(evolve(asked, SetupTold(0, asked.draft.open[0].path, "red"), LIBRARY))
    assert [each.name for each in eyes.follow() if isinstance(each, CloseUpRequest)] == [third]
