"""The games that were played: listed, opened, taken away as a record or as a table of scores."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine import lines
from companion.errors import InvalidError, phrase
from companion.session.commands import TakeUp
from companion.session.exports import is_record, record_lines
from companion.session.port import Refused
from companion.session.projection import snapshot_of
from companion.session.score_sheet import score_sheet
from companion.session.state import Match, State
from web.bg_stats import play_link
from web.draw.result_card import CardRow, result_card
from web.given import led_on
from web.house import house
from web.numbers import whole_of
from web.past_view import day_and_time, days, listed_game
from web.score_view import seat_scores
from web.seats import must_be_host
from web.view_model import PageView

LISTED = 30
"""Games on a page."""

blueprint = Blueprint("past", __name__, url_prefix="/games")


@blueprint.get("")
def show_games() -> str:
    """The games of this table, the newest first."""
    here, before = house(), whole_of(request.args.get("before", ""))
    found = here.past.listed(before, LISTED + 1) if here.past else ()
    games = [listed_game(each, here.words) for each in found[:LISTED]]
    return render_template("games.html", view=PageView(here.desk.snapshot(), here.words), days=days(games),
                           older=games[-1].number if len(found) > LISTED else 0)


@blueprint.get("/<number>")
def show_game(number: str) -> str:
    """A game as it stood last."""
    view, _, match = _opened(number)
    return render_template("game.html", view=view, number=match.number, scores=seat_scores(view),
                           told=bool(view.shown.score_parts),
                           is_record=is_record(match),
                           play_link=_play_link(view, match),
                           can_go_on=_can_go_on(match),
                           can_delete=match.number != house().desk.snapshot().match,
                           when=" ".join(day_and_time(str(match.opened.header["started"]))))


@blueprint.post("/<number>/delete")
def delete_past_game(number: str) -> ResponseReturnValue:
    """Deletes a game for ever."""
    must_be_host()
    past, n = house().past, whole_of(number)
    if past is None or n is None:
        abort(404)
    for told in past.delete(n):
        flash(house().say(told))
    return led_on("past.show_games")


@blueprint.post("/<number>/go-on")
def go_on(number: str) -> ResponseReturnValue:
    """Goes on with a game that people left; one that is open ends as it stands."""
    must_be_host()
    here, n = house(), whole_of(number)
    if here.past is None or n is None:
        abort(404)
    answer = here.desk.send(TakeUp(here.desk.snapshot().seq, "host", here.past.left(n)))
    if isinstance(answer, Refused):
        raise InvalidError(answer.phrase)
    return led_on("pages.show_table")


@blueprint.get("/<number>/record.jsonl")
def take_record(number: str) -> Response:
    """The game's record."""
    _, state, match = _opened(number)
    if not is_record(match):
        raise InvalidError(phrase("session.no_record", game=match.number))
    return _file("".join(map(lines.line, record_lines(state))), "application/jsonl", f"game-{match.number}.jsonl")


@blueprint.get("/<number>/scores.csv")
def take_scores(number: str) -> Response:
    """Everybody's score after every ply."""
    view, _, match = _opened(number)
    heads = view.say("web.games.move"), view.say("web.games.player"), view.say("web.games.what")
    return _file(score_sheet(match, view.words.say, heads), "text/csv", f"game-{match.number}.csv")


@blueprint.get("/<number>/picture.svg")
def take_picture(number: str) -> Response:
    """Who has how much, and the board, as a picture to send."""
    view, _, match = _opened(number)
    rows = [CardRow(each.seat, each.paint, each.name, view.points(each.score), bool(view.ended and each.asked))
            for each in view.seats]
    told = f"{day_and_time(str(match.opened.header['started']))[0]}. {view.ended or view.announced}"
    answer = _file(result_card(view.name(match.game.id), told, rows, view.board), "image/svg+xml",
                   f"game-{match.number}.svg")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"  # its own style alone
    return answer


def _opened(number: str) -> tuple[PageView, State, Match]:
    """A game, as the room may know it."""
    past, n = house().past, whole_of(number)
    state = past.opened(n) if past and n is not None else None
    if state is None or state.match is None:
        abort(404)
    return PageView(snapshot_of(state, "room", 0), house().words), state, state.match


def _can_go_on(match: Match) -> bool:
    """Whether it was not played to its end. The game of the table is reopened instead, until another has begun."""
    is_left = match.result is None or match.abandoned
    return is_left and bool(match.made) and match.key != house().desk.snapshot().key


def _play_link(view: PageView, match: Match) -> str:
    """The link for BG Stats; empty while the game can go on."""
    if match.result is None:
        return ""
    return play_link(match, view.name(match.game.id), [each.name for each in view.shown.players])


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
