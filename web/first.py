"""The page of a table without a game: what the companion is, and what one can do."""

from __future__ import annotations

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.session.snapshot import Snapshot
from web.house import house
from web.view_model import PageView


def first_page(shown: Snapshot) -> AnyResponse | str:
    """While an example loads, how far it is; while nobody has chosen what is played, the choice; else the way to a new
    game."""
    own, examples, view = house().own, house().examples, PageView(shown, house().words)
    if own is not None and examples is not None and examples.chosen:
        return render_template("loading.html", view=view, loaded=own.loaded)
    if own is not None and own.config.source.kind is None:
        games = {each.name: each.game for each in examples.offers} if examples is not None else {}
        return render_template(
            "first.html", view=view, demo=own.demo, demo_game=games.get(own.demo, ""), name=own.config.table.name,
            pin_is_set=house().seating.host.pin.is_set)
    return redirect(url_for("start.show_start"), 303)
