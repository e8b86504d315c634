"""The tables of a club: other companions in the same network, each with a way to its own pages."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template

from web.house import house
from web.ports import ClubPort
from web.view_model import PageView

blueprint = Blueprint("club", __name__)


@blueprint.app_context_processor
def _of_every_page() -> dict[str, object]:
    return {"has_club": house().club is not None}


@blueprint.get("/club")
def show_club() -> str:
    """All tables that are found, with what everybody at each sees."""
    club = _club()
    view = PageView(house().desk.snapshot(), house().words)
    return render_template("club.html", view=view, tables=club.tables(), can_look=club.can_look)


@blueprint.get("/club.json")
def tell_club() -> Response:
    """The same for programs."""
    return jsonify({"tables": [
        {"name": each.name, "address": each.address, "game": each.game, "announced": each.announced,
         "answers": each.answers, "players": [{"name": name, "score": score} for name, score in each.players]}
        for each in _club().tables()]})


def _club() -> ClubPort:
    club = house().club
    if club is None:
        abort(404)
    return club
