"""What the eyes saw: a look changes the game, the set-up that is being read, or only what is shown of the eyes."""

from __future__ import annotations

from companion.interpret import Ambiguous, Moved, Odd, Outcome
from companion.session import setting_up
from companion.session.events import TableDiffers
from companion.session.outcomes import take
from companion.session.sighted import Sighted
from companion.session.snapshot import EyesShown
from companion.session.state import Match, State
from companion.session.transaction import Transaction
from companion.table import Observation


def sighted(transaction: Transaction, look: Sighted) -> None:
    """A look of the eyes, or their state."""
    transaction.put(eyes=EyesShown(look.state, look.why))
    if look.observation is None:
        return
    state = transaction.state
    if state.draft is not None:
        setting_up.see(transaction, look.observation)
    elif state.match is not None and not state.match.abandoned and not state.paused:
        _interpret(transaction, state.match, look.number, look.observation)


def _interpret(transaction: Transaction, match: Match, number: int, observation: Observation) -> None:
    judgement = match.interpreter.look(transaction.state.belief, observation)
    if _is_as_withdrawn(transaction.state, match, judgement.outcome):
        _differ(transaction, observation)
        return
    transaction.put(held=None, seen=None)
    take(transaction, judgement, "camera", number)
    if _is_odd(judgement.outcome):
        _differ(transaction, observation)
    elif transaction.state.differences:
        transaction.add(TableDiffers(()))


def _is_as_withdrawn(state: State, match: Match, outcome: Outcome) -> bool:
    """Whether the table only shows again what a person has just taken back or corrected."""
    if state.held is None:
        return False
    if isinstance(outcome, Moved):
        return match.game.placement(match.after(outcome)) == state.held
    if isinstance(outcome, Ambiguous) and outcome.choices:
        return any(match.game.placement(match.after(each)) == state.held for each in outcome.choices)
    return _is_odd(outcome)


def _is_odd(outcome: Outcome) -> bool:
    """Whether nothing explains the table: it is told, or asked openly."""
    return isinstance(outcome, Odd) or (isinstance(outcome, Ambiguous) and not outcome.choices)


def _differ(transaction: Transaction, observation: Observation) -> None:
    what = transaction.match.interpreter.differences(transaction.state.belief, observation)
    if what != transaction.state.differences:
        transaction.add(TableDiffers(what))
    stands = transaction.match.interpreter.as_it_stands(transaction.state.belief, observation)
    is_sure = transaction.state.is_asked_openly and transaction.match.interpreter.is_sure_of(observation, stands)
    transaction.put(seen=stands, is_seen_surely=is_sure)
