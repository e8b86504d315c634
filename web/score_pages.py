"""The page of scores: what every number is made of, by rule, while a game is on and when it has ended."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from web.house import house
from web.score_view import seat_scores
from web.seats import shown_here
from web.view_model import PageView

blueprint = Blueprint("score", __name__)


@blueprint.get("/score")
def show_scores() -> AnyResponse | str:
    """Who has how much, and why."""
    view = PageView(shown_here(house().desk), house().words)
    if view.shown.seen is None:
        return redirect(url_for("pages.show_table"), 303)
    return render_template("score.html", view=view, scores=seat_scores(view), told=bool(view.shown.score_parts))
