"""Clocks say the time of day as a record writes it."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from companion.session import clock
from companion.session.clock import FakeClock, SystemClock


def test_a_fake_clock_counts_from_the_first_second_of_2026() -> None:
    still = FakeClock()
    assert (still.now(), still.monotonic_s()) == ("2026-01-01T00:00:00Z", 0.0)
    still.s += 90_061.9
    assert (still.now(), still.monotonic_s()) == ("2026-01-02T01:01:01Z", 90_061.9)


def test_the_time_of_day_is_that_of_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    class There(datetime):
        @classmethod
        def now(cls, tz: object = None) -> There:
            return cls(2026, 3, 4, 5 if tz is UTC else 17, 6, 7)

    monkeypatch.setattr(clock, "datetime", There)
    assert SystemClock().now() == "2026-03-04T05:06:07Z"
    before = time.monotonic()
    assert before <= SystemClock().monotonic_s() <= time.monotonic()


def test_a_fake_clock_is_in_no_time_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert FakeClock(1.0).now() == "2026-01-01T00:00:01Z"
    finally:
        monkeypatch.undo()
        time.tzset()
