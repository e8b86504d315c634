"""Answers to questions of the eyes, by phone or by the button of a seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion.engine import CHANCE, ToMove
from companion.errors import Phrase, phrase
from companion.session import setting_up, undo
from companion.session.carrying import answering, carried_now, play_for_bot
from companion.session.commands import Answer, By, Done, Via
from companion.session.events import Settled
from companion.session.meanwhile import answered
from companion.session.outcomes import take
from companion.session.state import Match, Pointed, Question, State
from companion.session.transaction import RefusedError, Transaction
from companion.table import HINDERED

POINT_S: Final = 1.5
"""How long a choice that a button points at can still be changed for the next one."""


def done(transaction: Transaction, command: Done) -> None:
    """Yes to what this seat is asked; with nothing asked, its last ply stands."""
    state = transaction.state
    if state.draft is not None:
        setting_up.begin(transaction)
    elif state.undo is not None and command.by in state.undo.waiting:
        undo.agree(transaction, command.by)
    elif state.question is not None and state.question.choices:
        if isinstance(command.by, int) and command.by not in answering(transaction.match, state.question):
            raise RefusedError(phrase("session.not_your_question"))
        if command.via == "button" and isinstance(command.by, int):
            _press(transaction, state.question, command.by)
        else:
            choose(transaction, state.question.id, 0, command.by, command.via)
    elif state.eyes.state == "none" and (ply := carried_now(state)) is not None:
        play_for_bot(transaction, ply, command.via)
    else:
        _confirm(transaction, command.by)


def _press(transaction: Transaction, question: Question, by: int) -> None:
    """Points at the next choice; the last one is taken at once, and one at which another seat points, too."""
    pointed, last = question.pointed, len(question.choices) - 1
    if pointed is not None and pointed.by != by:
        take_pointed(transaction)
        return
    wanted = 0 if pointed is None else pointed.choice + 1
    if wanted >= last:
        choose(transaction, question.id, last, by, "button")
    else:
        taken_s = transaction.clock.monotonic_s() + POINT_S
        transaction.put(question=replace(question, pointed=Pointed(wanted, by, taken_s)))


def take_pointed(transaction: Transaction) -> None:
    """The choice that a button points at is the answer, if the question is still open."""
    question = transaction.state.question
    if question is not None and question.pointed is not None:
        choose(transaction, question.id, question.pointed.choice, question.pointed.by, "button")


def answer(transaction: Transaction, command: Answer) -> None:
    """One of the choices, or none of them: by a seat whose move it is about, or by the host."""
    question = transaction.state.question
    if question is None or question.id != command.question:
        raise RefusedError(answered(transaction.state, command))
    about = answering(transaction.match, question)
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
    """The last ply stands. Where there is none of this seat, it is told why nothing happened."""
    match, state = transaction.match, transaction.state
    if (why_not := _not_confirmed(state, match, by)) is not None:
        raise RefusedError(why_not)
    transaction.put(belief=match.interpreter.confirmed(state.belief))


def _not_confirmed(state: State, match: Match, by: By) -> Phrase | None:
    if match.result is not None:
        return phrase("session.game_over")
    if state.undo is not None:
        return phrase("session.done.undo", who=match.names(state.undo.waiting))
    played = next((made.ply.player for made in reversed(match.made) if made.ply.player != CHANCE), None)
    if played is not None and by in (played, "host"):
        return None
    if state.odd:
        return phrase("session.done.odd")
    if state.eyes.state == "none":
        return phrase("session.done.by_hand")
    if state.eyes.state in HINDERED:
        return state.eyes.why or phrase("session.done.blind")
    turn = match.game.turn(match.state)
    if isinstance(turn, ToMove) and by not in (*turn.seats, "host"):
        return phrase("session.done.not_yours", who=match.names(turn.seats))
    return phrase("session.done.unseen")
