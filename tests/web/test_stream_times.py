"""The thread that tells: how long it waits, when it beats, what it writes to the byte, by a script of what comes."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, cast

import pytest

from companion.engine import Observer
from companion.session.port import ClosedError
from companion.session.snapshot import EyesShown, Snapshot
from tests.web import web_tables
from tests.web.web_tables import KEY
from web.fakes import FakeDesk, FakeListener, FakePhone
from web.streams import BEAT, BYE, HELLO, Streams


class Script(FakeListener):
    """What comes to the thread, each after some seconds: True a change, False nothing, an error."""

    def __init__(self, desk: ScriptedDesk) -> None:
        super().__init__(desk, "room")
        self.desk = desk
        self.waited_s: list[float] = []
        self.closed = 0

    def get(self, timeout_s: float) -> Snapshot | None:
        self.waited_s.append(timeout_s)
        if not self.desk.script:
            raise ClosedError
        after_s, what = self.desk.script.pop(0)
        self.desk.now_s += after_s
        if isinstance(what, Exception):
            raise what
        return self.desk.snapshot() if what else None

    def close(self) -> None:
        self.closed += 1


class ScriptedDesk(FakeDesk):
    """A desk whose changes come by a script, and the clock of the test."""

    def __init__(self, *script: tuple[float, bool | Exception]) -> None:
        super().__init__(web_tables.table())
        self.script = list(script)
        self.now_s = 100.0
        self.listener = Script(self)

    def listen(self, observer: Observer = "room") -> FakeListener:
        assert observer == "room"
        return self.listener


def run(desk: ScriptedDesk, beat_s: float = 10.0) -> FakePhone:
    """Lets the thread run for as long as the script goes; what a phone heard, by the time at which it did."""

    class Phone(FakePhone):
        def write(self, text: bytes) -> None:
            self.heard.append(b"%d %b" % (desk.now_s, text))

    drawn = iter(range(1000))
    streams = Streams(desk, lambda *_: {"n": next(drawn)}, beat_s, 9, 9, lambda: desk.now_s)
    watcher, phone = streams.open("10.0.0.1", "room", KEY), Phone()
    assert watcher is not None
    streams.attach(watcher, phone)
    streams.run()
    return phone


def beats(phone: FakePhone) -> list[int]:
    """When beats were heard."""
    return [int(each.split()[0]) for each in phone.heard if BEAT in each]


@pytest.mark.parametrize(("script", "waited_s", "beat_s"), [
    ([(4, False), (6, False), (10, False)], [10, 6, 10, 10], [110, 120]),
    ([(4, True), (4, True), (4, True)], [10, 6, 2, 8], [112]),
    ([(35, False), (5, False)], [10, 5, 10], [135, 140]),
    ([(10, False), (0, False)], [10, 10, 10], [110]),
    ([(-50, False), (50, False), (10, False)], [10, 10, 10, 10], [110]),
])
def test_beats_come_on_a_fixed_grid(script: list[Any], waited_s: list[float], beat_s: list[int]) -> None:
    desk = ScriptedDesk(*script)
    phone = run(desk)
    assert (desk.listener.waited_s, beats(phone)) == (waited_s, beat_s)
    assert (phone.heard[-1].endswith(BYE), phone.ended, desk.listener.closed) == (True, True, 2)


def test_every_change_is_told_at_once_and_numbered() -> None:
    phone = run(ScriptedDesk((1, True), (1, False), (1, True)))
    assert [each.partition(b"data: ")[0] for each in phone.heard] == [
        b"100 event: parts\nid: 1\n", b"101 event: parts\nid: 2\n", b"103 event: parts\nid: 3\n", b"103 event: bye\n"]


def test_a_desk_that_cannot_be_read_is_logged_and_counts_as_a_change(caplog: pytest.LogCaptureFixture) -> None:
    phone = run(ScriptedDesk((1, ValueError("no words")),))
    assert [each.partition(b"data: ")[0] for each in phone.heard][1] == b"101 event: parts\nid: 2\n"
    assert [(each.levelno, each.getMessage(), str(each.exc_info and each.exc_info[1])) for each in caplog.records] == [
        (logging.ERROR, "what is to be shown to the room cannot be said", "no words")]


def streams_of(desk: FakeDesk, most: int = 5, most_each: int = 3) -> Streams:
    return Streams(desk, lambda shown, who: {"eyes": shown.eyes.state, "who": str(who), "word": "Schälchen"},
                   10.0, most, most_each, lambda: 100.0)


def attached(streams: Streams, who: Observer, address: str = "10.0.0.1") -> FakePhone:
    watcher, phone = streams.open(address, who, KEY), FakePhone()
    assert watcher is not None
    streams.attach(watcher, phone)
    return phone


def test_news_are_written_as_events_and_told_once() -> None:
    desk = FakeDesk(replace(web_tables.table(), seq=7, match=3))
    streams = streams_of(desk)
    room, seat = attached(streams, "room"), attached(streams, 1)
    parts = '{"eyes": "free", "who": "%s", "word": "Schälchen"}'
    text = f'event: parts\nid: 1\ndata: {{"seq": 7, "match": 3, "parts": {parts}}}\n\n'
    assert (room.heard, seat.heard) == ([(text % "room").encode()], [(text % 1).encode()])
    streams.tell()
    later = attached(streams, "room")
    assert (room.heard, later.heard) == ([(text % "room").encode()], [(text % "room").encode()])
    desk.show(replace(desk.snapshot(), seq=8))
    streams.tell()
    assert [phone.heard[-1].split(b"\n")[1] for phone in (room, seat, later)] == [b"id: 2"] * 3
    assert HELLO.endswith(b"\n\n")


def test_places_are_counted_by_address_and_forgotten_with_the_last() -> None:
    streams = streams_of(FakeDesk(web_tables.table()), most=3, most_each=2)
    first = [streams.open("a", "room", KEY) for _ in range(2)]
    assert streams.open("a", "room", KEY) is None
    other = streams.open("b", 0, KEY)
    assert (other is not None, streams.open("c", 0, KEY), streams.most) == (True, None, 3)
    for watcher in (*first, first[0]):
        assert watcher is not None
        streams.done(watcher)
    assert (len(streams), dict(streams._by_address)) == (1, {"b": 1})
    assert [streams.open("a", "room", KEY) is None for _ in range(3)] == [False, False, True]


def test_what_cannot_be_drawn_is_logged_with_for_whom(caplog: pytest.LogCaptureFixture) -> None:
    streams = Streams(FakeDesk(web_tables.table()), lambda *_: cast(Any, 1 / 0), 10.0, 9, 9)
    assert attached(streams, 1).heard == []
    assert [(each.levelno, each.getMessage()) for each in caplog.records] == [
        (logging.ERROR, "the parts of the page for 1 cannot be drawn")]
    streams.tell()
    streams.beat()


def test_a_change_that_comes_while_a_phone_is_behind_is_told_with_the_next_beat() -> None:
    desk = FakeDesk(web_tables.table())
    streams = streams_of(desk)
    phone, other = attached(streams, "room"), attached(streams, "room")
    phone.heard, other.heard, phone.is_behind = [], [], True
    desk.show(replace(desk.snapshot(), eyes=EyesShown("hand")))
    streams.tell()
    streams.beat()
    assert (phone.heard, len(other.heard)) == ([], 2)
    phone.is_behind = False
    streams.beat()
    assert [each.split(b"\n")[0] for each in phone.heard] == [b"event: beat", b"event: parts"]
    assert other.heard[-1] == BEAT
    streams.beat()
    assert phone.heard[-1] == BEAT


def test_a_house_that_was_closed_takes_nobody_and_stops_listening() -> None:
    desk = ScriptedDesk()
    streams = streams_of(desk)
    waiting = streams.open("10.0.0.1", "room", KEY)
    streams.close()
    assert (len(streams), streams.open("10.0.0.1", "room", KEY), desk.listener.closed) == (0, None, 0)
    assert waiting is not None
    streams.attach(waiting, phone := FakePhone())
    assert (phone.heard, phone.ended) == ([BYE], True)
    streams.run()
    assert (desk.listener.waited_s, desk.listener.closed) == ([], 1)
    streams.close()
    assert desk.listener.closed == 2
