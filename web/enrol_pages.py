"""Enrolment at the host's phone: what to lay where, what is seen, taking a picture, the verdict."""

from __future__ import annotations

from typing import Final, get_args

from flask import Blueprint, Response, abort, jsonify, render_template
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import CompanionError
from companion.session.enrolment import EnrolAct, EnrolOrder
from web.enrol_view import EnrolView
from web.given import fields_given, led_on, sorry
from web.house import house
from web.numbers import whole_of
from web.ports import EnrolPort
from web.seats import must_be_host
from web.view_model import PageView

ACTS: Final[dict[str, EnrolAct]] = {act: act for act in get_args(EnrolAct)}

blueprint = Blueprint("enrol", __name__, url_prefix="/enrol")


@blueprint.get("")
def show_enrolment() -> str:
    """How far it is, and what is to be done now."""
    must_be_host()
    return _enrol_page()


@blueprint.post("")
def begin_enrolment() -> ResponseReturnValue:
    """Enrols the pieces of a set, from the first picture on."""
    port = _allowed()
    try:
        port.begin(fields_given().get("name", ""))
    except CompanionError as error:
        return _refuse(error, 400)
    return led_on("enrol.show_enrolment")


@blueprint.post("/go-on")
def go_on_enrolling() -> ResponseReturnValue:
    """Goes on where it was broken off."""
    port = _allowed()
    try:
        port.go_on()
    except CompanionError as error:
        return _refuse(error, 409)
    return led_on("enrol.show_enrolment")


@blueprint.post("/picture")
def order_picture() -> ResponseReturnValue:
    """Takes the present picture, takes one once more, or learns the pieces."""
    port, given = _allowed(), fields_given()
    act, number = ACTS.get(given.get("act", "")), whole_of(given.get("number", ""))
    if act is None or number is None:
        abort(400)
    try:
        port.order(EnrolOrder(act, number))
    except CompanionError as error:
        return _refuse(error, 409)
    return led_on("enrol.show_enrolment")


@blueprint.post("/stop")
def stop_enrolling() -> AnyResponse:
    """Breaks off; it can be gone on with."""
    _allowed().stop()
    return led_on("enrol.show_enrolment")


@blueprint.post("/drop")
def drop_enrolment() -> AnyResponse:
    """Ends it; its pictures are deleted."""
    _allowed().drop()
    return led_on("enrol.show_enrolment")


@blueprint.get("/<name>.jpg")
def alike_jpeg(name: str) -> Response:
    """The picture of a piece that is much like another."""
    port = house().enrolments
    jpeg = port.picture(name) if port is not None else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.get("/state.json")
def tell_enrolment() -> Response:
    """How far it is, in words too; `stamp` changes when the page is another."""
    must_be_host()
    port = house().enrolments
    shown = port.shown() if port is not None else None
    if shown is None:
        return jsonify({"stage": "none", "stamp": "", "seen": "", "state": "none", "share": 0.0})
    view = EnrolView(shown, house().words)
    return jsonify({
        "stage": shown.stage, "stamp": view.stamp, "seen": view.seen, "state": view.state,
        "share": round(shown.share, 3), "name": shown.name, "game": shown.game, "number": shown.number,
        "count": shown.count, "taken": shown.taken, "lacks": view.lacks, "trouble": view.trouble,
    })


def _allowed() -> EnrolPort:
    must_be_host()
    port = house().enrolments
    if port is None:
        abort(404)
    return port


def _refuse(error: CompanionError, status: int) -> ResponseReturnValue:
    said = house().say(error.phrase)
    return sorry(said, status, _enrol_page(said))


def _enrol_page(error: str = "") -> str:
    here, port = house(), house().enrolments
    shown = port.shown() if port is not None else None
    return render_template(
        "enrol.html", view=PageView(here.desk.snapshot(), here.words), error=error,
        preview=here.desk.preview() is not None,
        enrol=EnrolView(shown, here.words) if shown is not None else None,
        offers=port.offers if port is not None else (), has_camera=port is not None and port.has_camera)
