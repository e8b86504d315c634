"""What each player takes before a game begins: the pieces of the seat's own areas, as plain values for the template."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from markupsafe import Markup

from companion.engine import Seat
from companion.errors import phrase
from companion.table import Appearance
from web.setup_view import icon_of
from web.view_model import PageView, SeatShown


@dataclass(frozen=True, slots=True)
class PiecesAlike:
    """So many pieces that look alike, in words, with a picture where there is one."""

    text: str
    icon: Markup


@dataclass(frozen=True, slots=True)
class SeatPieces:
    """What a player takes."""

    seat: SeatShown
    pieces: tuple[PiecesAlike, ...]


def takings(view: PageView, first: Seat | None) -> list[SeatPieces]:
    """What lies in the areas of each seat that has any, `first` before all others."""
    layout = view.shown.layout
    seats = sorted(view.seats, key=lambda each: (each.seat != first, each.seat))
    found = [SeatPieces(seat, tuple(_pieces(view, seat.seat))) for seat in seats] if layout is not None else []
    return [each for each in found if each.pieces]


def _pieces(view: PageView, seat: Seat) -> list[PiecesAlike]:
    assert view.shown.layout is not None
    spots = [zone.spot for zone in view.shown.layout.zones if zone.seat == seat]
    counted = Counter(piece for spot in spots for piece in view.placement.get(spot, ()))
    return [PiecesAlike(_name(view, piece, number), icon_of(piece)) for piece, number in counted.items()]


def _name(view: PageView, piece: Appearance, number: int) -> str:
    return view.name(piece) if number == 1 else view.sentence(phrase("web.take.several", n=number, what=piece))
