"""The machine: what is well and what is not, a report for whoever helps, another version. The host's."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint, Response, abort, flash, render_template
from werkzeug.wrappers import Response as AnyResponse

from web.given import fields_given, led_on
from web.house import house
from web.ports import MachinePort
from web.seats import must_be_host
from web.view_model import PageView

blueprint = Blueprint("machine", __name__)


@blueprint.get("/machine")
def show_machine() -> str:
    """What is well, one line each."""
    machine = _machine()
    here = house()
    return render_template(
        "machine.html", view=PageView(here.desk.snapshot(), here.words), findings=machine.findings(),
        told=machine.told(), can_update=machine.can_update, say=here.words.sentence)


@blueprint.get("/machine.zip")
def take_report() -> Response:
    """The report."""
    name = f"companion-report-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(_machine().report(), mimetype="application/zip", headers=headers)


@blueprint.post("/machine")
def ask_for_version() -> AnyResponse:
    """Asks for the newest version, or for the one before; from where it comes nobody says here."""
    machine = _machine()
    machine.wish(fields_given().get("wish") == "back")
    flash(house().say("box.wished"))
    return led_on("machine.show_machine")


def _machine() -> MachinePort:
    """That of this host. Answers 404 where there is none."""
    must_be_host()
    return house().machine or abort(404)
