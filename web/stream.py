"""The live stream: what changed, as server-sent events with the page's parts in them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from threading import Lock

from flask import Blueprint, Response, current_app

from companion.engine import Observer
from companion.errors import phrase
from companion.session.port import ClosedError, Desk, Listener
from companion.session.snapshot import Snapshot

Render = Callable[[Snapshot, Observer], dict[str, object]]

LIFETIME_S = 15 * 60.0
"""A stream ends after this time and the phone asks for a new one, so that none is forgotten for ever."""


class Streams:
    """The phones that watch now, at most `most`: each holds a thread of the server."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = Lock()
        self._open: set[Listener] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def open(self, desk: Desk, who: Observer) -> Listener | None:
        """A listener for one more phone; None when there are too many already."""
        with self._lock:
            if self._closed or len(self._open) >= self.most:
                return None
            listener = desk.listen(who)
            self._open.add(listener)
            return listener

    def done(self, listener: Listener) -> None:
        """The phone has gone. May be called twice."""
        listener.close()
        with self._lock:
            self._open.discard(listener)

    def close(self) -> None:
        """End all streams and open no more: the server stops."""
        with self._lock:
            self._closed = True
            listeners = list(self._open)
        for listener in listeners:
            listener.close()


def events(listener: Listener, render: Callable[[Snapshot], dict[str, object]], beat_s: float,
           clock: Callable[[], float] = time.monotonic) -> Iterator[str]:
    """The text of the stream: the whole page's parts first, then again at every change, a beat when nothing changes.

    Server software sends no header before the first text, so a comment comes at once.
    """
    until, told, number = clock() + LIFETIME_S, None, 0
    yield "retry: 2000\n: here\n\n"
    while clock() < until:
        try:
            shown = listener.get(beat_s)
        except ClosedError:
            yield "event: bye\ndata: \n\n"
            return
        if shown is None:
            yield "event: beat\ndata: \n\n"
            continue
        now = {"seq": shown.seq, "match": shown.match, "parts": render(shown)}
        if now != told:  # that something changed which this phone may not see is nothing to tell it either
            told, number = now, number + 1
            yield f"event: parts\nid: {number}\ndata: {json.dumps(now, ensure_ascii=False)}\n\n"


def blueprint(desk: Desk, streams: Streams, render: Render, observer: Callable[[], Observer],
              beat_s: float) -> Blueprint:
    """`/stream`; answers 503 with words when too many phones watch."""
    pages = Blueprint("stream", __name__)

    @pages.get("/stream")
    def stream() -> Response:
        who = observer()
        listener = streams.open(desk, who)
        if listener is None:
            words = current_app.extensions["words"].say(phrase("web.too_many", most=streams.most))
            return Response(json.dumps({"ok": False, "error": words}), 503, {"Retry-After": "10"},
                            mimetype="application/json")
        answer = Response(events(listener, lambda shown: render(shown, who), beat_s), mimetype="text/event-stream",
                          headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        answer.call_on_close(lambda: streams.done(listener))
        return answer

    return pages
