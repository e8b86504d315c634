"""Parts of the door without a network: who takes too long, and how a stream is written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from waitress.channel import ClientDisconnected

from web.door import DoorChannel
from web.limits import Limits

LIMITS = Limits(request_s=10.0, unread_s=25.0, unread_bytes=100)


class Channel(DoorChannel):
    """A connection without a socket: keeps what is written; `fails` is raised instead."""

    def __init__(self, is_chunked: bool = False, fails: Exception | None = None) -> None:
        self.written: list[bytes] = []
        self.woken = 0
        self.fails = fails
        self.server = SimpleNamespace(limits=LIMITS, pull_trigger=self._wake)
        self.requests: list[object] = []
        self.total_outbufs_len, self.watcher, self.request = 0, None, None
        self.close_when_flushed = False
        self._is_chunked = is_chunked
        self._asked_s = self._moved_s = 100.0

    def _wake(self) -> None:
        self.woken += 1

    def write_soon(self, data: bytes) -> int:
        if self.fails:
            raise self.fails
        self.written.append(data)
        return len(data)


@pytest.mark.parametrize(("state", "asked_s", "moved_s", "until_s"), [
    ({}, 100, 100, 110), ({}, 100, 105, 115), ({}, 105, 100, 115), ({"request": "half"}, 100, 105, 110),
    ({"total_outbufs_len": 1}, 100, 105, 130), ({"total_outbufs_len": 1, "watcher": "w"}, 105, 100, 125),
    ({"watcher": "w"}, 100, 100, None), ({"requests": ["r"]}, 100, 100, None),
    ({"requests": ["r"], "total_outbufs_len": 9}, 100, 100, 125),
])
def test_a_phone_has_so_long_to_ask_and_to_read(
    state: dict[str, Any], asked_s: float, moved_s: float, until_s: float | None
) -> None:
    channel = Channel()
    channel._asked_s, channel._moved_s = asked_s, moved_s
    for name, value in state.items():
        setattr(channel, name, value)
    overdue = [channel.is_overdue(at_s, LIMITS) for at_s in ((until_s, until_s + 0.1) if until_s else (9e9,))]
    assert overdue == ([False, True] if until_s else [False])


@pytest.mark.parametrize(("waits", "is_behind"), [(0, False), (100, False), (101, True)])
def test_a_phone_that_does_not_read_is_behind(waits: int, is_behind: bool) -> None:
    channel = Channel()
    channel.total_outbufs_len = waits
    assert channel.is_behind is is_behind


@pytest.mark.parametrize(("is_chunked", "written"), [
    (True, [b"A\r\n0123456789\r\n", b"0\r\n\r\n"]), (False, [b"0123456789"])])
def test_a_stream_is_written_in_chunks_where_the_answer_has_them(is_chunked: bool, written: list[bytes]) -> None:
    channel = Channel(is_chunked)
    channel.write(b"0123456789")
    assert (channel.woken, channel.close_when_flushed) == (1, False)
    channel.end()
    assert (channel.written, channel.woken, channel.close_when_flushed) == (written, 2, True)


@pytest.mark.parametrize("fails", [ClientDisconnected(), OSError()])
def test_a_phone_that_has_gone_is_no_fault_of_the_stream(fails: Exception) -> None:
    channel = Channel(is_chunked=True, fails=fails)
    channel.write(b"x")
    channel.end()
    assert (channel.written, channel.woken) == ([], 0)
