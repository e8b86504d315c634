"""The live stream: what changed, as server-sent events with the page's parts in them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response

from companion.session.port import ClosedError, Listener
from companion.session.snapshot import Snapshot
from web.house import house
from web.seats import observer

LIFETIME_S = 15 * 60.0
"""A stream ends after this time and the phone asks for a new one, so that none is forgotten for ever."""

blueprint = Blueprint("stream", __name__)


@blueprint.get("/stream")
def open_stream() -> Response:
    """All changes of the table, for this phone; 503 with words when too many phones watch."""
    here, who = house(), observer(house().desk)
    listener = here.streams.open(here.desk, who)
    if listener is None:
        sorry = json.dumps({"ok": False, "error": here.say("web.too_many", most=here.streams.most)})
        return Response(sorry, 503, {"Retry-After": "10"}, mimetype="application/json")
    answer = Response(
        events(listener, lambda shown: here.render(shown, who), here.beat_s), mimetype="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    answer.call_on_close(lambda: here.streams.done(listener))
    return answer


def events(listener: Listener, render: Callable[[Snapshot], dict[str, object]], beat_s: float,
           clock: Callable[[], float] = time.monotonic) -> Iterator[str]:
    """The text of the stream: the whole page's parts first, then again at every change, a beat when nothing changes.

    Server software sends no header before the first text, so a comment comes at once.
    """
    until, sent, number = clock() + LIFETIME_S, None, 0
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
        if now != sent:  # that something changed which this phone may not see is nothing to tell it either
            sent, number = now, number + 1
            yield f"event: parts\nid: {number}\ndata: {json.dumps(now, ensure_ascii=False)}\n\n"
