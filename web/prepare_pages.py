"""A set-up that the players decide before the game, such as a draft: each decision an address, entered by the host.

Only what everybody may see is entered here: a way to prepare in which something is hidden is not offered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.engine import Choose, Json, Over, Preparation, ToMove, lines
from companion.errors import InvalidError, phrase
from companion.table.spot_words import SEAT_LETTERS
from web.house import house
from web.numbers import whole_of
from web.seats import must_be_host
from web.start_pages import open_ways, player_name
from web.view_model import PageView

MOST_DECIDED: Final = 60
"""Decisions that are taken from an address; no draft has more."""
MAX_DEALT: Final = 4000
"""Characters of what was dealt for it."""
OF_PREPARING: Final = ("way", "dealt", "d", "go")
"""What of an address is none of the form of a new game."""

blueprint = Blueprint("prepare", __name__)


@dataclass(frozen=True, slots=True)
class Decided:
    """How far it is: what was decided, what may be decided next with the address of each, and the set-up that came
    out, once it is over. `facts` is what everybody knows of it."""

    asked: str
    told: tuple[str, ...]
    facts: tuple[str, ...]
    next: tuple[tuple[str, str], ...]
    back: str
    setup: Json | None


@blueprint.get("/prepare")
def show_preparing() -> AnyResponse | str:
    """What is to be decided next, after the decisions of the address."""
    must_be_host()
    game, way, players = _wanted()
    made, options = game.preparation(way), game.read_options({}, players)
    dealt = request.args.get("dealt", "")[:MAX_DEALT]
    if not dealt:
        return redirect(_address(json.dumps(made.deal(players, options, house().rng)), ()), 303)
    setup = made.read_setup(lines.parse(dealt), options, players)
    return render_template(
        "prepare.html", view=PageView(house().desk.snapshot(), house().words), way=way, game=game.id,
        decided=_after(made, made.start(setup, options, players), dealt, _names(players)),
        form=_form(), again=_address("", ()))


def _wanted() -> tuple[Any, str, int]:
    """The game, the way and the number of players of the address. Raises `InvalidError`."""
    game = house().games.get(request.args.get("game", ""))
    way, players = request.args.get("way", ""), whole_of(request.args.get("players", "")) or 0
    if game is None or way not in open_ways(game, players):
        raise InvalidError(phrase("web.prepare.none"))
    return game, way, players


def _after(made: Preparation[Any, Any], state: Any, dealt: str, names: Mapping[str, str]) -> Decided:
    words = house().words.of(made.id.partition(":")[0]).calling(names)
    told: list[str] = []
    chosen: list[int] = []
    for each in request.args.getlist("d")[:MOST_DECIDED]:
        plies = _offered(made, state)
        number = whole_of(each)
        if number is None or number >= len(plies):
            raise InvalidError(phrase("web.prepare.stale"))
        ply = plies[number]
        told.append(f"{names[f'seat.{SEAT_LETTERS[ply.player]}']} {words.say(made.say(state, ply, 'room'))}")
        state, chosen = made.apply(state, ply), [*chosen, number]
    turn = made.turn(state)
    who = [names[f"seat.{SEAT_LETTERS[seat]}"] for seat in turn.seats] if isinstance(turn, ToMove) else []
    asked = words.say(phrase("web.prepare.asked", who=tuple(who), what=turn.ask)) if isinstance(turn, ToMove) else ""
    return Decided(
        asked, tuple(told), tuple(words.sentence(each) for each in made.view(state, "room").facts),
        tuple((words.sentence(made.say(state, ply, "room")), _address(dealt, (*chosen, n)))
              for n, ply in enumerate(_offered(made, state))),
        _address(dealt, chosen[:-1]) if chosen else "", made.result(state) if isinstance(turn, Over) else None)


def _offered(made: Preparation[Any, Any], state: Any) -> list[Any]:
    """What may be decided now, in an order that stays."""
    return [ply for ply in made.legal(state) if not isinstance(ply.action, Choose)]


def _form() -> dict[str, str]:
    """The fields of the form of the new game, to be sent on with what was decided."""
    return {key: value for key, value in request.args.items() if key not in OF_PREPARING}


def _address(dealt: str, decided: Sequence[int]) -> str:
    asked = [*_form().items(), ("way", request.args.get("way", "")), *([("dealt", dealt)] if dealt else []),
             *(("d", str(each)) for each in decided)]
    return f"/prepare?{urlencode(asked)}"


def _names(players: int) -> dict[str, str]:
    """How the phrases of each seat are said."""
    return {f"seat.{SEAT_LETTERS[seat]}": request.args.get(f"name{seat}", "")[:40] or player_name(seat)
            for seat in range(players)}
