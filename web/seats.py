"""Who a phone is: the one place where a request's cookies become a seat, the host, or somebody who only watches.

Nothing else that a phone says of itself counts: not an old cookie's number, not the `by` of a command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from flask import Flask, Response, after_this_request, g, request

from companion.engine import Observer, Seat, ToMove
from companion.errors import CompanionError, phrase
from companion.session.commands import By
from companion.session.port import Desk
from companion.session.snapshot import Snapshot
from web.house import house
from web.limits import plain_address

COOKIE: Final = "seat"
HOST_COOKIE: Final = "host"
COOKIE_AGE_S: Final = 30 * 24 * 3600
"""A token is void long before: with its game, or with the next host."""
NAME_COOKIE: Final = "name"
"""Whose seat the phone had: it opens nothing, it only puts that seat first in the next game."""
EVENING_S: Final = 12 * 3600
"""For so long a phone remembers whose it was."""
QUIET: Final = (None, "static", "health", "stream.stream", "stream.stream_json", "metrics.show_metrics")
"""Endpoints that programs ask for by themselves: nobody becomes the host by them."""


class NotYoursError(CompanionError):
    """This phone may not do that."""


@dataclass(frozen=True, slots=True)
class AskingPhone:
    """The phone that asks: its seat in the game `key`, if it has one; whether it is the host's; from where it asks."""

    key: str
    seat: Seat | None
    is_host: bool
    address: str

    @property
    def by(self) -> By:
        """The `by` of this phone's commands. Raises `NotYoursError` for one that only watches."""
        if self.seat is None and not self.is_host:
            raise NotYoursError(phrase("web.watches"))
        return "host" if self.seat is None else self.seat

    @property
    def name(self) -> str:
        """What tells a page that was made for this phone from others: one of another name is made anew."""
        return f"{'room' if self.seat is None else self.seat}{'-host' if self.is_host else ''}"

    @property
    def kinds(self) -> str:
        """CSS classes of its pages."""
        sits = "seated" if self.seat is not None else "standing" if self.is_host else "watching"
        return f"{sits} host" if self.is_host else sits


def add_phones(app: Flask) -> None:
    """Lets the first phone be the host, and tells every template who asks (`you`)."""
    app.before_request(_welcome)
    app.context_processor(lambda: {"you": phone()})


def phone() -> AskingPhone:
    """The phone that asks, as its tokens say it."""
    if "phone" not in g:
        here, address, key = house().seating, request_address(), house().desk.snapshot().key
        seat = here.seats.seat_of(seat_token(), key, address)
        is_host = g.get("is_new_host", False) or here.host.is_host(request.cookies.get(HOST_COOKIE, ""), address)
        g.phone = AskingPhone(key, seat, is_host or here.host.is_heir(seat_token()), address)
    found: AskingPhone = g.phone
    return found


def request_address() -> str:
    """From where the request comes."""
    return plain_address(request.remote_addr or "")


def seat_token() -> str:
    """What the phone's cookie holds, whatever it is worth."""
    return request.cookies.get(COOKIE, "")


def phone_seat() -> Seat | None:
    """The seat that this phone has; None for one that has none."""
    return phone().seat


def must_be_host() -> None:
    """Raises `NotYoursError` for every phone but the host's."""
    if not phone().is_host:
        raise NotYoursError(phrase("session.host_only"))


def keep_token(name: str, token: str) -> None:
    """Puts a token into this cookie of the phone, with the answer."""

    @after_this_request
    def put(response: Response) -> Response:
        response.set_cookie(
            name, token, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="Strict", secure=request.is_secure)
        return response


def remember_name(name: str) -> None:
    """This phone remembers for the evening that it is this player's; with an empty name it forgets."""

    @after_this_request
    def put(response: Response) -> Response:
        response.set_cookie(NAME_COOKIE, quote(name), max_age=EVENING_S if name else 0, path="/", httponly=True,
                            samesite="Strict", secure=request.is_secure)
        return response


def remembered_name() -> str:
    """Whose this phone was in an earlier game; what it says is only compared with names of players."""
    return unquote(request.cookies.get(NAME_COOKIE, ""))


def observer(desk: Desk) -> Observer:
    """What this phone may know: what its seat may; without a seat in this game, what the room may."""
    seat = phone_seat()
    return seat if seat is not None and seat in {player.seat for player in desk.snapshot().players} else "room"


def shown_here(desk: Desk) -> Snapshot:
    """What this phone may know now: should another game have begun since it was asked who it is, what the room may."""
    shown = desk.snapshot(observer(desk))
    return shown if shown.observer == "room" or shown.key == phone().key else desk.snapshot()


def hinted(desk: Desk) -> Seat | None:
    """The seat that this phone may be given a hint for: its own, or for the host the one on turn if all lies open; only
    if the players allowed hints, and not in a pause."""
    shown = shown_here(desk)
    turn = shown.seen.turn if shown.seen else None
    if not shown.hints or shown.paused or not isinstance(turn, ToMove):
        return None
    if isinstance(shown.observer, int):
        return shown.observer if shown.observer in turn.seats else None
    own = desk.snapshot(turn.seats[0]).seen
    opened = shown.seen is not None and own is not None and own.known == shown.seen.known
    return turn.seats[0] if phone().is_host and opened and len(turn.seats) == 1 else None


def why_no_hint(desk: Desk) -> str:
    """The id of the words that say why `hinted` names no seat."""
    shown = shown_here(desk)
    if not isinstance(shown.seen.turn if shown.seen else None, ToMove):
        return "web.hint.no_turn"
    if shown.hints and shown.paused:
        return "session.paused"
    return "web.hint.not_yours" if shown.hints else "web.hint.not_allowed"


def _welcome() -> None:
    """The first phone is the host, and so is the one that the host's role was handed on to."""
    host = house().seating.host
    if request.endpoint in QUIET or request.blueprint == "json":
        return
    if host.is_host(request.cookies.get(HOST_COOKIE, ""), request_address()):
        return
    token = host.inherit(seat_token(), request_address()) or host.be_first(request_address())
    if token is not None:
        g.setdefault("is_new_host", True)
        keep_token(HOST_COOKIE, token)
