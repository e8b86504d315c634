"""The first line of a record: which game, who plays, how it is set up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.engine import form, lines
from companion.engine.game import AnyGame
from companion.engine.record.times import read_time
from companion.engine.values import Json
from companion.errors import InvalidError, phrase
from companion.table import COLOURS

GameLookup = Callable[[str, tuple[str, ...]], AnyGame]
"""Finds a game by its id, for a piece set of these colours; `companion.games.registry.game` is one."""

RECORD_FORMAT: Final = "tabletop-record"
RECORD_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game as a header opens it. `header` is the first line in its exported spelling, `state` the start."""

    game: AnyGame
    header: Mapping[str, Json]
    options: Mapping[str, Json]
    setup: Json
    players: int
    state: Any


def read_header(given: Json, lookup: GameLookup) -> OpenedGame:
    """Opens a game from the first line of a record; raises `InvalidError` or `IllegalError`."""
    needed = ("format", "version", "game", "players", "setup", "started")
    found = form.fields(given, "header", needed, ("options", "colours"))
    form.one_of(found["format"], "format", (RECORD_FORMAT,))
    form.whole(found["version"], "version", RECORD_VERSION, RECORD_VERSION)
    colours = _colours(found["colours"]) if "colours" in found else COLOURS
    game = lookup(form.text(found["game"], "game"), colours)
    names = [_name(each, f"players[{seat}]") for seat, each in enumerate(form.items(found["players"], "players"))]
    if len(names) not in game.seats:
        raise InvalidError(phrase("record.players", game=game.id, given=len(names), seats=game.seats))
    options = game.read_options(lines.without_notes(form.mapping(found.get("options", {}), "options")), len(names))
    setup = game.read_setup(lines.without_notes(found["setup"]), options, len(names))
    header = write_header(
        game, names, options, setup, read_time(found["started"], "started"), colours if "colours" in found else None
    )
    state = game.start(setup, options, len(names))
    return OpenedGame(game, lines.with_notes(header, given), options, setup, len(names), state)


def write_header(
    game: AnyGame,
    names: Iterable[str],
    options: Mapping[str, Json],
    setup: Json,
    started: str,
    colours: Iterable[str] | None = None,
) -> dict[str, Json]:
    """The first line of a record. `started` is an RFC 3339 time, `colours` those of a piece set of the players' own."""
    header = {
        "format": RECORD_FORMAT, "version": RECORD_VERSION, "game": game.id, "options": dict(options),
        "players": [{"name": name} for name in names], "setup": setup, "started": started,
    }  # fmt: skip
    return header if colours is None else header | {"colours": list(colours)}


def _name(given: Json, where: str) -> str:
    return form.text(form.fields(given, where, ("name",))["name"], f"{where}.name")


def _colours(given: Json) -> tuple[str, ...]:
    """The piece set's six colours."""
    found = [form.text(each, f"colours[{i}]") for i, each in enumerate(form.items(given, "colours", len(COLOURS)))]
    for index, each in enumerate(found):
        if not each or "/" in each:
            form.wrong(phrase("json.colour_name"), each, f"colours[{index}]")
    return tuple(form.distinct(found, "colours"))
