"""A set-up that was told wrongly, put right while its game goes on: what was played since is played again over it.

A drink that was taken for another one is called by its right name in all plies, too. Whether a ply fits is decided by
what everybody saw; what a seat alone sees of a set-up cannot be put right any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from companion.engine import AnyGame, Json, Ply, SetupPath, record
from companion.engine.positions import check_position, is_position
from companion.engine.recognise import filled, leaves
from companion.errors import CompanionError, phrase
from companion.session.commands import CorrectSetup
from companion.session.events import SetupCorrected
from companion.session.hidden_parts import hidden_parts
from companion.session.outcomes import close_question, play
from companion.session.rights import host_corrects
from companion.session.setup_draft import at
from companion.session.state import Match
from companion.session.transaction import RefusedError, Transaction
from companion.table import Placement


def correct_setup(transaction: Transaction, command: CorrectSetup) -> None:
    """The game was begun with another set-up than it was told: its plies are played again over the right one."""
    match = transaction.match
    if match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    if isinstance(command.by, int) and host_corrects(match):
        raise RefusedError(phrase("session.correct_own_turn"))
    setup = put_right(match, command.path, command.value)
    opened = record.read_header({**match.opened.header, "setup": setup}, transaction.library.lookup)
    plies = played_again(match, opened)
    if (lost := len(match.made) - len(plies)) != command.drop:
        raise RefusedError(_loses(match, lost))
    close_question(transaction, None, command.by)
    transaction.add(SetupCorrected(command.by, opened.setup, plies, transaction.clock.now()))
    transaction.clear()
    transaction.put(belief=transaction.match.interpreter.begin(transaction.match.state), held=None)
    play(transaction, (), command.via)


def _loses(match: Match, lost: int) -> Any:
    if not lost:
        return phrase("session.setup_keeps_all")
    n = len(match.made) - lost
    said = match.game.say(match.states[n], match.seen(match.made[n].ply), "room")
    return phrase("session.setup_drops", n=lost, ply=said)


def put_right(match: Match, path: SetupPath, value: Json) -> Json:
    """The set-up with `value` at `path`; where that cannot be, with the two that were taken for each other swapped."""
    opened = match.opened
    setup, players = opened.setup, opened.players
    hidden = hidden_parts(match.game, setup, opened.options, players)
    now = dict(leaves(setup))
    if not all(isinstance(key, str | int) for key in path) or path not in now or now[path] == value:
        raise RefusedError(phrase("session.no_such_part"))
    if hidden.owner(path) is not None:
        raise RefusedError(phrase("session.setup_hidden"))
    changed = filled(setup, path, value)
    swapped = [filled(changed, other, now[path]) for other, its in now.items()
               if its == value and other != path and hidden.owner(other) is None]
    for each in (changed, *swapped):
        with suppress(CompanionError):
            return match.game.read_setup(each, opened.options, players)
    if hidden.owners:  # the rule may speak of what is hidden
        raise RefusedError(phrase("session.hidden_together"))
    return match.game.read_setup(changed, opened.options, players)


def played_again(match: Match, opened: record.OpenedGame) -> tuple[dict[str, Json], ...]:
    """The plies of a game, as record objects, as far as they can be played over another set-up."""
    game, state = opened.game, opened.state
    names = renamed(match, opened)
    again: list[dict[str, Json]] = []
    for made in match.made:
        for ply in _spelled(game, match.written(made.ply), names):
            with suppress(CompanionError):
                if is_position(ply):
                    check_position(game, opened.setup, game.layout(opened.setup), opened.players, ply.action)
                state = game.apply(state, match.seen(ply))
                again.append({"player": ply.player, "action": game.write_action(ply.action)})
                break
        else:
            break
    return tuple(again)


def _spelled(game: AnyGame, written: Mapping[str, Json], names: Mapping[str, str]) -> Iterator[Ply[Any]]:
    """A ply with what was misnamed called right, and as it was."""
    for each in (names, {}):
        with suppress(CompanionError):
            yield record.read_ply({**written, "action": _called(written["action"], each)}, game)


def _called(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {key: _called(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_called(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def renamed(match: Match, opened: record.OpenedGame) -> dict[str, str]:
    """What each thing is really called that was misnamed: whatever stood at its places, or in its parts of the
    set-up. What is only sometimes another thing keeps its name."""
    was, now = dict(leaves(match.opened.setup)), dict(leaves(opened.setup))
    pairs = [(was[path], at(opened.setup, path)) for path in was.keys() & now.keys()]
    pairs += _pairs(match.game.placement(match.states[0]), opened.game.placement(opened.state))
    really: dict[str, set[str]] = {}
    for old, new in pairs:
        if isinstance(old, str) and isinstance(new, str):
            really.setdefault(old, set()).add(new)
    return {old: next(iter(new)) for old, new in really.items() if len(new) == 1 and new != {old}}


def _pairs(was: Placement, now: Placement) -> Iterator[tuple[str | None, str | None]]:
    """What stood where, before and after. In a zone the order is that of the rules."""
    for spot in was.keys() | now.keys():
        old: Sequence[str] = was.get(spot, ())
        yield from zip_longest(old, now.get(spot, ()))
