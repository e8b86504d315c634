"""The way in for other phones: addresses as QR codes, to look on or for a seat, and by what they know that it is this
companion."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import Seat
from companion.table.spot_words import seat_letter
from web.house import house
from web.reach import address_for_others
from web.seats import phone
from web.sitting_view import sitting_of
from web.view_model import PageView

if TYPE_CHECKING:
    from segno import QRCode

HAND_OVER_S: Final = 3
"""The page of one's own seat is loaded again after this time, until another phone asks for the seat."""

blueprint = Blueprint("invite", __name__)


@blueprint.get("/invite")
def invite() -> AnyResponse:
    """The page with the QR code: to look on, or for the seat of this letter."""
    here, letter = house(), request.args.get("seat", "")
    seat = _seat_of(letter)
    view = PageView(here.desk.snapshot(), here.words)
    address = _address(seat)
    sitting = sitting_of(here.seating, phone().key)
    asks = [ask for ask in sitting.asks if ask.seat == seat == phone().seat]
    page = Response(render_template(
        "invite.html", view=view, address=address, code=Markup(_code(address).svg_inline(
            scale=6, border=4, light="white", omitsize=True)),
        seats=sorted(view.seats, key=lambda each: each.seat) if phone().key else [], wanted=seat, asks=asks,
        sitting=sitting, fingerprint=here.fingerprint))
    if seat is not None and seat == phone().seat and not asks:
        page.headers["Refresh"] = str(HAND_OVER_S)
    return page


@blueprint.get("/invite.svg")
def code_to_look_on() -> Response:
    """The code to look on as a picture: for screens that everybody sees."""
    drawn = BytesIO()
    _code(_address(None)).save(drawn, kind="svg", scale=6, border=4, light="white", omitsize=True)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


@blueprint.get("/join/<letter>")
def join(letter: str) -> AnyResponse | str:
    """Where the code of a seat leads: one touch to sit down there."""
    here, seat = house(), _seat_of(letter)
    if seat is None:
        flash(here.say("web.join.no_seat"))
    if seat is None or seat == phone().seat:
        return redirect(url_for("pages.show_table"), 303)
    view = PageView(here.desk.snapshot(), here.words)
    shown = next(each for each in view.seats if each.seat == seat)
    return render_template("join.html", view=view, seat=shown, sitting=sitting_of(here.seating, phone().key))


def _seat_of(letter: str) -> Seat | None:
    """The seat of the game with this letter."""
    seats = {each.seat for each in house().desk.snapshot().players} if phone().key else set()
    return next((seat for seat in seats if seat_letter(seat) == letter), None)


def _address(seat: Seat | None) -> str:
    parts = urlsplit(f"//{request.host}")
    table = address_for_others(request.scheme, parts.hostname or "", str(parts.port or ""))
    return table if seat is None else f"{table}join/{seat_letter(seat)}"


def _code(address: str) -> QRCode:
    import segno  # a tenth of a page's time, and a code is rarely asked for

    return segno.make(address, micro=False)
