"""The table's buttons and lamps on a page: what they do, and a finger for mock ones."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template
from werkzeug.wrappers import Response as AnyResponse

from web.given import fields_given, led_on
from web.house import house
from web.seats import must_be_host
from web.view_model import PageView

blueprint = Blueprint("panel", __name__)


@blueprint.get("/panel")
def show_panel() -> str:
    """The page of the panel."""
    must_be_host()
    port = house().panel
    view = PageView(house().desk.snapshot(), house().words)
    return render_template("panel.html", view=view, state=port.state() if port else None)


@blueprint.get("/panel.json")
def panel_state() -> Response:
    """What is lit, pressed and sounding."""
    must_be_host()
    port = house().panel
    return jsonify(port.state() if port else {})


@blueprint.post("/panel")
def press_button() -> AnyResponse:
    """Presses a button of the panel, lets a lamp be seen alone, or chooses how the table tells things."""
    must_be_host()
    port = house().panel
    if port is None:
        abort(404)
    given = fields_given()
    if "manner" in given:
        port.choose_manner(given["manner"], given.get("on") == "1")
    elif "try" in given:
        port.try_out(given["try"])
    else:
        port.press(given.get("button", ""), given.get("long") == "1")
    return led_on("panel.show_panel")
