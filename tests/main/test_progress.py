"""Since when the eyes have got no further, by clocks that a test moves."""

from __future__ import annotations

import math

import pytest

from companion.main.progress import MAX_BUSY_S, Progress


class Clock:
    s = 50.0

    def __call__(self) -> float:
        return self.s


class Marked:
    """Progress with both clocks at hand."""

    def __init__(self) -> None:
        self.time, self.cpu = Clock(), Clock()
        self.progress = Progress(self.time, self.cpu)

    def after(self, seconds: float, busy: float = 0.0) -> float:
        self.time.s += seconds
        self.cpu.s += busy
        return self.progress.stuck_s()


@pytest.fixture
def eyes() -> Marked:
    return Marked()


def test_who_waits_for_a_picture_that_does_not_come_is_stuck(eyes: Marked) -> None:
    assert [eyes.after(1) for _ in range(3)] == [1, 2, 3]
    eyes.progress.step()
    assert eyes.after(1) == 1


def test_who_computes_is_not_stuck_for_a_while(eyes: Marked) -> None:
    assert [eyes.after(1, busy=0.5) for _ in range(3)] == [0, 0, 0]
    assert eyes.after(1, busy=0.01) == 1
    for _ in range(int(MAX_BUSY_S)):
        eyes.after(1, busy=1)
    assert eyes.after(1, busy=1) > MAX_BUSY_S


def test_what_may_take_long_is_allowed_to_until_the_next_step(eyes: Marked) -> None:
    eyes.progress.allow(900)
    assert [eyes.after(890), eyes.after(15)] == [0, 5]
    eyes.progress.step()
    assert eyes.after(2) == 2


def test_people_may_take_as_long_as_they_like(eyes: Marked) -> None:
    eyes.progress.rest()
    assert eyes.after(1e9) == 0
    assert not math.isnan(eyes.after(1.0))
    eyes.progress.step()
    assert eyes.after(3) == 3
