"""The page of a new game, and the examples that can be played instead."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine import AnyGame, OpenGame, Preparing, Recognising, lines
from companion.errors import CompanionError, InvalidError, PackageError, phrase
from companion.table.spot_words import SEAT_LETTERS, seat_letter
from companion.session.commands import LayOut, StartGame
from companion.session.config import MAX_SEATS
from companion.session.past import unfinished
from companion.session.port import Refused
from companion.table import COLOURS
from web.draw import paint_of, seat_colour
from web.given import fields_given, is_program, led_on, sorry
from web.house import house
from web.numbers import whole_of
from web.past_view import listed_game
from web.remembered import known_names, last_games, proposed
from web.seats import must_be_host
from web.start import BOT_LEVELS, StartForm, header, start_form
from web.view_model import PageView

MOST_LEFT = 3
"""So many games are offered that were not played to their end."""

blueprint = Blueprint("start", __name__)


@blueprint.get("/start")
def show_start() -> str:
    """The form of a new game."""
    return _start_page()


@blueprint.post("/start")
def begin_game() -> ResponseReturnValue:
    """Begins the game of the form, or shows the form with what was typed so far."""
    must_be_host()
    (form, failed), wanted = _form(house().rng), fields_given().get("go", "1" if is_program() else None)
    if form is None:
        abort(404)
    if wanted is None or failed:
        return _refused(failed)
    try:
        if wanted != "seen" and not is_program() and (given := fields_given()).get("way"):
            return redirect(f"/prepare?{urlencode({key: each for key, each in given.items() if key != 'go'})}", 303)
        if (examples := house().examples) is not None:
            examples.leave()  # a game of people is their own table's
        seq = house().desk.snapshot().seq
        answer = house().desk.send(_command(form, seq, seen=wanted == "seen"))
    except CompanionError as error:
        return _refused(house().say(error.phrase))
    if isinstance(answer, Refused):
        return _refused(house().say(answer.phrase), 409)
    return led_on("pages.show_table")


def _command(form: StartForm, seq: int, *, seen: bool) -> LayOut | StartGame:
    """With `seen` the set-up is what the table shows."""
    return LayOut(seq, "host", header(form, seen=True)) if seen else StartGame(seq, "host", header(form))


@blueprint.post("/example")
def play_example() -> ResponseReturnValue:
    """Plays an example, or the real table again."""
    must_be_host()
    examples = house().examples
    if examples is None:
        abort(404)
    try:
        examples.choose(fields_given().get("name", ""))
    except CompanionError as error:
        return _refused(house().say(error.phrase))
    return led_on("pages.show_table")


def form_of_address() -> StartForm | None:
    """The form of a new game with what the address gives; None when no game can be played."""
    return _form(Random(0))[0]


def _form(rng: Random) -> tuple[StartForm | None, str]:
    """The form as it was sent, of the game that is wanted, or of the first that does not fail (None: there is none),
    and in words what failed. `rng` deals what nobody is asked."""
    given, games, failed = {**request.args.to_dict(), **fields_given()}, house().games, ""
    configured, colours, last = house().offer, house().desk.colours or COLOURS, last_games(house().past)
    wanted = given.get("game") or str(configured.get("game") or (last[0].game if last else ""))
    for id in dict.fromkeys((wanted, *games)):
        if id in games:
            try:
                offer = proposed(games[id], configured, last)
                drafted = _drafted(given, id)
                form = start_form(games[id], given, drafted or offer, colours, player_name, rng)
                fits = drafted is None or drafted["setup"] == form.setup
                return form, failed or ("" if fits else house().say("web.prepare.stale"))
            except PackageError as error:
                failed = failed or house().say(error.phrase)
    return None, failed


def _drafted(given: Mapping[str, str], game: str) -> dict[str, Any] | None:
    """What the players decided before the game, as an offer that the form takes whole; None where nothing was."""
    told, count = given.get("drafted", ""), whole_of(given.get("players", "")) or 0
    if not told:
        return None
    with suppress(InvalidError):
        setup = lines.parse(told)
        if isinstance(setup, dict) and 0 < count <= MAX_SEATS:
            names = [given.get(f"name{seat}") or player_name(seat) for seat in range(count)]
            return {"game": game, "players": [{"name": name} for name in names], "setup": setup}
    return {"game": game, "setup": {}}  # fits no game


def open_ways(game: AnyGame, players: int) -> tuple[str, ...]:
    """The ways to prepare the game that so many players can go and that hide nothing."""
    if not isinstance(game, Preparing):
        return ()
    ways = [(way, game.preparation(way)) for way in game.ways]
    return tuple(way for way, made in ways if OpenGame in type(made).__mro__ and players in made.seats)


def player_name(seat: int) -> str:
    """What a seat is called where nobody said a name."""
    return house().words.say(phrase("web.player", letter=seat_letter(seat)))


def _asked(game: str, key: str) -> str:
    """What is asked by a key of the game's options or of its set-up."""
    return house().words.of(game).sentence(phrase("web.name", what=key))


def _refused(text: str, status: int = 400) -> ResponseReturnValue:
    """The form again, with what stands in the way."""
    return sorry(text, status, "") if is_program() else _start_page(text)


def _start_page(error: str = "") -> str:
    (form, failed), examples, desk = _form(Random(0)), house().examples, house().desk  # a game is dealt when it begins
    game = house().games.get(form.game) if form else None
    chosen, last = examples.chosen if examples else "", last_games(house().past)
    return render_template(
        "start.html", view=PageView(desk.snapshot(), house().words), form=form, error=error or failed,
        left_out=[house().say(each) for each in house().left_out],
        keeping=own.keeping if (own := house().own) else None,
        games=tuple(house().games), colours=desk.colours or COLOURS, bot_levels=BOT_LEVELS, paint=paint_of,
        letters=SEAT_LETTERS, seat_paint=seat_colour, examples=examples.offers if examples else (),
        ways=open_ways(game, len(form.players)) if game and form else (), chosen=chosen,
        can_see=not chosen and isinstance(game, Recognising),
        known=known_names(last), pin_is_set=house().seating.host.pin.is_set,
        left=[listed_game(each, house().words) for each in unfinished(last, desk.snapshot().key)[:MOST_LEFT]],
        asked=partial(_asked, form.game if form else ""))
