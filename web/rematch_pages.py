"""Again, with the seats turned: one touch on the page of a game that has ended."""

from __future__ import annotations

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from companion.engine import Recognising
from companion.errors import InvalidError, phrase
from companion.session.commands import LayOut, StartGame
from companion.session.port import Refused
from companion.table import COLOURS
from companion.table.spot_words import SEAT_LETTERS
from web.given import led_on
from web.house import house
from web.rematch import again_turned
from web.start_pages import player_name
from web.seats import must_be_host
from web.view_model import PageView

blueprint = Blueprint("rematch", __name__)


@blueprint.post("/rematch")
def play_again() -> ResponseReturnValue:
    """Begins the game that has ended anew; where the eyes can read its set-up, the table is read."""
    must_be_host()
    here, shown = house(), house().desk.snapshot()
    if not PageView(shown, here.words).ended:
        raise InvalidError(phrase("web.rematch.not_over"))
    match = here.past.opened(shown.match).match if here.past else None
    game = here.games.get(shown.game)
    if match is None or game is None:
        abort(404)
    seen = isinstance(game, Recognising) and shown.eyes.state != "none"
    header = again_turned(game, match.opened.header, here.desk.colours or COLOURS, here.rng, seen=seen,
                          nameless=[player_name(seat) for seat in range(len(SEAT_LETTERS))])
    answer = here.desk.send((LayOut if seen else StartGame)(shown.seq, "host", header))
    if isinstance(answer, Refused):
        raise InvalidError(answer.phrase)
    return led_on("pages.show_table")
