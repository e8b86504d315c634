"""The pages of the table: what stands, putting a reading right, a hint, a seat's own hand."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import phrase
from web.first import first_page
from web.given import fields_given, is_program, led_on
from web.hand import tellings
from web.house import house
from web.numbers import whole_of
from web.offers import sort_offers
from web.seats import (
    NotYoursError,
    hinted,
    must_be_host,
    observer,
    phone,
    phone_seat,
    remembered_name,
    shown_here,
    why_no_hint,
)
from web.taking_view import takings
from web.view_model import PageView, SeatShown

MAX_HELD = 30
"""Things of a hand that are taken from an address; nobody holds more."""

PAGES = ("/start", "/correct", "/hint", "/hand", "/play", "/score", "/eyes", "/panel", "/host", "/setup")
"""Pages that can be gone back to, beside the table."""

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def show_table() -> AnyResponse | str:
    """The table as this phone may know it; without a game, the way to a new one."""
    desk = house().desk
    shown = shown_here(desk)
    if shown.seen is None and shown.draft is None:
        return first_page(shown)
    parts = house().render(shown, shown.observer)
    view = PageView(shown, house().words)
    return render_template("table.html", view=view, parts=parts, again=_played_before(view))


def _played_before(view: PageView) -> SeatShown | None:
    """The free seat of whom this phone was in another game of the evening."""
    name, key = remembered_name(), phone().key
    if not name or not key or phone_seat() is not None:
        return None
    same = [each for each in view.seats if each.name == name]
    return same[0] if len(same) == 1 and same[0].seat not in house().seating.seats.phones(key) else None


@blueprint.post("/notices")
def read_notices() -> AnyResponse:
    """Somebody has read what happened to the journal; back to the page where it stood."""
    must_be_host()
    house().desk.read_notices()
    if is_program():
        return led_on("pages.show_table")
    back = fields_given().get("back", "")
    return redirect(back if back in PAGES else "/", 303)


@blueprint.get("/correct")
def show_corrections() -> AnyResponse | str:
    """What could have been played instead of the last ply."""
    desk = house().desk
    try:
        assert phone().by is not None
    except NotYoursError as error:
        return _back_with(house().say(error.phrase))
    shown = shown_here(desk)
    if not shown.last:
        return _back_with(house().say("web.nothing_to_correct"))
    view = PageView(shown, house().words)
    likely, others = sort_offers(view, desk.corrections(shown.observer))
    return render_template("correct.html", view=view, likely=likely, others=others)


@blueprint.get("/hint")
def show_hint() -> AnyResponse | str:
    """What the player on turn may consider; the page comes again until it is known. Back to the table with the reason
    if there is no hint to be had."""
    desk, hints = house().desk, house().hints
    seat = hinted(desk)
    if hints is None or seat is None:
        return _back_with(house().say(why_no_hint(desk)))
    known = hints.ask(seat)
    page = Response(render_template("hint.html", view=PageView(desk.snapshot(seat), house().words), hint=known))
    if known is None:
        page.headers["Refresh"] = "1"
    return page


@blueprint.get("/take")
def show_takings() -> AnyResponse | str:
    """What each player takes before the first ply, and how all else lies, as this phone may know it."""
    shown = shown_here(house().desk)
    if shown.seen is None:
        return redirect(url_for("pages.show_table"), 303)
    if shown.plies:
        return _back_with(house().say("web.take.gone"))
    view = PageView(shown, house().words)
    return render_template("take.html", view=view, takings=takings(view, phone_seat()))


@blueprint.get("/hand")
def show_hand() -> AnyResponse | str:
    """What this seat alone sees, to be named thing by thing."""
    desk = house().desk
    helped = _helped()
    seat = observer(desk) if helped is None else helped
    held = desk.hand(seat) if isinstance(seat, int) else None
    if held is None:
        return _back_with(house().say("session.nothing_to_confide"))
    chosen = {key: request.args.getlist(key)[:MAX_HELD] for key in request.args}
    shown = desk.snapshot(seat)
    if helped is None and shown.key != phone().key:  # another game has begun meanwhile
        return _back_with(house().say("session.stale"))
    view, page = PageView(shown, house().words), "/hand" if helped is None else f"/hand?bot={helped}"
    return render_template("hand.html", view=view, hand=held, helped=helped, page=page,
                           tellings=tellings(held.may_tell, chosen, view.words, page))


def _helped() -> int | None:
    """The bot for which this phone draws, if the address says so; the host's alone does."""
    if "bot" not in request.args:
        return None
    must_be_host()
    seat = whole_of(request.args["bot"])
    if seat not in house().desk.snapshot().bot_seats:
        raise NotYoursError(phrase("session.helper_only"))
    return seat


def _back_with(message: str) -> AnyResponse:
    flash(message)
    return redirect(url_for("pages.show_table"), 303)
