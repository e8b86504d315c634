"""What the eyes leave in the log, and what is shown, while no pictures come."""

from __future__ import annotations

import logging
import threading
import time
from multiprocessing import Pipe
from pathlib import Path

import pytest

from companion.errors import phrase
from companion.main.eyes_dialogue import LATE_S, EyesDialogue
from companion.main.eyes_log import StateLog
from companion.main.messages import EyesConfig, Preview
from companion.main.progress import main_thread_clock
from companion.session.clock import FakeClock
from companion.session.config import SourceConfig
from companion.session.eyes_side import EyesSide
from companion.session.keeping import Keeping
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.session.survey import Survey
from web.fakes import FakeDesk

AWAY, BUSY = phrase("hw.no_camera", where="0"), phrase("hw.camera_busy", where="0")


def test_a_camera_that_is_away_for_hours_is_one_line_and_one_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    log = StateLog()
    for _ in range(500):
        log.state("gone", AWAY)
        log.state("starting", None)
    log.state("gone", BUSY)
    for state in ("moving", "free", "hand"):
        log.state(state, None)
    assert [record.message.split("(")[0] for record in caplog.records] == [
        "no pictures: hw.no_camera", "no pictures: hw.camera_busy", "pictures come again"]


def test_eyes_that_always_see_leave_nothing_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    log = StateLog()
    log.state("starting", None)
    log.state("free", None)
    assert caplog.records == []


def dialogue(clock: FakeClock) -> tuple[EyesDialogue, EyesSide, FakeDesk]:
    side, desk = EyesSide(State()), FakeDesk()
    ours, _theirs = Pipe()
    return EyesDialogue(pipe=ours, config=EyesConfig(SourceConfig("camera"), Path()), desk=desk, side=side,
                        clock=clock), side, desk


def test_the_last_picture_goes_when_the_camera_does() -> None:
    eyes, side, _ = dialogue(FakeClock())
    eyes.hear(Preview(b"jpeg"))
    eyes.hear(Survey(10, 10))
    eyes.hear(Sighted(0, "hand"))
    assert side.preview == b"jpeg"
    eyes.hear(Sighted(-1, "gone", AWAY))
    assert (side.preview, side.survey) == (None, None)


def test_why_no_more_is_kept_stands_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    eyes, side, _ = dialogue(FakeClock())
    eyes.hear(Keeping("kept", 3.0))
    assert not caplog.records
    eyes.hear(Keeping("kept", 3.0, phrase("keep.full", where="kept", number=3)))
    assert [record.getMessage() for record in caplog.records] == ["keep.full(where=kept, number=3)"]
    assert side.keeping is not None


def test_the_last_picture_goes_when_the_eyes_hang() -> None:
    clock = FakeClock()
    eyes, side, _ = dialogue(clock)
    eyes.hear(Preview(b"jpeg"))
    clock.s += LATE_S + 0.1
    eyes.watch_silence()
    assert side.preview is None


def test_what_other_threads_compute_is_no_progress_of_the_main_thread() -> None:
    """A camera library's threads are busy while the main thread waits for a picture for ever."""
    clock, over = main_thread_clock(), threading.Event()

    def busy() -> None:
        until_s = time.thread_time() + 0.15
        while time.thread_time() < until_s:
            pass
        over.set()

    before_s, before_all_s = clock(), time.process_time()
    threading.Thread(target=busy).start()
    over.wait(30)
    assert time.process_time() - before_all_s >= 0.15
    assert clock() - before_s < 0.05
