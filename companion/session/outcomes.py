"""What an outcome of the interpreter means for the game: the events that it adds to a transaction."""

from __future__ import annotations

from typing import Any

from companion.engine import Over, Ply, record
from companion.errors import Phrase
from companion.interpret import Ambiguous, Choice, Moved, Odd, Outcome
from companion.session.commands import By
from companion.session.events import (
    Asked,
    GameEnded,
    OddSeen,
    PliesTakenBack,
    PlyMade,
    Settled,
    Source,
)
from companion.session.library import Judgement
from companion.session.transaction import Transaction


def take(transaction: Transaction, judgement: Judgement, source: Source, look: int | None = None) -> None:
    """Takes over what the interpreter came to: its belief, and the events that its outcome means."""
    _write(transaction, judgement.outcome, source, look)
    transaction.put(belief=judgement.belief)


def _write(transaction: Transaction, outcome: Outcome, source: Source, look: int | None) -> None:
    if isinstance(outcome, Odd):
        close_question(transaction, None, "table")
        _tell_odd(transaction, outcome.reasons)
        return
    if not isinstance(outcome, Moved | Ambiguous):
        close_question(transaction, None, "table")
    if isinstance(outcome, Ambiguous) and not outcome.choices:
        _tell_odd(transaction, outcome.reasons)
    else:
        transaction.clear()
    if isinstance(outcome, Moved):
        _move(transaction, outcome, source, look)
    elif isinstance(outcome, Ambiguous):
        _ask(transaction, outcome.choices)


def _tell_odd(transaction: Transaction, reasons: tuple[Phrase, ...]) -> None:
    if reasons and reasons != transaction.state.odd:
        transaction.add(OddSeen(reasons))


def _move(transaction: Transaction, moved: Moved, source: Source, look: int | None) -> None:
    _settle(transaction, moved)
    if moved.taken_back:
        transaction.add(PliesTakenBack(moved.taken_back, "camera", "table"))
    confidence = round(moved.confidence, 4) if source == "camera" else None
    play(transaction, _as_wanted(transaction, moved.plies), source, confidence, look)


def _as_wanted(transaction: Transaction, plies: tuple[Ply[Any], ...]) -> tuple[Ply[Any], ...]:
    """The same plies; one that a bot wanted so, with what only its player sees of it."""
    state, carry = transaction.state, transaction.state.carry
    is_now = carry is not None and carry.seq == state.seq
    return tuple(carry.ply if carry and is_now and transaction.match.seen(carry.ply) == ply else ply for ply in plies)


def play(
    transaction: Transaction, plies: tuple[Ply[Any], ...], source: Source, confidence: float | None = None,
    look: int | None = None,
) -> None:
    """Plies are played, and the game ends where the rules end it."""
    for ply in plies:
        transaction.add(PlyMade(transaction.match.written(ply), source, transaction.clock.now(), confidence, look))
    match = transaction.match
    if match.result is None and isinstance(match.game.turn(match.state), Over):
        transaction.add(GameEnded(record.write_result(match.game, match.state)["result"]))


def _ask(transaction: Transaction, choices: tuple[Choice, ...]) -> None:
    question = transaction.state.question
    if question is not None and _are_same(question.choices, choices):
        return
    close_question(transaction, None, "table")
    written = transaction.match.written
    asked = tuple({"plies": [*map(written, each.plies)], "taken_back": each.taken_back} for each in choices)
    transaction.add(Asked(transaction.state.questions + 1, asked))


def _settle(transaction: Transaction, moved: Moved) -> None:
    """A later look answers the open question by itself."""
    question = transaction.state.question
    if question is not None:
        same = (i for i, each in enumerate(question.choices) if _is_same(each, moved))
        close_question(transaction, next(same, None), "table")


def close_question(transaction: Transaction, choice: int | None, by: By) -> None:
    """Closes the open question, if one is, with this choice (None: none of these)."""
    if transaction.state.question is not None:
        transaction.add(Settled(transaction.state.question.id, choice, by))


def _is_same(choice: Choice, other: Moved | Choice) -> bool:
    return (choice.plies, choice.taken_back) == (other.plies, other.taken_back)


def _are_same(asked: tuple[Choice, ...], now: tuple[Choice, ...]) -> bool:
    return len(asked) == len(now) and all(_is_same(a, b) for a, b in zip(asked, now))
