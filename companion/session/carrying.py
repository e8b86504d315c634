"""Bots at the table: what a bot plays is shown, and somebody carries it out for it.

A ply that waits to be carried out is not in the journal: the bot thinks again after a restart. It counts once the
camera sees it, or once somebody says that it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.bots import level
from companion.engine import AnyGame, Confiding, Json, Ply, ToMove
from companion.errors import phrase
from companion.session.bot_seats import bots_of
from companion.session.commands import BotDecided, Carried, SeatBot, Via
from companion.session.events import BotSeated
from companion.session.outcomes import play
from companion.session.state import Carry, Match, Question, State
from companion.session.transaction import RefusedError, Transaction

@dataclass(frozen=True, slots=True)
class BotTurn:
    """A bot is to move: `seq` and `seat`, and the level at which it plays."""

    seq: int
    seat: int
    level: str


def check_bots(game: AnyGame, header: Mapping[str, Json]) -> None:
    """Raises `RefusedError` when bots are to play a game in which players hold what the companion does not see."""
    if bots_of(header) and isinstance(game, Confiding):
        raise RefusedError(phrase("session.no_bots"))


def bot_turn(state: State) -> BotTurn | None:
    """The bot that is to think now: none while something is asked, in a pause, or once it has decided."""
    match = state.match
    if match is None or state.draft is not None or match.result is not None:
        return None
    if state.paused or state.question is not None or state.undo is not None or carried_now(state) is not None:
        return None
    turn, bots = match.game.turn(match.state), bots_of(match.opened.header)
    seat = next((seat for seat in turn.seats if seat in bots), None) if isinstance(turn, ToMove) else None
    return None if seat is None else BotTurn(state.seq, seat, bots[seat])


def carried_now(state: State) -> Ply[Any] | None:
    """The ply that waits to be carried out; none once anything has happened since the bot decided."""
    return None if state.carry is None or state.carry.seq != state.seq else state.carry.ply


def decided(transaction: Transaction, command: BotDecided) -> None:
    """A bot has decided; what was decided about an earlier table is dropped."""
    wanted, match = bot_turn(transaction.state), transaction.state.match
    if wanted is None or match is None or (wanted.seq, wanted.seat) != (command.seq, command.ply.player):
        return
    match.game.apply(match.state, command.ply)  # raises when it is not legal
    transaction.put(carry=Carry(command.seq, command.ply))


def seat_bot(transaction: Transaction, command: SeatBot) -> None:
    """A player has left, or is back."""
    match, bots = transaction.match, bots_of(transaction.match.opened.header)
    if match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    if isinstance(match.game, Confiding):
        raise RefusedError(phrase("session.no_bots"))
    if command.level:
        level(command.level)  # raises for one that is not there
    if not 0 <= command.seat < match.opened.players or bots.get(command.seat, "") == command.level:
        raise RefusedError(phrase("session.plays_so"))
    transaction.add(BotSeated(command.seat, command.level))


def carried(transaction: Transaction, command: Carried) -> None:
    """Somebody says that it is done."""
    ply = carried_now(transaction.state)
    if ply is None:
        raise RefusedError(phrase("session.nothing_to_carry"))
    play_for_bot(transaction, ply, command.via)


def play_for_bot(transaction: Transaction, ply: Ply[Any], via: Via) -> None:
    """The bot's ply is played."""
    match = transaction.match
    stood = match.game.placement(match.state)
    play(transaction, (ply,), via)
    transaction.correct_belief(stood)


def answering(match: Match, question: Question) -> tuple[int, ...]:
    """The seats that answer a question: those whose plies are in question; of bots alone, everybody else."""
    bots = bots_of(match.opened.header)
    about = tuple(seat for seat in question.seats if seat not in bots)
    if about or not question.seats:
        return about
    return tuple(seat for seat in range(match.opened.players) if seat not in bots)
