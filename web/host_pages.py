"""Who sits where and who is the host: a page for all, with what only the host may do."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import InvalidError
from web.house import house
from web.seat_pages import seat_in_form, tell_pages
from web.seats import HOST_COOKIE, keep_token, must_be_host, phone
from web.view_model import PageView

blueprint = Blueprint("host", __name__)


@blueprint.get("/host")
def show_host() -> str:
    """The page of seats and host."""
    return _page()


@blueprint.post("/host")
def be_host() -> AnyResponse | tuple[str, int]:
    """This phone is the host from now on: with the table's PIN, or instead of a host that has gone."""
    host, pin = house().seating.host, request.form.get("pin")
    try:
        token = host.follow(phone().address) if pin is None else host.by_pin(pin, phone().address)
    except InvalidError as error:
        return _page(house().say(error.phrase)), 429 if error.phrase.id == "web.pin.wait" else 403
    keep_token(HOST_COOKIE, token)
    house().streams.ask_again()
    return redirect(url_for("host.show_host"), 303)


@blueprint.post("/host/pin")
def choose_pin() -> AnyResponse | tuple[str, int]:
    """The table has this PIN from now on; none, if it is empty."""
    must_be_host()
    pin = request.form.get("pin", "")
    try:
        house().seating.host.pin.choose(pin)
    except InvalidError as error:
        return _page(house().say(error.phrase)), 400
    flash(house().say("web.pin.chosen" if pin else "web.pin.skipped"))
    return redirect(url_for("host.show_host"), 303)


@blueprint.post("/host/hand-on")
def hand_on() -> AnyResponse:
    """The phone of a seat is the host from now on."""
    must_be_host()
    house().seating.host.hand_on(phone().key, seat_in_form())
    house().streams.ask_again()
    return redirect(url_for("host.show_host"), 303)


@blueprint.post("/host/free")
def free_seat() -> AnyResponse:
    """A seat is nobody's: its phones only watch, and whoever sits down next has it."""
    must_be_host()
    seat = seat_in_form()
    house().seating.seats.free(phone().key, seat)
    tell_pages((seat,))
    return redirect(url_for("host.show_host"), 303)


def _page(error: str = "") -> str:
    here = house()
    view = PageView(here.desk.snapshot(), here.words)
    seats = sorted(view.seats, key=lambda each: each.seat)
    return render_template(
        "host.html", view=view, error=error, seats=seats, phones=here.seating.seats.phones(phone().key),
        asks=here.seating.seats.asks.waiting(phone().key), host=here.seating.host)
