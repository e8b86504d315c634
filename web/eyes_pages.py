"""What the eyes see: their state, the newest picture, close-ups of what is asked about."""

from __future__ import annotations

import zlib

from flask import Blueprint, Response, abort, jsonify, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from web.house import house
from web.view_model import PageView

blueprint = Blueprint("eyes", __name__)


@blueprint.get("/eyes")
def show_eyes() -> str:
    """The page with the newest picture."""
    desk = house().desk
    view = PageView(desk.snapshot(), house().words)
    own = house().own
    return render_template("eyes.html", view=view, preview=desk.preview() is not None,
                           keeping=own.keeping if own else None)


@blueprint.get("/eyes.jpg")
def eyes_jpeg() -> AnyResponse:
    """The newest picture, with the reading drawn over it."""
    answer = _jpeg(house().desk.preview())
    answer.add_etag()
    return answer.make_conditional(request)


@blueprint.get("/eyes.json")
def eyes_state() -> Response:
    """The state of the eyes, in words too, how far their start is, and a stamp that changes with the picture."""
    desk, own = house().desk, house().own
    view, jpeg = PageView(desk.snapshot(), house().words), desk.preview()
    return jsonify({"state": view.shown.eyes.state, "words": view.eyes, "picture": jpeg is not None,
                    "stamp": f"{zlib.crc32(jpeg or b''):08x}", "loaded": own.loaded if own else None})


@blueprint.get("/close-up/<name>.jpg")
def close_up_jpeg(name: str) -> AnyResponse:
    """The picture of what a question is about."""
    return _jpeg(house().desk.close_up(name))


def _jpeg(jpeg: bytes | None) -> Response:
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
