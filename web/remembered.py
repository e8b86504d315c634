"""What the form of a new game proposes: what the config says, else who played last, with which colours and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from string import ascii_uppercase
from typing import Any, Final

from companion.engine import AnyGame
from companion.errors import CompanionError
from companion.session.past import PastGame
from web.ports import PastPort

LOOKED_BACK: Final = 30
"""So many games are remembered, and who played them."""


def last_games(past: PastPort | None) -> tuple[PastGame, ...]:
    """The games that are remembered, the newest first; none where the journal cannot be read. Those whose players were
    forgotten are left out."""
    if past is not None:
        with suppress(CompanionError):
            return tuple(game for game in past.listed(None, LOOKED_BACK) if not _is_nameless(game))
    return ()


def _is_nameless(game: PastGame) -> bool:
    return game.players == tuple(ascii_uppercase[:len(game.players)])


def proposed(game: AnyGame, configured: Mapping[str, Any], last: Sequence[PastGame]) -> Mapping[str, Any]:
    """The header that the form of a game begins with. `configured` is what the config says of its own game: it wins."""
    same = next((each for each in last if each.game == game.id), None)
    latest = same or next(iter(last), None)
    found: dict[str, Any] = {}
    if latest is not None:
        found["players"] = [{"name": name} for name in latest.players]
    if same is not None:
        found |= {"options": same.header.get("options", {}), "setup": _of_seats(game, same)}
    return {**found, **(configured if configured.get("game", game.id) == game.id else {}), "game": game.id}


def known_names(last: Sequence[PastGame]) -> tuple[str, ...]:
    """Everybody who played, who played last first."""
    return tuple(dict.fromkeys(name for game in last for name in game.players))


def _of_seats(game: AnyGame, last: PastGame) -> dict[str, Any]:
    """What of a set-up everybody saw and is a name for each seat, such as its colour: all else is dealt anew."""
    number, found = len(last.players), {}
    with suppress(CompanionError, LookupError):
        options = game.read_options(last.header["options"], number)
        found = game.open_setup(game.read_setup(last.header["setup"], options, number), options, "room")
    lists = {key: list(value) for key, value in found.items() if isinstance(value, (list, tuple))}
    return {key: value for key, value in lists.items()
            if len(value) == number and all(isinstance(each, str) for each in value)}
