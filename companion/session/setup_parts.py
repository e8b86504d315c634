"""What a person may say of the set-up of a game that goes on, and what would come of it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from companion.engine import Json, SetupPath, record
from companion.engine.recognise import filled, leaves
from companion.errors import CompanionError, phrase
from companion.session.library import GameLibrary
from companion.session.setup_again import played_again, put_right
from companion.session.setup_draft import parts_left_open
from companion.session.snapshot import SetupAgainShown, SetupChangeShown, SetupPartShown
from companion.session.state import Match, State


def setup_again(state: State, library: GameLibrary, path: SetupPath, value: Json) -> SetupAgainShown:
    """The parts of the set-up that everybody sees, with what each may be instead; and what comes of it when the part at
    `path` is `value` (an empty path: nothing is asked)."""
    match = state.match
    if match is None or state.draft is not None or match.result is not None:
        return SetupAgainShown(state.seq, why_not=phrase("session.no_game" if match is None else "session.game_over"))
    parts = _parts(match)
    if not path:
        return SetupAgainShown(state.seq, parts)
    try:
        return SetupAgainShown(state.seq, parts, _change(match, library, path, value))
    except CompanionError as error:
        return SetupAgainShown(state.seq, parts, why_not=error.phrase)


def _parts(match: Match) -> tuple[SetupPartShown, ...]:
    opened = match.opened
    seen = match.game.open_setup(opened.setup, opened.options, "room")
    told = [(path, value) for path, value in leaves(seen) if value is not None]
    empty: Any = seen
    for path, _ in told:
        empty = filled(empty, path, None)
    choices: dict[SetupPath, tuple[Json, ...]] = {}
    with suppress(CompanionError):
        choices = {part.path: part.choices for part in parts_left_open(match.game, empty)}
    found = ((path, value, tuple(each for each in choices.get(path, ()) if each != value)) for path, value in told)
    return tuple(SetupPartShown(path, value, others) for path, value, others in found if others)


def _change(match: Match, library: GameLibrary, path: SetupPath, value: Json) -> SetupChangeShown:
    setup = put_right(match, path, value)
    opened = record.read_header({**match.opened.header, "setup": setup}, library.lookup)
    was = dict(leaves(match.opened.setup))
    changed = tuple((where, its) for where, its in leaves(opened.setup) if was.get(where) != its)
    lost = len(match.made) - len(played_again(match, opened))
    n = len(match.made) - lost
    first = match.game.say(match.states[n], match.seen(match.made[n].ply), "room") if lost else None
    return SetupChangeShown(path, value, changed, lost, first)
