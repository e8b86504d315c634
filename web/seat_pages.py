"""Sitting down and getting up, and the answers to phones that ask for a seat that is taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from flask import Blueprint, Response, abort, flash, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import Seat
from companion.errors import phrase
from web.given import fields_given, led_on
from web.house import house
from web.numbers import whole_of
from web.seats import COOKIE, NotYoursError, keep_token, phone, remember_name, seat_token
from web.sitting.asks import ASK_S, AskAnswer
from web.view_model import PageView

ASK_AGAIN_S: Final = 2
"""A page that waits to be let in is loaded again after this time."""

blueprint = Blueprint("seats", __name__)


@blueprint.post("/sit")
def sit_down() -> AnyResponse:
    """This phone sits down; on a seat that is taken once it is let in."""
    seat, here = seat_in_form(), house()
    before = phone().seat
    sat = here.seating.seats.sit(seat_token(), phone().key, seat, phone().address)
    keep_token(COOKIE, sat.token)
    if sat.ask is None:
        remember_name(_name_of(seat))
    tell_pages(() if before in (None, seat) or sat.ask else (before,))
    return led_on("pages.show_table" if sat.ask is None else "seats.show_asking", seated=sat.ask is None)


@blueprint.get("/sit")
def show_asking() -> AnyResponse:
    """What this phone waits for, loaded again until it is known."""
    here = house()
    if changed := here.seating.seats.settle():
        tell_pages(changed)
    ask = here.seating.seats.asked_by(seat_token(), phone().key)
    if ask is None or ask.verdict != "open":
        seat = here.seating.seats.seat_of(seat_token(), phone().key, phone().address)
        if seat is None:
            flash(here.say("web.sit.late" if ask is None else "web.sit.no"))
        else:
            remember_name(_name_of(seat))
        return redirect(url_for("pages.show_table"), 303)
    view = PageView(here.desk.snapshot(), here.words)
    page = Response(render_template("sit.html", view=view, who=view.player(ask.seat), seconds=round(ASK_S)))
    page.headers["Refresh"] = str(ASK_AGAIN_S)
    return page


@blueprint.post("/up")
def get_up() -> AnyResponse:
    """This phone has its seat no more; who sits down there next has it."""
    here, seat = house(), phone().seat
    here.seating.seats.get_up(seat_token(), phone().key)
    remember_name("")
    tell_pages(() if seat is None else (seat,))
    return led_on("pages.show_table")


@blueprint.post("/asks")
def answer_ask() -> AnyResponse:
    """Lets in a phone that asks for a seat, or not: said by who has the seat, or by the host."""
    given, seats = fields_given(), house().seating.seats
    id = whole_of(given.get("ask", ""))
    verdict: AskAnswer | None = next((each for each in get_args(AskAnswer) if each == given.get("say")), None)
    if id is None or verdict in (None, "open"):
        abort(400)
    ask = next((each for each in seats.asks.waiting(phone().key) if each.id == id), None)
    if not phone().is_host and (ask is None or ask.seat != phone().seat):
        raise NotYoursError(phrase("web.sit.not_yours"))
    if ask is None or not seats.asks.decide(ask.id, verdict):
        flash(house().say("web.sit.gone"))
    tell_pages(seats.settle())
    return led_on("host.show_host" if given.get("back") == "host" else "pages.show_table")


def seat_in_form() -> Seat:
    """The seat that a form names, one of the game's; answers 400 for any other."""
    seat = whole_of(fields_given().get("seat", ""))
    if seat is None or not phone().key or seat not in {each.seat for each in house().desk.snapshot().players}:
        abort(400)
    return seat


def _name_of(seat: Seat) -> str:
    return next((each.name for each in house().desk.snapshot().players if each.seat == seat), "")


def tell_pages(seats: Iterable[Seat] = ()) -> None:
    """All pages say who sits where; the streams of these seats end, for their phones may be others now."""
    streams = house().streams
    for seat in seats:
        streams.drop(seat)
    streams.tell()
