"""The process of the eyes, really started: it ends whatever it is doing."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from companion.main.eyes_child import EyesChild
from companion.main.messages import Pulse


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_eyes_tell_that_they_live_before_they_are_told_what_to_open() -> None:
    child = EyesChild()
    try:
        assert child.pipe.poll(30)
        assert isinstance(child.pipe.recv(), Pulse)
    finally:
        child.end()
    assert not runs(child.pid)


def test_eyes_go_before_the_service_when_memory_runs_out() -> None:
    child = EyesChild()
    try:
        assert child.pipe.poll(30), "the first pulse comes when it has asked for that"
        asked = int(Path(f"/proc/{child.pid}/oom_score_adj").read_text())
        assert asked > int(Path("/proc/self/oom_score_adj").read_text())
    finally:
        child.end()


@pytest.mark.parametrize("hung", [False, True], ids=["starting", "hung"])
def test_eyes_end_whatever_they_are_doing(hung: bool) -> None:
    child = EyesChild()
    if hung:
        os.kill(child.pid, signal.SIGSTOP)
    child.end()
    assert not runs(child.pid)
    child.kill()  # nothing is left to be killed


def test_a_message_that_is_cut_short_does_not_hold_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.main.eyes_child.PIPE_TIMEOUT_S", 1)
    child = EyesChild()
    try:
        assert child.pipe.poll(30)
        os.kill(child.pid, signal.SIGSTOP)
        while child.pipe.poll(0):
            child.pipe.recv()
        with pytest.raises(OSError):  # nobody sends any more
            child.pipe.recv()
    finally:
        child.end()
