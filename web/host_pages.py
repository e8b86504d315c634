"""Who sits where and who is the host: a page for all, with what only the host may do."""

from __future__ import annotations

from flask import Blueprint, flash, render_template
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import InvalidError
from web.given import fields_given, led_on, sorry
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
def be_host() -> ResponseReturnValue:
    """This phone is the host from now on: with the table's PIN, or instead of a host that has gone."""
    host, pin = house().seating.host, fields_given().get("pin")
    try:
        token = host.follow(phone().address) if pin is None else host.by_pin(pin, phone().address)
    except InvalidError as error:
        said = house().say(error.phrase)
        return sorry(said, 429 if error.phrase.id == "web.pin.wait" else 403, _page(said))
    keep_token(HOST_COOKIE, token)
    house().streams.ask_again()
    return led_on("host.show_host")


@blueprint.post("/host/pin")
def choose_pin() -> ResponseReturnValue:
    """The table has this PIN from now on; none, if it is empty."""
    must_be_host()
    pin = fields_given().get("pin", "")
    try:
        house().seating.host.pin.choose(pin)
    except InvalidError as error:
        said = house().say(error.phrase)
        return sorry(said, 400, _page(said))
    flash(house().say("web.pin.chosen" if pin else "web.pin.skipped"))
    return led_on("host.show_host")


@blueprint.post("/host/hand-on")
def hand_on() -> AnyResponse:
    """The phone of a seat is the host from now on."""
    must_be_host()
    house().seating.host.hand_on(phone().key, seat_in_form())
    house().streams.ask_again()
    return led_on("host.show_host")


@blueprint.post("/host/free")
def free_seat() -> AnyResponse:
    """A seat is nobody's: its phones only watch, and whoever sits down next has it."""
    must_be_host()
    seat = seat_in_form()
    house().seating.seats.free(phone().key, seat)
    tell_pages((seat,))
    return led_on("host.show_host")


def _page(error: str = "") -> str:
    here = house()
    view = PageView(here.desk.snapshot(), here.words)
    seats = sorted(view.seats, key=lambda each: each.seat)
    return render_template(
        "host.html", view=view, error=error, seats=seats, phones=here.seating.seats.phones(phone().key),
        asks=here.seating.seats.asks.waiting(phone().key), host=here.seating.host)
