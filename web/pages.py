"""The pages: the table, a new game, putting a reading right, the eyes, the panel."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import AnyGame, Observer, Seat, ToMove
from companion.errors import CompanionError, Phrase, phrase
from companion.session.commands import LayOut, StartGame
from companion.session.port import Desk, Refused
from companion.session.snapshot import CorrectionShown
from companion.table import COLOURS
from companion.words import Words
from web.commands import phone_seat
from web.draw import paint_of, piece_moves, seat_colour
from web.fragments import Renderer
from web.hand import tellings
from web.start import StartForm, header, start_form
from web.view_model import SEAT_LETTERS, PictureChoice, PageView

MAX_LIKELY = 3
"""How many other plies are shown as pictures; the rest stand below as words, by piece."""


MAX_HELD = 30
"""Nobody holds more."""


class PanelPort(Protocol):
    """The buttons and lamps of the table, as far as /panel needs them."""

    def state(self) -> dict[str, Any]:
        """A JSON object: what is lit, pressed and sounding."""

    def press(self, name: str, long: bool = False) -> None:
        """Press a button as a finger would; raises `CompanionError`."""


class OfferedExample(Protocol):
    """An example: a picture set that can be played."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def game(self) -> str:
        """The id of its game."""


class ExamplesPort(Protocol):
    """What can be played instead of the real table, as far as the start page needs it."""

    @property
    def offers(self) -> Sequence[OfferedExample]:
        """All examples."""

    @property
    def chosen(self) -> str:
        """The example that is played; empty for the real table."""

    def choose(self, name: str) -> None:
        """Plays an example, or (empty) the real table again; raises `CompanionError`."""


class HintsPort(Protocol):
    """What thinks about hints, as far as /hint needs it."""

    def ask(self, seat: Seat) -> tuple[Phrase, Phrase] | None:
        """What this seat may consider, and why; None while that is thought about. Never waits."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """All that pages need, handed in by the app factory."""

    desk: Desk
    words: Words
    games: Mapping[str, AnyGame]
    panel: PanelPort | None
    offer: Mapping[str, Any]
    render: Renderer
    sources: ExamplesPort | None = None
    hints: HintsPort | None = None


def observer(desk: Desk) -> Observer:
    """What this phone may know: what its seat may; without a seat in this game, what the room may."""
    seat = phone_seat(None)
    return seat if seat in {player.seat for player in desk.snapshot().players} else "room"


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
    opened = shown.seen is not None and own is not None and own.told == shown.seen.told
    return turn.seats[0] if opened and len(turn.seats) == 1 else None


def blueprint(rooms: Rooms) -> Blueprint:
    """All pages that are read; only starting a game and the panel's buttons are POSTs here."""
    pages = Blueprint("pages", __name__)
    desk, words = rooms.desk, rooms.words

    @pages.get("/")
    def table() -> AnyResponse | str:
        shown = desk.snapshot(observer(desk))
        if shown.seen is None and shown.draft is None:
            return redirect(url_for("pages.start"), 303)
        view = PageView(shown, words)
        parts = rooms.render(shown, shown.observer)
        return render_template("table.html", view=view, parts=parts, seat=phone_seat(None))

    @pages.get("/start")
    def start() -> str:
        return _start_page(rooms)

    @pages.post("/start")
    def begin() -> AnyResponse | str:
        form = _form(rooms)
        if form is None:
            abort(404)
        wanted = request.form.get("go")
        if wanted is None:
            return _start_page(rooms)
        try:
            seq = desk.snapshot().seq
            answer = desk.send(LayOut(seq, "arbiter", header(form, seen=True)) if wanted == "seen"
                               else StartGame(seq, "arbiter", header(form)))
        except CompanionError as error:
            return _start_page(rooms, words.say(error.phrase))
        if isinstance(answer, Refused):
            return _start_page(rooms, words.say(answer.phrase))
        return redirect(url_for("pages.table"), 303)

    @pages.post("/example")
    def example() -> AnyResponse | str:
        if rooms.sources is None:
            abort(404)
        try:
            rooms.sources.choose(request.form.get("name", ""))
        except CompanionError as error:
            return _start_page(rooms, words.say(error.phrase))
        return redirect(url_for("pages.table"), 303)

    @pages.get("/close-up/<name>.jpg")
    def close_up(name: str) -> AnyResponse:
        jpeg = desk.close_up(name)
        if jpeg is None:
            abort(404)
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @pages.get("/correct")
    def correct() -> AnyResponse | str:
        shown = desk.snapshot(observer(desk))
        if not shown.last:
            flash(words.say(phrase("web.nothing_to_correct")))
            return redirect(url_for("pages.table"), 303)
        view = PageView(shown, words)
        likely, others = sort_offers(view, desk.corrections(shown.observer))
        return render_template("correct.html", view=view, likely=likely, others=others, by=phone_seat("arbiter"))

    @pages.get("/hint")
    def hint() -> AnyResponse | str:
        seat = hinted(desk)
        if rooms.hints is None or seat is None:
            return redirect(url_for("pages.table"), 303)
        told = rooms.hints.ask(seat)
        page = Response(render_template("hint.html", view=PageView(desk.snapshot(seat), words), told=told))
        if told is None:
            page.headers["Refresh"] = "1"
        return page

    @pages.get("/hand")
    def hand() -> AnyResponse | str:
        seat = observer(desk)
        held = desk.hand(seat) if isinstance(seat, int) else None
        if held is None:
            flash(words.say(phrase("session.nothing_to_confide")))
            return redirect(url_for("pages.table"), 303)
        chosen = {key: request.args.getlist(key)[:MAX_HELD] for key in request.args}
        return render_template("hand.html", view=PageView(desk.snapshot(seat), words), hand=held, seat=seat,
                               tellings=tellings(held.may_tell, chosen, words))

    @pages.get("/eyes")
    def eyes() -> str:
        return render_template("eyes.html", view=PageView(desk.snapshot(), words), preview=desk.preview() is not None)

    @pages.get("/eyes.jpg")
    def picture() -> AnyResponse:
        jpeg = desk.preview()
        if jpeg is None:
            abort(404)
        answer = Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
        answer.add_etag()
        return answer.make_conditional(request)

    @pages.get("/eyes.json")
    def eyes_state() -> Response:
        view, jpeg = PageView(desk.snapshot(), words), desk.preview()
        return jsonify({"state": view.shown.eyes.state, "words": view.eyes, "picture": jpeg is not None,
                        "stamp": f"{zlib.crc32(jpeg or b''):08x}"})

    @pages.get("/panel")
    def panel() -> str:
        state = rooms.panel.state() if rooms.panel else None
        return render_template("panel.html", view=PageView(desk.snapshot(), words), state=state)

    @pages.get("/panel.json")
    def panel_state() -> Response:
        return jsonify(rooms.panel.state() if rooms.panel else {})

    @pages.post("/panel")
    def press() -> AnyResponse:
        if rooms.panel is None:
            abort(404)
        rooms.panel.press(request.form.get("button", ""), request.form.get("long") == "1")
        return redirect(url_for("pages.panel"), 303)

    return pages


