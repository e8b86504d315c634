"""Undo: a move is taken back, with the consent of those it touches (`rights` says whose)."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import phrase
from companion.session.commands import By, Consent, Done, PersonCommand, Undo
from companion.session.events import PliesTakenBack, UndoAsked, UndoRefused
from companion.session.outcomes import close_question
from companion.session.rights import undoing
from companion.session.state import State
from companion.session.transaction import RefusedError, Transaction


def undo(transaction: Transaction, command: Undo) -> None:
    """Takes the last ply back, or asks those who must agree first."""
    match = transaction.match
    if match.abandoned or not match.made:
        raise RefusedError(phrase("session.nothing_to_undo"))
    wish = undoing(match, command.by)
    asked = transaction.state.undo
    if not wish.consent:
        _take_back(transaction, wish.number, command.by)
    elif asked is not None and command.by in asked.waiting:
        agree(transaction, command.by)  # it wants the same
    elif asked is not None:
        raise RefusedError(phrase("session.undo_asked", who=transaction.match.names(asked.waiting)))
    elif isinstance(command.by, int):
        transaction.add(UndoAsked(command.by, wish.number, wish.consent))


def consent(transaction: Transaction, command: Consent) -> None:
    """A seat agrees, or does not; whoever asked may withdraw."""
    wish, by = transaction.state.undo, command.by
    if wish is None or (isinstance(by, int) and by not in wish.waiting and by != wish.by):
        raise RefusedError(phrase("session.not_asked"))
    if not command.given:
        transaction.add(UndoRefused(by))
    elif by == wish.by:
        raise RefusedError(phrase("session.not_asked"))
    else:
        agree(transaction, by)


def is_still_asked(state: State, command: PersonCommand) -> bool:
    """Whether this answers the undo that is asked, though another seat has answered meanwhile: two may at once."""
    wish = state.undo
    if wish is None or not isinstance(command, Consent | Done) or command.by not in wish.waiting:
        return False
    return state.undo_seq <= command.seq < state.seq


def agree(transaction: Transaction, by: By) -> None:
    """`by` agrees to what is asked back; the host agrees for all."""
    wish = transaction.state.undo
    assert wish is not None
    waiting = tuple(seat for seat in wish.waiting if seat != by) if isinstance(by, int) else ()
    if waiting:
        transaction.add(replace(wish, waiting=waiting))
    else:
        _take_back(transaction, wish.number, wish.by)


def _take_back(transaction: Transaction, number: int, by: By) -> None:
    stood = transaction.match.game.placement(transaction.match.state)
    close_question(transaction, None, by)
    transaction.add(PliesTakenBack(number, "undo", by))
    transaction.correct_belief(stood)
