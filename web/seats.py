"""Which seat a phone belongs to, and so what it may know."""

from __future__ import annotations

from flask import request

from companion.engine import Observer, Seat, ToMove
from companion.session.commands import By
from companion.session.port import Desk

COOKIE = "seat"


def phone_seat() -> Seat | None:
    """The seat that this phone belongs to; None for a phone of the whole table."""
    chosen = request.cookies.get(COOKIE, "")
    return int(chosen) if is_seat(chosen) else None


def is_seat(text: str) -> bool:
    """Whether a text names a seat: one digit."""
    return text.isascii() and text.isdigit() and len(text) == 1


def phone_by() -> By:
    """The `by` of this phone's commands: its seat, or the host."""
    seat = phone_seat()
    return "host" if seat is None else seat


def observer(desk: Desk) -> Observer:
    """What this phone may know: what its seat may; without a seat in this game, what the room may."""
    seat = phone_seat()
    return seat if seat is not None and seat in {player.seat for player in desk.snapshot().players} else "room"


def hinted(desk: Desk) -> Seat | None:
    """The seat that this phone may be given a hint for: its own, or the one on turn if all lies open; only if the
    players allowed hints."""
    who = observer(desk)
    shown = desk.snapshot(who)
    turn = shown.seen.turn if shown.seen else None
    if not shown.hints or not isinstance(turn, ToMove):
        return None
    if isinstance(who, int):
        return who if who in turn.seats else None
    own = desk.snapshot(turn.seats[0]).seen
    opened = shown.seen is not None and own is not None and own.known == shown.seen.known
    return turn.seats[0] if opened and len(turn.seats) == 1 else None
