"""What a person puts right: a misreading, a covered coin of an earlier ply, what only a seat sees."""

from __future__ import annotations

from typing import Any, Final

from companion.engine import Confiding, Json, Ply, record
from companion.engine.play import after_plies
from companion.engine.positions import is_position
from companion.errors import phrase
from companion.session.bot_seats import bots_of
from companion.session.commands import Amend, Confide, Correct
from companion.session.events import Amended, Confided, Corrected, PliesTakenBack
from companion.session.outcomes import close_question, play
from companion.session.rights import is_own_turn, may_amend, may_correct
from companion.session.state import Match
from companion.session.transaction import RefusedError, Transaction

MAX_TELLINGS: Final = 50
"""So often a seat tells something after one ply: all of it is gone through again whenever a correction is checked."""


def correct(transaction: Transaction, command: Correct) -> None:
    """The last plies were misread: they go, and what was really played takes their place."""
    match = transaction.match
    if match.abandoned:
        raise RefusedError(phrase("session.game_over"))
    if not 0 <= command.take_back <= len(match.made) or not (command.take_back or command.plies):
        raise RefusedError(phrase("session.nothing_to_correct"))
    plies = tuple(_ply(match, given, i) for i, given in enumerate(command.plies))
    if not may_correct(match, command.by, command.take_back, plies):
        raise RefusedError(phrase("session.correct_own_turn"))
    if isinstance(command.by, int) and any(ply.player != command.by and ply != match.seen(ply) for ply in plies):
        raise RefusedError(phrase("session.hidden_of_another"))
    _check(match, command, plies)
    stood = match.game.placement(match.state)
    close_question(transaction, None, command.by)
    transaction.add(Corrected(command.by, command.take_back, command.plies, transaction.clock.now()))
    if command.take_back:
        transaction.add(PliesTakenBack(command.take_back, "correction", command.by))
    play(transaction, plies, command.via)
    transaction.correct_belief(stood)


def _check(match: Match, command: Correct, plies: tuple[Ply[Any], ...]) -> None:
    """Raises `IllegalError` when these plies are none by what `by` may know: nothing else may speak against them. What
    others played is decided by what everybody knows, whoever puts it right."""
    by, back = command.by, command.take_back
    states = match.known_to(by) if isinstance(by, int) and is_own_turn(match, by, back, plies) else match.states
    after_plies(match.game, states[len(match.made) - command.take_back], plies)


def amend(transaction: Transaction, command: Amend) -> None:
    """What only its player saw of an earlier ply is put right; all plies after it stay."""
    match = transaction.match
    if match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    if not 1 <= command.n <= len(match.made):
        raise RefusedError(phrase("session.nothing_to_correct"))
    given = {"player": match.made[command.n - 1].ply.player, "action": command.action}
    better = _ply(match, given, 0)
    if not may_amend(match, command.by, command.n, better):
        raise RefusedError(phrase("session.amend_unseen"))
    transaction.add(Amended(command.by, command.n, match.written(better), transaction.clock.now()))
    transaction.put(belief=match.interpreter.corrected(transaction.match.state))


def confide(transaction: Transaction, command: Confide) -> None:
    """A seat tells what only it sees; for a bot, the host."""
    match = transaction.match
    if match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    seat = command.by if command.seat is None else command.seat
    if not isinstance(seat, int) or not isinstance(match.game, Confiding):
        raise RefusedError(phrase("session.nothing_to_confide"))
    if command.seat is not None and (command.by != "host" or seat not in bots_of(match.opened.header)):
        raise RefusedError(phrase("session.helper_only"))
    if sum(each[:2] == (len(match.made), seat) for each in match.confided) >= MAX_TELLINGS:
        raise RefusedError(phrase("session.told_enough"))
    transaction.add(Confided(seat, command.told))


def _ply(match: Match, given: Json, index: int) -> Ply[Any]:
    ply = record.read_ply(given, match.game, f"plies[{index}]")
    if is_position(ply) and all(made.ply != ply for made in match.made):
        raise RefusedError(phrase("session.position_alone"))
    return ply
