"""The page on which the whole position is put right: every touch is an address, so that it works without scripts."""

from __future__ import annotations

from flask import Blueprint, Response, flash, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.session.by_hand.moving import moves_between
from companion.session.snapshot import PositionShown
from web.house import house
from web.json_view import position_json
from web.numbers import whole_of
from web.position_view import PositionAsked, PositionView
from web.seats import phone, shown_here
from web.view_model import PageView

MAX_MOVES = 80
"""Moves that are taken from an address; no table is so wrong."""

blueprint = Blueprint("position", __name__)


@blueprint.get("/position")
def show_position() -> AnyResponse | str:
    """The position with what the address moves; `seen`: as the eyes see it."""
    view, shown, asked = _asked()
    if shown.seen is not None and "seen" in request.args:
        return redirect(asked.leading_to(moves_between(shown.now, shown.seen)), 303)
    return render_template("position.html", view=view, position=_position(view, shown, asked), seq=shown.seq,
                           why_not=view.sentence(shown.why_not) if shown.why_not and not shown.pieces else "")


@blueprint.get("/position.json")
def tell_position() -> Response:
    """What stands where as the game has it and as the eyes see it, and all pieces there are."""
    view, shown, _ = _asked()
    return jsonify(position_json(view, shown))


def _asked() -> tuple[PageView, PositionShown, PositionAsked]:
    """Raises `NotYoursError` for a phone that may not act. Moves of another state of the table do not count."""
    _ = phone().by
    desk = house().desk
    here, given = shown_here(desk), request.args
    now = desk.position()
    moves, held = given.getlist("m")[:MAX_MOVES], given.get("held", "")
    if moves and whole_of(given.get("seq", "")) != now.seq:
        flash(house().say("session.stale"))
        moves, held = [], ""
    asked = PositionAsked.of(now.seq, moves, held, whole_of(given.get("seat", "")))
    if here.layout is not None and now.pieces:
        stands = {spot: list(pieces) for spot, pieces in asked.stands(here.layout, now.now).items()}
        now = desk.position(stands, asked.seat if asked.seat >= 0 else None)
    return PageView(here, house().words), now, asked


def _position(view: PageView, shown: PositionShown, asked: PositionAsked) -> PositionView | None:
    layout = view.shown.layout
    return PositionView(view, shown, layout, asked) if layout is not None and shown.pieces else None
