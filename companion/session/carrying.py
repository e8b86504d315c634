"""Bots at the table: what a bot plays is shown, and somebody carries it out for it.

A ply that waits to be carried out is not in the journal: the bot thinks again after a restart. It counts once the
camera sees it, or once somebody says that it is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.bots import level
from companion.engine import Confiding, Json, Ply, Seat, ToMove
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


def bot_turn(state: State) -> BotTurn | None:
    """The bot that is to think now: none while something is asked, in a pause, or once it has decided."""
    match = state.match
    if match is None or state.draft is not None or match.result is not None:
        return None
    if state.paused or state.question is not None or state.undo is not None or carried_now(state) is not None:
        return None
    turn, bots = match.game.turn(match.state), bots_of(match.opened.header)
    seat = next((seat for seat in turn.seats if seat in bots), None) if isinstance(turn, ToMove) else None
    if seat is None or lacks_hand(match, seat):
        return None
    return BotTurn(state.seq, seat, bots[seat])


def lacks_hand(match: Match, seat: Seat) -> bool:
    """Whether it is still open what the seat holds that the companion does not see: for a bot a helper draws, and says
    what it drew."""
    if not isinstance(match.game, Confiding):
        return False
    kinds: dict[str, Json] = {}
    return any(kinds.setdefault(key, held) != held
               for hand in match.game.may_confide(match.told[-1], seat) for key, held in hand.items())


def waits_for_hand(state: State) -> Seat | None:
    """The bot that is to move as soon as its helper has said what it holds, if one is."""
    match = state.match
    turn = None if match is None or match.result is not None else match.game.turn(match.state)
    if match is None or not isinstance(turn, ToMove):
        return None
    bots = bots_of(match.opened.header)
    return next((seat for seat in turn.seats if seat in bots and lacks_hand(match, seat)), None)


def carried_now(state: State) -> Ply[Any] | None:
    """The ply that waits to be carried out; none once anything has happened since the bot decided."""
    return None if state.carry is None or state.carry.seq != state.seq else state.carry.ply


def decided(transaction: Transaction, command: BotDecided) -> None:
    """A bot has decided; what was decided about an earlier table is dropped."""
    wanted, match = bot_turn(transaction.state), transaction.state.match
    if wanted is None or match is None or (wanted.seq, wanted.seat) != (command.seq, command.ply.player):
        return
    match.game.apply(match.told[-1], command.ply)  # raises when it is not legal
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
