"""Where each game lies on the own table: shown over a picture of it from above, and moved there with a finger."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from random import Random
from typing import Final

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine import AnyGame, lines
from companion.errors import CompanionError, InvalidError, PackageError, phrase
from companion.session.kept_zones import read_laid, table_key
from companion.session.survey import TableFromAbove
from companion.table import Layout
from companion.table.laid import Laid, as_drawn
from web.given import fields_given, is_program, led_on, sorry
from web.house import house
from web.numbers import whole_of
from web.setup_pages import own_of_host
from web.view_model import PageView
from web.zone_view import ZonesView

MAX_LAID: Final = 20_000
"""Characters that say where everything lies."""

blueprint = Blueprint("zones", __name__)


@blueprint.get("/setup/zones")
def show_zones() -> str:
    """A game of the address, or the one that is played, over the table from above."""
    return _page(request.args)


@blueprint.get("/setup/above.json")
def above_state() -> Response:
    """What the picture from above shows, in millimetres, or why there is none: asked for again and again."""
    seen = own_of_host().from_above() or TableFromAbove()
    return jsonify({"stamp": f"{zlib.crc32(seen.jpeg):08x}" if seen.jpeg else None,
                    "why": house().say(seen.why) if seen.why else "",
                    "box": [seen.left_mm, seen.back_mm, seen.wide_mm, seen.deep_mm]})


@blueprint.get("/setup/above.jpg")
def above_jpeg() -> Response:
    """The newest picture of the table from above."""
    seen = own_of_host().from_above()
    if seen is None or not seen.jpeg:
        abort(404)
    return Response(seen.jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/setup/zones")
def lay() -> ResponseReturnValue:
    """The game lies so from now on, or as it is drawn."""
    own, given = own_of_host(), fields_given()
    try:
        game, seats = _wanted(given)
        layout = _layout(game, seats)
        own.lay(table_key(game.id, seats), None if given.get("go") == "drawn" else _laid(given, layout))
    except CompanionError as error:
        said = house().say(error.phrase)
        return sorry(said, 400, "" if is_program() else _page(given, said))
    if is_program():
        return led_on("zones.show_zones")
    return redirect(url_for("zones.show_zones", game=game.id, players=seats, kept=1), 303)


def _page(given: Mapping[str, str], error: str = "") -> str:
    own, here = own_of_host(), house()
    shown = here.desk.snapshot()
    try:
        game, seats = _wanted(given)
        layout = _layout(game, seats)
    except CompanionError as failed:
        error = error or here.say(failed.phrase)
        game, seats = _wanted({})
        layout = _layout(game, seats)
    kept = own.laid.get(table_key(game.id, seats))
    return render_template(
        "setup_zones.html", view=PageView(shown, here.words), error=error, own=own, games=tuple(here.games), game=game,
        seats=seats, is_kept=kept is not None, was_kept="kept" in given and not error,
        zones=ZonesView(here.words.of(game.id), layout, kept or as_drawn(layout), own.from_above()))


def _wanted(given: Mapping[str, str]) -> tuple[AnyGame, int]:
    """The game and the number of players that are asked for, or those of the game that is played. Raises
    `InvalidError`."""
    here = house()
    shown = here.desk.snapshot()
    playing = {"game": shown.game, "players": str(len(shown.players))} if shown.game in here.games else {}
    name = given.get("game") or playing.get("game") or next(iter(here.games))
    if name not in here.games:
        raise InvalidError(phrase("zones.no_game"))
    game = here.games[name]
    usual = playing.get("players") if playing.get("game") == name else None
    few = next((n for n in game.seats if n > 1), game.seats[0])
    seats = whole_of(given.get("players") or usual or str(few))
    if seats not in game.seats:
        if "game" in given and request.method == "GET":  # another game was touched
            return game, few
        raise InvalidError(phrase("zones.no_game"))
    return game, seats


def _layout(game: AnyGame, seats: int) -> Layout:
    """The layout of the game; which set-up is dealt changes no area. Raises `PackageError`."""
    try:
        return game.layout(game.deal(seats, game.read_options({}, seats), Random(0)))
    except PackageError:
        raise
    except CompanionError as error:
        raise InvalidError(phrase("zones.no_game")) from error


def _laid(given: Mapping[str, str], layout: Layout) -> Laid:
    """Where all lies, as the picture says it, or in numbers. Raises `InvalidError`."""
    told = given.get("laid", "")
    if len(told) > MAX_LAID:
        raise InvalidError(phrase("zones.invalid"))
    if told:
        laid = read_laid(lines.parse(told))
    else:
        try:
            x, y, turn = (float(given.get(key, "")[:20]) for key in ("x", "y", "turn"))
        except ValueError as error:
            raise InvalidError(phrase("zones.invalid")) from error
        laid = read_laid({"at": [x, y], "turn": turn})
    if not {zone.spot for zone in layout.zones} >= set(laid.moved):
        raise InvalidError(phrase("zones.invalid"))
    return laid
