"""The live stream: what changed, as server-sent events with the page's parts in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response, abort, request

from web.house import house
from web.seats import observer, phone
from web.streams import HELLO, Watcher

HAND_OVER: Final = "companion.hand_over"
"""The key of a request's environ under which the server takes a watcher for the request's connection: once the answer
has begun, the connection is the stream's and no thread holds it (`web.door`)."""

OTHER: Final = b"event: you\ndata: \n\n"
"""The page was made for a phone with another seat: it is to be loaded again."""

blueprint = Blueprint("stream", __name__)


@blueprint.get("/stream")
def stream() -> Response:
    """All changes of the table as parts of its page, for this phone; 503 with words when too many phones watch."""
    return _stream()


@blueprint.get("/stream.json")
def stream_json() -> Response:
    """All changes of the table as JSON, for a program with this phone's tokens."""
    return _stream(is_plain=True)


def _stream(is_plain: bool = False) -> Response:
    here = house()
    hand_over: Callable[[Watcher], object] | None = request.environ.get(HAND_OVER)
    if hand_over is None:
        abort(501)
    watcher = here.streams.open(phone().address, observer(here.desk), phone().key, is_plain)
    if watcher is None:
        sorry = json.dumps({"ok": False, "error": here.say("web.too_many", most=here.streams.most)})
        return Response(sorry, 503, {"Retry-After": "10"}, mimetype="application/json")
    hand_over(watcher)
    is_other = request.args.get("you", phone().name) != phone().name
    return Response(iter((HELLO + OTHER if is_other else HELLO,)), mimetype="text/event-stream",
                    headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
