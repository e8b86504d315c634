"""Time, as something that is handed in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the session asks of a clock."""

    def now(self) -> str:
        """The time of day as a record writes it (RFC 3339, UTC, whole seconds)."""

    def monotonic_s(self) -> float:
        """Seconds that only grow, from any beginning."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> str:
        """The time of day, `2026-01-31T20:15:00Z`."""
        return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

    def monotonic_s(self) -> float:
        """Seconds since some moment of this boot."""
        return time.monotonic()


@dataclass
class FakeClock:
    """A clock that stands still until a test moves it."""

    s: float = 0.0

    def now(self) -> str:
        """The time of day, counted from the first second of 2026."""
        return f"{datetime.fromtimestamp(1767225600 + self.s, UTC):%Y-%m-%dT%H:%M:%SZ}"

    def monotonic_s(self) -> float:
        """Seconds since the beginning."""
        return self.s
