"""Which games there are. A game is imported when it is first asked for.

Games of other packages stand in the entry-point group `companion.games`, under their id (`packages.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from random import Random

from companion.engine import AnyGame
from companion.engine.form import brief
from companion.errors import InvalidError, PackageError, Phrase, phrase
from companion.games.packages import Packages, installed
from companion.table import COLOURS, PieceKind

_GAMES = {
    "kamikaze-cans": "companion.games.kamikaze_cans",
    "crate-wars": "companion.games.crate_wars",
    "yuzu-twist": "companion.games.yuzu_twist",
    "pick-and-pack": "companion.games.pick_and_pack",
    "war-chest": "companion.games.war_chest",
}
"""Id → package whose `GAME` it is: one line a game."""


def ids() -> tuple[str, ...]:
    """The ids of all games that can be played, the project's own first."""
    return (*_GAMES, *_others().games)


def broken_packages() -> tuple[Phrase, ...]:
    """What is wrong with the packages whose games are left out, a sentence each."""
    return tuple(why for _, why in _others().broken)


def _others() -> Packages:
    return installed(frozenset(_GAMES))


def game(id: str, colours: Collection[str] = COLOURS) -> AnyGame:
    """The game of that id, played with a piece set of these colours; raises `InvalidError` when there is none."""
    return _load(id).with_colours(tuple(colours))


def kinds(id: str) -> tuple[PieceKind, ...]:
    """The kinds of pieces of a game, which are the same however it is set up; raises `InvalidError`."""
    found = _load(id)
    players = min(found.seats)
    options = found.read_options({}, players)
    setup = found.read_setup(found.deal(players, options, Random(0)), options, players)
    return found.layout(setup).kinds


def _load(id: str) -> AnyGame:
    if id in _GAMES:
        built_in: AnyGame = import_module(_GAMES[id]).GAME
        return built_in
    if id in (others := _others().games):
        return others[id]
    for broken, why in _others().broken:
        if broken == id:
            raise PackageError(why)
    known = tuple(phrase("json.literal", given=each) for each in ids())
    raise InvalidError(phrase("game.unknown", given=brief(id), known=known))
