"""Beats come on a grid of time: whoever watches its clock learns nothing of what another seat said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.session.port import ClosedError
from companion.session.snapshot import Snapshot
from tests.web import web_tables
from tests.web.web_tables import KEY
from web.fakes import FakeDesk, FakePhone
from web.streams import BEAT, Streams

BEAT_S, DRAWING_S = 10.0, 0.15
"""Drawing takes its time on a small computer."""


@dataclass
class Evening:
    """A clock that things wait by, and the moments at which something is told."""

    told_s: list[float]
    now_s: float = 100.0
    until_s: float = 145.0
    beats_s: list[float] = field(default_factory=list)

    def get(self, timeout_s: float) -> Snapshot | None:
        """Waits for what is told next (`Listener`)."""
        if self.now_s >= self.until_s:
            raise ClosedError
        next_s = self.told_s[0] if self.told_s else self.until_s
        if next_s <= self.now_s + timeout_s:
            self.now_s = max(self.now_s, next_s)
            return web_tables.table() if self.told_s and self.told_s.pop(0) else None
        self.now_s += timeout_s
        return None

    def close(self) -> None:
        """Nobody listens any more."""

    def draw(self, shown: Snapshot, _who: object) -> dict[str, object]:
        """What the page of the seat shows, which is another each time; others' stay as they are."""
        self.now_s += DRAWING_S
        return {"hand": self.now_s if shown.observer == 0 else ""}


class Phone(FakePhone):
    """Notes when it hears a beat."""

    def __init__(self, evening: Evening) -> None:
        super().__init__()
        self.evening = evening

    def write(self, text: bytes) -> None:
        if text == BEAT:
            self.evening.beats_s.append(self.evening.now_s)


class Desk(FakeDesk):
    """One that tells at certain moments."""

    def __init__(self, evening: Evening) -> None:
        super().__init__(web_tables.table())
        self.evening = evening

    def listen(self, observer: Any = "room") -> Any:
        return self.evening


def beats(*told_s: float) -> list[float]:
    """When somebody else hears beats while a seat tells something at these moments."""
    evening = Evening(list(told_s))
    streams = Streams(Desk(evening), evening.draw, BEAT_S, 9, 9, lambda: evening.now_s)
    for who, phone in ((0, FakePhone()), ("room", Phone(evening))):
        watcher = streams.open("10.0.0.1", who, KEY)  # type: ignore[arg-type]
        assert watcher is not None
        streams.attach(watcher, phone)
    evening.now_s = 100.0
    streams.run()
    return evening.beats_s


@pytest.mark.parametrize(
    "told_s", [(), (101.0,), (109.5,), (109.85,), (109.99,), (110.0,), (114.0, 119.95, 119.99, 129.9)])
def test_what_a_seat_says_delays_nobodys_beat(told_s: tuple[float, ...]) -> None:
    quiet = [round(each, 6) for each in beats(*told_s)]
    assert quiet == [110.0, 120.0, 130.0, 140.0]
