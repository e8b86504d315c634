"""The phones that watch: one thread tells them all. A stream holds a connection, no thread.

A view `open`s a watcher (or is refused), the server `attach`es it to its connection once the answer has begun. What an
observer is to know is rendered once for all phones that may know the same.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock
from typing import Final, Protocol

from companion.engine import Observer
from companion.session.port import ClosedError, Desk, Listener
from companion.session.snapshot import Snapshot

HELLO: Final = b"retry: 2000\n: here\n\n"
"""Server software sends no header before the first text, so a comment comes at once."""
BEAT: Final = b"event: beat\ndata: \n\n"
BYE: Final = b"event: bye\ndata: \n\n"
QUIET_BEFORE: Final = 0.02
"""This part of the time between two beats, before the next one, nothing is drawn."""
LIFETIME_S: Final = 15 * 60.0
"""A stream ends after this time and the phone asks for a new one, so that none is forgotten for ever."""

_logger = logging.getLogger(__name__)

Render = Callable[[Snapshot, Observer], dict[str, object]]


class Sink(Protocol):
    """Where the text of one stream goes. Nothing here waits."""

    @property
    def is_behind(self) -> bool:
        """Whether so much waits to be sent already that more would be in vain."""

    def write(self, text: bytes) -> None:
        """Sends this as soon as it can be."""

    def end(self) -> None:
        """Nothing more will come."""


@dataclass
class News:
    """What one observer was told last: the parts, their number, their text."""

    known: dict[str, object] | None = None
    key: str = ""
    """Of the game that it is about."""
    number: int = 0
    text: bytes = b""
    event: str = "parts"
    """Its name, also in the text: `parts` of a page, `table` as JSON."""

    def take(self, shown: Snapshot, parts: dict[str, object]) -> None:
        """That something changed which this observer may not see is nothing to tell it either."""
        now = {"seq": shown.seq, "match": shown.match, self.event: parts}
        if now != self.known or shown.key != self.key:
            self.known, self.key, self.number = now, shown.key, self.number + 1
            data = json.dumps(now, ensure_ascii=False)
            self.text = f"event: {self.event}\nid: {self.number}\ndata: {data}\n\n".encode()


@dataclass(eq=False)
class Watcher:
    """A phone that watches. `number` is that of the news it was told last, `key` names the game that it watches."""

    address: str
    who: Observer
    until_s: float
    key: str
    is_plain: bool = False
    """Whether it is a program, which is told JSON instead of parts of a page."""
    number: int = 0
    sink: Sink | None = None


class Streams:
    """The phones that watch now, at most `most`, and `most_each` of one address. Any thread may call."""

    def __init__(
        self, desk: Desk, render: Render, beat_s: float, most: int, most_each: int,
        clock: Callable[[], float] = time.monotonic, plain: Render | None = None,
    ) -> None:
        self.most = most
        self._renders = {False: render, True: plain or render}
        self._desk, self._beat_s, self._most_each, self._clock = desk, beat_s, most_each, clock
        self._lock = RLock()
        self._watchers: set[Watcher] = set()
        self._by_address: Counter[str] = Counter()
        self._news: dict[tuple[Observer, bool], News] = {}
        self._closed = False
        self._stop_listening: Callable[[], object] = _nothing

    def __len__(self) -> int:
        return len(self._watchers)

    # --- for views and the server -------------------------------------------------------------------------------------

    def open(self, address: str, who: Observer, key: str, is_plain: bool = False) -> Watcher | None:
        """A place for one more phone, which may watch as `who` the game that has this key; None when there are too many
        already."""
        with self._lock:
            if self._closed or len(self) >= self.most or self._by_address[address] >= self._most_each:
                return None
            watcher = Watcher(address, who, self._clock() + LIFETIME_S, key, is_plain)
            self._watchers.add(watcher)
            self._by_address[address] += 1
            return watcher

    def attach(self, watcher: Watcher, sink: Sink) -> None:
        """From now on the phone is told what it may know, the present state first."""
        with self._lock:
            watcher.sink = sink
            if watcher not in self._watchers:  # meanwhile it was ended, or all were
                self._end(watcher, BYE if self._closed else b"")
                return
            self._refresh(watcher.who, watcher.is_plain)
            self._tell(watcher)

    def done(self, watcher: Watcher) -> None:
        """The phone has gone. May be called twice."""
        with self._lock:
            if watcher in self._watchers:
                self._watchers.discard(watcher)
                self._by_address[watcher.address] -= 1
                self._by_address += Counter()  # without those that have none

    def drop(self, who: Observer) -> None:
        """Ends all streams of an observer: whoever still may watch asks again."""
        with self._lock:
            for watcher in [each for each in self._watchers if each.who == who]:
                self._end(watcher)

    def ask_again(self) -> None:
        """Ends all streams: every phone asks for a new one, and whose it is is looked at again."""
        with self._lock:
            for watcher in list(self._watchers):
                self._end(watcher)

    def close(self) -> None:
        """Says goodbye to all and opens no more: the server stops."""
        with self._lock:
            self._closed = True
            for watcher in list(self._watchers):
                self._end(watcher, BYE)
        self._stop_listening()

    # --- the thread that tells ----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Tells everybody of every change, and on a fixed grid of time, whatever happens, that the stream lives. A
        change shortly before is told with the beat: drawing it, perhaps for one seat alone, must delay nobody's."""
        listener = self._desk.listen()
        self._stop_listening = listener.close
        beat_s, untold = self._clock() + self._beat_s, False
        try:
            while not self._closed:
                untold = _changed(listener, max(0.0, min(beat_s - self._clock(), self._beat_s))) or untold
                if self._clock() >= beat_s:
                    beat_s += self._beat_s * (1 + (self._clock() - beat_s) // self._beat_s)
                    self.beat()
                    untold = False
                elif untold and beat_s - self._clock() > QUIET_BEFORE * self._beat_s:
                    self.tell()
                    untold = False
        except ClosedError:
            self.close()
        finally:
            listener.close()

    def tell(self) -> None:
        """Something changed: whoever may know it is told."""
        with self._lock:
            self._refresh_all()
            for watcher in list(self._watchers):
                self._tell(watcher)

    def beat(self) -> None:
        """Every stream lives, all at once; those that are too old end. Then all are told what they may know."""
        with self._lock:
            now_s = self._clock()
            for watcher in list(self._watchers):
                if now_s >= watcher.until_s:
                    self._end(watcher)
                elif watcher.sink is not None and not watcher.sink.is_behind:
                    watcher.sink.write(BEAT)
            self.tell()  # what pages show may have become too old, and a phone that was behind gets the newest value

    def _refresh_all(self) -> None:
        for who, is_plain in sorted({(watcher.who, watcher.is_plain) for watcher in self._watchers}, key=str):
            self._refresh(who, is_plain)

    def _refresh(self, who: Observer, is_plain: bool) -> None:
        try:
            shown = self._desk.snapshot(who)
            news = self._news.setdefault((who, is_plain), News(event="table" if is_plain else "parts"))
            news.take(shown, self._renders[is_plain](shown, who))
        except Exception:  # a page that cannot be drawn must not end the streams of all others
            _logger.exception("the parts of the page for %s cannot be drawn", who)

    def _tell(self, watcher: Watcher) -> None:
        news = self._news.get((watcher.who, watcher.is_plain))
        if watcher.sink is None or news is None or news.known is None or news.number == watcher.number:
            return
        if isinstance(watcher.who, int) and news.key != watcher.key:
            self._end(watcher)  # a seat is of one game: whose phone may know the next one's is asked again
        elif not watcher.sink.is_behind:
            watcher.number = news.number
            watcher.sink.write(news.text)

    def _end(self, watcher: Watcher, last: bytes = b"") -> None:
        self.done(watcher)
        if watcher.sink is not None:
            if last:
                watcher.sink.write(last)
            watcher.sink.end()


def _changed(listener: Listener, timeout_s: float) -> bool:
    """Whether there is something new within this time. Raises `ClosedError`."""
    try:
        return listener.get(timeout_s) is not None
    except ClosedError:
        raise
    except Exception:
        _logger.exception("what is to be shown to the room cannot be said")
        return True


def _nothing() -> None:
    """Nobody listens yet."""
