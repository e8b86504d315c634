"""A game that is followed from its beginning, where no record says how it was opened."""

from __future__ import annotations

from random import Random

from companion.engine.record import RECORD_FORMAT, RECORD_VERSION, OpenedGame, read_header
from companion.games import registry
from companion.table import COLOURS


def opened_from_start(id: str) -> OpenedGame:
    """The game of that id with as few players as it can have, plain options and a set-up dealt anew, which is always
    the same where the game has but one. Raises `InvalidError`."""
    game = registry.game(id, COLOURS)
    players = min(game.seats)
    options = game.read_options({}, players)
    names = [{"name": chr(ord("A") + seat)} for seat in range(players)]
    setup = game.deal(players, options, Random(0))
    header = {"format": RECORD_FORMAT, "version": RECORD_VERSION, "game": id, "players": names, "setup": setup,
              "started": "2000-01-01T00:00:00Z"}
    return read_header(header, registry.game)