def _form(rooms: Rooms) -> StartForm | None:
    given = {**request.args.to_dict(), **request.form.to_dict()}
    wanted = given.get("game") or str(rooms.offer.get("game", ""))
    game = rooms.games.get(wanted) or next(iter(rooms.games.values()), None)
    if game is None:
        return None
    return start_form(game, given, rooms.offer, rooms.desk.colours or COLOURS,
                     lambda seat: rooms.words.say(phrase("web.player", letter=SEAT_LETTERS[seat % len(SEAT_LETTERS)])))


def _start_page(rooms: Rooms, error: str = "") -> str:
    form, sources = _form(rooms), rooms.sources
    game = rooms.games.get(form.game) if form else None
    return render_template(
        "start.html", view=PageView(rooms.desk.snapshot(), rooms.words), form=form, error=error,
        games=tuple(rooms.games),
        colours=rooms.desk.colours or COLOURS, paint=paint_of, letters=SEAT_LETTERS, seat_paint=seat_colour,
        examples=sources.offers if sources else (), chosen=sources.chosen if sources else "",
        can_see=hasattr(game, "setup_seen"))


Offer = tuple[CorrectionShown, str]


def sort_offers(view: PageView, offers: tuple[CorrectionShown, ...]
                ) -> tuple[list[tuple[CorrectionShown, PictureChoice]], dict[str, list[Offer]]]:
    """Other plies than the last: the likely ones as pictures, and the rest in words, by the piece that they move.

    Likely is what shares most of its spots with what was read: another piece at the same place, the same piece beside.
    """
    before, now = view.shown.before or {}, view.shown.seen.placement if view.shown.seen else {}
    read = piece_moves(before, now)

    def likeness(offer: CorrectionShown) -> float:
        said = piece_moves(before, offer.placement)
        same = sum(a.after == b.after for a in read for b in said) + sum(a.appearance == b.appearance
                                                                         for a in read for b in said)
        return same / (len(read) + len(said) or 1)

    ranked = sorted(offers, key=likeness, reverse=True)
    likely = [(offer, view.correction(offer)) for offer in ranked[:MAX_LIKELY]]
    others: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer not in ranked[:MAX_LIKELY]:
            others.setdefault(_piece(view, offer), []).append((offer, view.plies(offer.phrases)))
    return likely, others


def _piece(view: PageView, offer: CorrectionShown) -> str:
    """The piece that an offer moves, as a heading."""
    moved = piece_moves(view.shown.before or {}, offer.placement)
    return view.name(moved[0].appearance) if moved else view.say("web.correct.other")
