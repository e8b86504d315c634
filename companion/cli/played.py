"""A game as a record tells it, as far as a table shows it: what reading a set starts from and is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from companion.engine import AnyGame, Json, Ply, lines, record
from companion.engine.record import OpenedGame
from companion.errors import InvalidError, phrase
from companion.games import registry


@dataclass(frozen=True, slots=True)
class Played:
    """What was really played: the set-up, the plies as everybody saw them, the states before each and after the last.

    `shown[i]` is what state `i` shows to everybody: it is compared where states would tell more than a table does.
    """

    game: AnyGame
    options: Mapping[str, Json]
    setup: Json
    plies: tuple[Ply[Any], ...]
    states: tuple[Any, ...]
    shown: tuple[Hashable, ...]
    is_visible: tuple[bool, ...]
    """Whether each ply changes what lies on the table."""

    def types(self) -> tuple[str, ...]:
        """The type of each ply's action, as records name it."""
        return tuple(self.game.write_action(ply.action)["type"] for ply in self.plies)


def opened_by(path: Path) -> OpenedGame:
    """The game as the first line of a record opens it; the rest of the file is not looked at.

    A game in which a table hides something is opened as a referee knows it, whatever the header says. Raises
    `CompanionError` for a bad record, or where there is none.
    """
    try:
        with path.open(encoding="utf-8") as file:
            header = lines.parse(file.readline())
    except (OSError, UnicodeDecodeError) as error:
        given = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InvalidError(phrase("cli.record.unreadable", where=str(path), given=given)) from error
    return opened_of(header)


def opened_of(header: dict[str, Any]) -> OpenedGame:
    """The game of a record's header, as a referee knows it where a table hides something. Raises `CompanionError`."""
    opened = record.read_header(header, registry.game)
    options = opened.game.at_table(opened.options)
    return opened if options == opened.options else record.read_header({**header, "options": options}, registry.game)


def played(path: Path) -> Played:
    """The whole game of a record, as everybody saw it. Raises `CompanionError` for a bad one."""
    opened = opened_by(path)
    game = opened.game
    with path.open(encoding="utf-8") as file:
        written = [lines.parse(line) for line in islice(file, 1, None)]
    return replayed(opened, [record.read_ply(each, game) for each in written if "result" not in each])


def replayed(opened: OpenedGame, plies: Sequence[Ply[Any]]) -> Played:
    """The game that these plies lead through."""
    game, states, seen = opened.game, [opened.state], []
    for ply in plies:
        seen.append(as_seen(game, ply, opened.options))
        states.append(game.apply(states[-1], seen[-1]))
    tables = [_table(game, state) for state in states]
    visible = tuple(before != after for before, after in pairwise(tables))
    shown_ = tuple(shown(game, state) for state in states)
    return Played(game, opened.options, opened.setup, tuple(seen), tuple(states), shown_, visible)


def as_seen(game: AnyGame, ply: Ply[Any], options: Mapping[str, Json]) -> Ply[Any]:
    """The ply as everybody saw it."""
    return Ply(ply.player, game.open_action(ply.action, options))


def shown(game: AnyGame, state: Any) -> Hashable:
    """What a state shows to everybody."""
    return game.open_state(state)


def _table(game: AnyGame, state: Any) -> dict[str, tuple[str | None, Counter[str]]]:
    """The pieces of each spot, and the top one: the order below does not show."""
    return {spot: (pieces[-1], Counter(pieces)) for spot, pieces in game.placement(state).items() if pieces}
