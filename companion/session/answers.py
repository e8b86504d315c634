"""Answers to questions of the eyes, by phone or by the button of a seat."""

from __future__ import annotations

from companion.errors import phrase
from companion.session import setting_up, undo
from companion.session.commands import Answer, By, Done, Via
from companion.session.events import Settled
from companion.session.outcomes import take
from companion.session.transaction import RefusedError, Transaction


def done(transaction: Transaction, command: Done) -> None:
    """Yes to what this seat is asked; with nothing asked, its last ply stands."""
    state = transaction.state
    if state.draft is not None:
        setting_up.begin(transaction)
    elif state.undo is not None and command.by in state.undo.waiting:
        undo.agree(transaction, command.by)
    elif state.question is not None and state.question.choices:
        if isinstance(command.by, int) and command.by not in state.question.seats:
            raise RefusedError(phrase("session.not_your_question"))
        choose(transaction, state.question.id, 0, command.by, command.via)
    elif state.match is not None:
        _confirm(transaction, command.by)


def answer(transaction: Transaction, command: Answer) -> None:
    """One of the choices, or none of them: by a seat whose move it is about, or by the host."""
    question = transaction.state.question
    about = question.seats if question is not None and question.id == command.question else ()
    if isinstance(command.by, int) and about and command.by not in about:
        raise RefusedError(phrase("session.not_your_question"))
    choose(transaction, command.question, command.choice, command.by, command.via)


def choose(transaction: Transaction, id: int, choice: int | None, by: By, via: Via) -> None:
    """The answer to question `id`; None is "none of these"."""
    question = transaction.state.question
    if question is None or question.id != id:
        raise RefusedError(phrase("session.question_gone"))
    if choice is not None and not 0 <= choice < len(question.choices):
        raise RefusedError(phrase("session.no_such_choice"))
    judgement = transaction.match.interpreter.answer(transaction.state.belief, choice)
    transaction.add(Settled(id, choice, by))
    take(transaction, judgement, via)


def _confirm(transaction: Transaction, by: By) -> None:
    match = transaction.match
    if match.made and by in (match.made[-1].ply.player, "host"):
        transaction.put(belief=match.interpreter.confirmed(transaction.state.belief))
