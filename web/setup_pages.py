"""Setting up the companion's own table."""

from __future__ import annotations

from flask import Blueprint, abort
from werkzeug.wrappers import Response as AnyResponse

from web.given import fields_given, led_on
from web.house import house
from web.ports import OwnTablePort
from web.seats import must_be_host

blueprint = Blueprint("setup", __name__)


@blueprint.post("/setup/source")
def choose_source() -> AnyResponse:
    """Where pictures come from, from now on: nowhere."""
    own = _own_of_host()
    if fields_given().get("kind") != "none":
        abort(400)
    own.keep({"source.kind": "none"})
    return led_on("start.show_start")


def _own_of_host() -> OwnTablePort:
    """How the own table is set up, for the host alone."""
    must_be_host()
    own = house().own
    if own is None:
        abort(404)
    return own
