"""The whole position put right: the game goes on from what stands on the table, or is said to stand there.

What was played before stays in the history and can be taken back to; the game is kept as its result from then on, as no
record can tell how the table came to stand so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.engine import Json, Over, Rearranging, Revealing, Seat, ToMove
from companion.engine.play import after_plies
from companion.engine.positions import Position, check_position, different, position_ply, read_position
from companion.errors import CompanionError, phrase
from companion.session.commands import GoOnFrom
from companion.session.outcomes import close_question, play
from companion.session.rights import has_secrets, host_corrects
from companion.session.snapshot import PositionShown
from companion.session.state import Match, State
from companion.session.transaction import RefusedError, Transaction
from companion.table import Placement


def go_on_from(transaction: Transaction, command: GoOnFrom) -> None:
    """The game goes on from this position, whatever was played."""
    match = transaction.match
    if isinstance(command.by, int) and host_corrects(match):
        raise RefusedError(phrase("session.correct_own_turn"))
    position = _possible(match, command.stands, command.seat)
    stood = match.game.placement(match.state)
    close_question(transaction, None, command.by)
    play(transaction, (position_ply(position),), command.via)
    transaction.correct_belief(stood)


def position_offered(state: State) -> Placement | None:
    """The table as it stands, to go on from: once nothing explains it look after look, if the eyes doubt nothing of it
    and the rules allow it. It is offered, and taken only if somebody says so."""
    if not state.is_asked_openly or state.seen is None or not state.is_seen_surely:
        return None
    return state.seen if position_shown(state, state.seen).why_not is None else None


def _possible(match: Match, stands: Any, seat: Json) -> Position:
    """The position, if the game can go on from it; raises `CompanionError` with what is in the way."""
    if match.result is not None:
        raise RefusedError(phrase("session.game_over" if match.abandoned else "session.over_by_rules"))
    if not isinstance(match.game, Rearranging):
        raise RefusedError(phrase("session.no_position"))
    position = read_position(stands, seat, "command")
    check_position(match.game, match.opened.setup, match.layout, match.opened.players, position)
    if not different(match.game.placement(match.state), position.placement) and position.seat == _to_move(match):
        raise RefusedError(phrase("session.same_position"))
    after_plies(match.game, match.state, (position_ply(position),))  # raises where a rule is in the way
    if has_secrets(match) and _tells_a_secret(match, position):
        raise RefusedError(phrase("session.position_reveals"))
    return position


def _tells_a_secret(match: Match, position: Position) -> bool:
    """Whether something comes to light by it, or would be as the game ends. Nobody may learn anything by a table that
    is made up: so it is decided, whatever the secret."""
    then = after_plies(match.game, match.state, (position_ply(position),))
    if isinstance(match.game, Revealing) and match.game.brings_to_light(match.state, then):
        return True
    return isinstance(match.game.turn(then), Over)


def _to_move(match: Match) -> Seat | None:
    turn = match.game.turn(match.state)
    return turn.seats[0] if isinstance(turn, ToMove) else None


def position_shown(state: State, stands: Any = None, seat: Json = None) -> PositionShown:
    """The table as the game has it and as the eyes see it, and all that may stand on it; and what comes of it when
    `stands` stands there and `seat` is to move (None: nothing is asked)."""
    match = state.match
    if match is None or state.draft is not None:
        return PositionShown(state.seq, why_not=phrase("session.no_game"))
    now = match.game.view(match.state, "room").placement
    stands, seat = now if stands is None else stands, _to_move(match) or 0 if seat is None else seat
    pieces = tuple(match.game.all_pieces(match.opened.setup)) if isinstance(match.game, Rearranging) else ()
    shown = PositionShown(state.seq, now, pieces, seat, state.seen)
    try:
        then = after_plies(match.game, match.state, (position_ply(_possible(match, stands, seat)),))
    except CompanionError as error:
        return replace(shown, why_not=error.phrase)
    return replace(shown, scores=match.game.scores(then), is_over=isinstance(match.game.turn(then), Over))
