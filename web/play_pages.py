"""The page on which a ply is entered by hand: every touch is an address, so that it works without scripts."""

from __future__ import annotations

from flask import Blueprint, flash, render_template, request

from companion.session.by_hand.entering import EntryShown
from web.entry_view import EntryView
from web.house import house
from web.numbers import whole_of
from web.seats import phone, shown_here
from web.view_model import PageView

MAX_TOUCHES = 40
"""Touches that are taken from an address; no ply needs more."""

blueprint = Blueprint("play", __name__)


@blueprint.get("/play")
def show_entry() -> str:
    """What may be touched next, after the touches of the address."""
    view, entered, touches = entry_of_address()
    if request.args.getlist("t") and not touches:
        flash(house().say("session.stale"))
    entry = None
    if entered.entry is not None:
        entry = EntryView(view, entered, entered.entry, touches, request.args.get("why", ""))
    return render_template("play.html", view=view, entry=entry, seq=entered.seq,
                           why_not=view.sentence(entered.why_not) if entered.why_not else "")


def entry_of_address() -> tuple[PageView, EntryShown, list[str]]:
    """The page of this phone, what it may enter, and the touches of the address as far as they count."""
    desk = house().desk
    shown = shown_here(desk)
    you = phone()
    again = whole_of(request.args.get("again", "")) or 0
    entered = desk.entry(you.seat if shown.key == you.key else None, you.is_host, again)
    touches = request.args.getlist("t")[:MAX_TOUCHES]
    if touches and whole_of(request.args.get("seq", "")) != entered.seq:
        touches = []
    return PageView(shown, house().words), entered, touches
