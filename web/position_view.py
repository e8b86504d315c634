"""A position touched up by hand, as plain values for the templates: what was moved, what may be touched next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from companion.engine import Json
from companion.errors import phrase
from companion.session.by_hand.moving import PiecePut, all_moved, may_hold, off_table, read_move, write_move
from companion.session.snapshot import PositionShown
from companion.table import Layout, Placement, spot_phrase
from web.draw import LIT, QUIET, TOUCHED, TouchMark
from web.view_model import PageView, SeatShown

NOTHING: Final = PiecePut("")


@dataclass(frozen=True, slots=True)
class Touchable:
    """Something to touch in words, and the address that follows."""

    text: str
    href: str


class PositionView:
    """What the page shows of a position: `shown` is what comes of `stands` with these moves made; `held` is a piece
    that was touched and is about to be moved."""

    def __init__(self, page: PageView, shown: PositionShown, layout: Layout, asked: PositionAsked) -> None:
        self._page, self.shown, self._layout, self._asked = page, shown, layout, asked
        self.stands = asked.stands(layout, shown.now)

    @property
    def is_changed(self) -> bool:
        """Whether something was said of the position."""
        return bool(self._asked.moves) or self._asked.seat >= 0

    @property
    def is_held(self) -> bool:
        """Whether a piece was touched."""
        return bool(self._asked.held.piece)

    @property
    def held(self) -> str:
        """The piece that was touched, in words."""
        return self._piece(self._asked.held)

    @property
    def board(self) -> Markup:
        """The board as it would stand, with all that can be touched on it."""
        return self._page.touchable(tuple(self.marks), self.stands)

    @property
    def marks(self) -> Iterator[TouchMark]:
        """What can be touched: the pieces; once one was, where it may go."""
        held = self._asked.held
        if not self.is_held:
            for spot, pieces in self.stands.items():
                for piece in dict.fromkeys(pieces[-1:] if spot in self._places else pieces):
                    move = PiecePut(piece, before=spot)
                    yield self._mark(spot, piece, QUIET, self._piece(move), self._asked.holding(move))
            return
        if held.before:
            yield self._mark(held.before, held.piece, TOUCHED, self._page.say("web.position.let_go", what=self.held),
                             self._asked.holding(NOTHING))
        for spot in may_hold(self._layout, held.piece):
            if spot != held.before:
                said = self._page.sentence(spot_phrase(spot))
                yield self._mark(spot, "", LIT, said, self._asked.moving(PiecePut(held.piece, held.before, spot)))

    def _mark(self, spot: str, piece: str, look: str, said: str, href: str) -> TouchMark:
        on_board = "" if spot in self._places else piece
        return TouchMark(spot, on_board, look, said, href, is_held=bool(self.stands.get(spot)))

    @property
    def _places(self) -> set[str]:
        return {place.spot for place in self._layout.places}

    def _piece(self, move: PiecePut) -> str:
        name = phrase("web.name", what=move.piece)
        if not move.before:
            return self._page.sentence(name)
        return self._page.sentence(phrase("entry.piece", piece=move.piece, spot=spot_phrase(move.before)))

    @property
    def away(self) -> str:
        """The address after the piece that was touched was taken off the table; empty for one that is off it."""
        held = self._asked.held
        return self._asked.moving(PiecePut(held.piece, held.before)) if held.before else ""

    @property
    def let_go(self) -> str:
        """The address after no piece is touched any more."""
        return self._asked.holding(NOTHING)

    @property
    def off_table(self) -> list[Touchable]:
        """The pieces that stand nowhere, to be put somewhere."""
        return [Touchable(self._piece(PiecePut(piece)), self._asked.holding(PiecePut(piece)))
                for piece in off_table(self.shown.pieces, self.stands)]

    @property
    def moves(self) -> list[Touchable]:
        """What was moved, in words, each with the address without it."""
        return [Touchable(self._page.sentence(move.said()), self._asked.without(n))
                for n, move in enumerate(self._asked.moves)]

    @property
    def seats(self) -> list[tuple[SeatShown, str, bool]]:
        """Who may be to move: the address that says so, and whether it is said."""
        ordered = sorted(self._page.seats, key=lambda seat: seat.seat)
        return [(seat, self._asked.seated(seat.seat), seat.seat == self.shown.seat) for seat in ordered]

    @property
    def scores(self) -> str:
        """The scores that it comes to, in words; empty where they are not told."""
        page = self._page
        told = zip(page.shown.players, self.shown.scores)
        return ", ".join(f"{player.name} {page.points(score)}" for player, score in told)

    @property
    def why_not(self) -> str:
        """Why the game cannot go on from there, or empty."""
        return self._page.sentence(self.shown.why_not) if self.shown.why_not else ""

    @property
    def command(self) -> Mapping[str, Json]:
        """The command with which the game goes on from there."""
        stands = {spot: list(pieces) for spot, pieces in self.stands.items()}
        return {"type": "go_on_from", "seq": self.shown.seq, "stands": stands, "seat": self.shown.seat}


@dataclass(frozen=True, slots=True)
class PositionAsked:
    """What an address asks: the moves made, a piece that is touched, and who is to move (-1: not said)."""

    seq: int
    moves: tuple[PiecePut, ...] = ()
    held: PiecePut = NOTHING
    seat: int = -1

    @classmethod
    def of(cls, seq: int, moves: Sequence[str], held: str, seat: int | None) -> PositionAsked:
        """From the parts of an address; what is none of ours is left out."""
        read = (read_move(each) for each in moves)
        piece, _, spot = held.partition("@")
        return cls(seq, tuple(move for move in read if move), PiecePut(piece, spot), -1 if seat is None else seat)

    def stands(self, layout: Layout, now: Placement) -> Placement:
        """What stands where after all moves."""
        return all_moved(layout, now, self.moves)

    def holding(self, held: PiecePut) -> str:
        """The address once this piece is touched."""
        return self._href(self.moves, held, self.seat)

    def moving(self, move: PiecePut) -> str:
        """The address once this was moved, too."""
        return self._href((*self.moves, move), NOTHING, self.seat)

    def without(self, n: int) -> str:
        """The address without move `n`, from 0."""
        return self._href((*self.moves[:n], *self.moves[n + 1:]), NOTHING, self.seat)

    def leading_to(self, moves: Sequence[PiecePut]) -> str:
        """The address with these moves instead of its own."""
        return self._href(moves, NOTHING, self.seat)

    def seated(self, seat: int) -> str:
        """The address once this seat is to move."""
        return self._href(self.moves, NOTHING, seat)

    def _href(self, moves: Sequence[PiecePut], held: PiecePut, seat: int) -> str:
        asked = [("seq", str(self.seq)), *(("m", write_move(each)) for each in moves)]
        asked += [("held", f"{held.piece}@{held.before}")] if held.piece else []
        asked += [("seat", str(seat))] if seat >= 0 else []
        return f"/position?{urlencode(asked)}"
