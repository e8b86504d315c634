"""The app factory: `create_app(desk=…, words=…)` gives a Flask app with all pages."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random, SystemRandom
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import BadRequest, HTTPException, default_exceptions

from companion.engine import AnyGame
from companion.errors import CompanionError, Phrase
from companion.session.port import Desk
from companion.words import Words
from web import (
    backup_pages,
    club_pages,
    commands,
    corner_pages,
    lens_pages,
    enrol_pages,
    eyes_pages,
    host_pages,
    invite_pages,
    json_pages,
    machine_pages,
    metrics,
    pages,
    panel_pages,
    past_pages,
    play_pages,
    position_pages,
    prepare_pages,
    setup_again_pages,
    rematch_pages,
    score_pages,
    saw_pages,
    seat_pages,
    setup_pages,
    start_pages,
    stream,
    zone_pages,
)
from web.draw import seat_icon, symbols
from web.fragments import Renderer
from web.guard import guard
from web.house import House, house
from web.json_view import table_renderer
from web.notices_view import notices_head
from web.limits import CommandLimits, Limits
from web.ports import (
    BackupsPort, ClubPort, EnrolPort, EvidencePort, ExamplesPort, HintsPort, MachinePort, OwnTablePort, PanelPort,
    PastPort)
from web.seats import NotYoursError, add_phones
from web.sitting.seating import Seating
from web.streams import Streams
from web.view_model import PageView

DEFAULT_LIMITS = Limits()
UNFORESEEN = SystemRandom()
"""What deals: nobody can work out what it dealt."""
BEAT_S = 10.0
"""A stream says that it lives this often."""
ROOMS = (
    pages, play_pages, score_pages, past_pages, start_pages, eyes_pages, panel_pages, commands, stream, invite_pages,
    seat_pages, host_pages, json_pages, metrics, rematch_pages, backup_pages, saw_pages, setup_pages, enrol_pages,
    setup_again_pages, club_pages, machine_pages, zone_pages,
    corner_pages, lens_pages, prepare_pages, position_pages)
"""The modules with views; each has a `blueprint`."""


def create_app(
    *, desk: Desk, words: Words, games: Mapping[str, AnyGame], panel: PanelPort | None = None,
    offer: Mapping[str, Any] | None = None, examples: ExamplesPort | None = None, hints: HintsPort | None = None,
    limits: Limits = DEFAULT_LIMITS, beat_s: float = BEAT_S, hosts: Collection[str] = (),
    left_out: Sequence[Phrase] = (), fingerprint: str = "", rng: Random = UNFORESEEN, seating: Seating | None = None,
    past: PastPort | None = None, backups: BackupsPort | None = None, own: OwnTablePort | None = None,
    enrolments: EnrolPort | None = None, evidence: EvidencePort | None = None, club: ClubPort | None = None,
    machine: MachinePort | None = None, pins_answer: Callable[[], bool] = lambda: True,
) -> Flask:
    """All pages over one desk.

    `games` can be started from a phone, by id; `offer` is the record header that the start page proposes (its keys
    `game`, `players`, `setup` are used). `panel` shows and presses the table's buttons and lamps, `examples` are
    picture sets that can be played, `hints` thinks about what to play. Serve it with `web.server`: the live stream
    needs its door, and `fingerprint` is that of its certificate. `hosts` are names the pages may be called by
    beside those of a home network, `left_out` says which games cannot be played and why, `rng` deals set-ups.
    `seating` keeps who sits where; without it nobody knows after a restart. `past` gives the games that were played,
    `backups` keeps all of it in one file, `own` says how the companion's own table is set up; without it nobody can
    change that. `enrolments` enrols pieces, `club` finds other companions, `machine` examines and updates the machine;
    `pins_answer` says whether buttons are still heard.
    """
    app = Flask("web")
    app.secret_key = secrets.token_bytes(32)  # signs one message from a page to the next; a restart may drop it
    app.config.update(SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_NAME="message")
    app.jinja_env.undefined = StrictUndefined  # what a view forgot to give is a fault, not nothing
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    seating = seating or Seating()
    render = Renderer(app, words, seating)
    app.jinja_env.globals |= {"symbols": symbols(), "seat_icon": seat_icon, "notices_head": notices_head}
    House(
        desk=desk, words=words, games=games, offer=offer or {}, render=render, limits=limits, seating=seating,
        streams=Streams(
            desk, render, beat_s, limits.streams, limits.streams_each, plain=table_renderer(words, seating)),
        commands=CommandLimits(limits), rng=rng, panel=panel, examples=examples, hints=hints, left_out=left_out,
        fingerprint=fingerprint, past=past, backups=backups, own=own, enrolments=enrolments,
        evidence=evidence, club=club, machine=machine, pins_answer=pins_answer,
    ).add_to(app)
    guard(app, hosts)
    add_phones(app)
    for room in ROOMS:
        app.register_blueprint(room.blueprint)
    app.add_url_rule("/health", view_func=health)
    app.register_error_handler(CompanionError, refused)
    app.register_error_handler(NotYoursError, forbidden)
    app.register_error_handler(HTTPException, failed)
    return app


def health() -> Response:
    """For monitors: whether eyes, journal and pins are well, each for itself, and how many phones watch."""
    streams, shown, pins = house().streams, house().desk.snapshot(), house().pins_answer()
    journal = not shown.trouble
    return jsonify({
        "ok": journal and pins and shown.eyes.state != "gone", "eyes": shown.eyes.state, "journal": journal,
        "pins": pins, "streams": len(streams), "most": streams.most})


def refused(error: CompanionError) -> tuple[Response | str, int]:
    """Error handler: the sentence of a refused request, with status 400."""
    return _sorry(house().say(error.phrase), 400)


def forbidden(error: NotYoursError) -> tuple[Response | str, int]:
    """Error handler: what this phone may not do, with status 403."""
    return _sorry(house().say(error.phrase), 403)


def failed(error: HTTPException) -> tuple[Response | str, int]:
    """Error handler: a sentence for an HTTP error such as 404."""
    known = f"web.http.{error.code}"
    return _sorry(house().say(known if known in house().words else "web.http"), error.code or 500)


def refused_at_the_door(app: Flask, status: int, accept: str) -> tuple[bytes, str]:
    """What a phone is told whose request was refused before any page heard of it, as it likes it, and of which kind."""
    with app.test_request_context("/", headers={"Accept": accept}):
        answer = app.make_response(failed(default_exceptions.get(status, BadRequest)()))
        return answer.get_data(), answer.content_type


def _sorry(text: str, status: int) -> tuple[Response | str, int]:
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        view = PageView(house().desk.snapshot(), house().words)
        return render_template("sorry.html", view=view, text=text), status
    return jsonify({"ok": False, "error": text}), status
