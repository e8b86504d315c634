"""The corners of a board without tag cards: touched on the camera's picture, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.engine import AnyGame
from companion.errors import CompanionError, InvalidError, phrase
from companion.session.config import MAX_CORNERS
from companion.table import Layout
from companion.table.board_corners import NAMED_PX, corner_names, is_board_alone, read_corners
from web.given import fields_given, is_program, led_on, sorry
from web.house import House, house
from web.ports import OwnTablePort
from web.setup_pages import own_of_host
from web.view_model import PageView

USUAL_SIZE: Final = (1280, 720)
"""Of a picture, while none has come."""
WATCHING: Final = ("camera", "video")
"""The kinds of sources in whose pictures corners can be touched."""

blueprint = Blueprint("corners", __name__)


@dataclass(frozen=True, slots=True)
class CornerShown:
    """A corner: the place next to it, and where it is in the picture; empty texts while nobody has said it."""

    name: str
    x: str
    y: str


@blueprint.get("/setup/corners")
def show_corners() -> str:
    """A game of the address, or the one that is played, and the corners of its board."""
    return _page(request.args)


@blueprint.post("/setup/corners")
def keep_corners() -> ResponseReturnValue:
    """The board of this game has these corners from now on, or is not watched by them."""
    own, given = own_of_host(), fields_given()
    game = given.get("game", "")
    try:
        layout = board_games(house()).get(game)
        if layout is None:
            raise InvalidError(phrase("board.no_game"))
        own.watch_board(game, None if given.get("go") == "none" else _told(given, layout, own))
    except CompanionError as error:
        said = house().say(error.phrase)
        return sorry(said, 400, "" if is_program() else _page(given, said))
    if is_program():
        return led_on("corners.show_corners")
    return redirect(url_for("corners.show_corners", game=game, kept=1), 303)


def board_games(here: House) -> dict[str, Layout]:
    """The layouts of the games of which all is on one board, by their ids."""
    found = {}
    for id, game in here.games.items():
        try:
            layout = _layout(game)
        except CompanionError:  # it says so when it is begun
            continue
        if is_board_alone(layout):
            found[id] = layout
    return found


def _layout(game: AnyGame) -> Layout:
    seats = min(game.seats)
    return game.layout(game.deal(seats, game.read_options({}, seats), Random(0)))


def _page(given: Mapping[str, str], error: str = "") -> str:
    own, here = own_of_host(), house()
    shown, layouts, seen = here.desk.snapshot(), board_games(here), own.survey()
    wanted = given.get("game") or shown.game
    game = wanted if wanted in layouts else next(iter(layouts), "")
    config = own.config.source
    kept = config.corners or own.boards.get(game, "")
    at = {name: (x, y) for name, x, y in NAMED_PX.findall(kept)}
    names = corner_names(layouts[game]) if game else ()
    corners = [CornerShown(name, *(given.get(f"{axis}{n}", at.get(name, ("", ""))[axis == "y"])[:12] for axis in "xy"))
               for n, name in enumerate(names, 1)]
    return render_template(
        "setup_corners.html", view=PageView(shown, here.words), error=error, own=own, games=tuple(layouts), game=game,
        corners=corners, is_kept=bool(kept), was_kept="kept" in given and not error, can_watch=config.kind in WATCHING,
        size=(seen.width, seen.height) if seen else USUAL_SIZE, picture=here.desk.preview() is not None,
        is_fixed=own.is_fixed("source.corners") or own.is_fixed("source.boards"))


def _told(given: Mapping[str, str], layout: Layout, own: OwnTablePort) -> str:
    """The corners as they are kept. Raises `InvalidError` for what no camera sees."""
    said = " ".join(f"{name}={given.get(f'x{n}', '').strip()},{given.get(f'y{n}', '').strip()}"
                    for n, name in enumerate(corner_names(layout), 1))
    said = given.get("corners", said)
    if len(said) > MAX_CORNERS:
        raise InvalidError(phrase("board.untouched", known=corner_names(layout)))
    if "corners" not in given and len(NAMED_PX.findall(said)) < len(corner_names(layout)):
        raise InvalidError(phrase("board.untouched", known=corner_names(layout)))
    ends, seen = read_corners(said, layout).in_px, own.survey()
    if seen is not None and not all(0 <= x <= seen.width and 0 <= y <= seen.height for x, y in ends):
        raise InvalidError(phrase("board.outside", width=seen.width, height=seen.height))
    return said
