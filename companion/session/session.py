"""The session: a command and the state in, events and the next state out. Pure but for the clock that it is handed,
and for the keys of new games.

    >>> from companion.games import registry
    >>> from companion.interpret import Interpreter
    >>> from companion.session.clock import FakeClock
    >>> session = Session(library=GameLibrary(registry.game, Interpreter), clock=FakeClock())
    >>> header = {
    ...     "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    ...     "setup": {"colours": ["red", "green"], "first": 0},
    ... }
    >>> transition = session.handle(State(), StartGame(seq=0, by="host", header=header))
    >>> [event.type for event in transition.events], transition.state.seq
    (['game_started'], 1)
    >>> session.handle(transition.state, Undo(seq=0, by=1))
    Traceback (most recent call last):
    companion.session.transaction.RefusedError: session.stale_since(what=[session.since.started()])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any, Final

from companion.errors import Phrase, phrase
from companion.session import answers, carrying, corrections, positions, setting_up, setup_again, taking_up, undo
from companion.session.clock import Clock
from companion.session.commands import (
    Amend,
    Answer,
    Begin,
    BotDecided,
    Carried,
    Command,
    Confide,
    Consent,
    Correct,
    CorrectSetup,
    Done,
    EndGame,
    GoOnFrom,
    LayOut,
    Pause,
    PersonCommand,
    Reopen,
    Resync,
    SeatBot,
    StartGame,
    TakePointed,
    TakeUp,
    TellSetup,
    Undo,
)
from companion.session.events import Event, GameReopened, Paused, SetupDropped, SetupSeen
from companion.session.library import GameLibrary
from companion.session.meanwhile import is_still_open, overtaken
from companion.session.looks import sighted
from companion.session.outcomes import close_question
from companion.session.rights import OF_HOST
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.session.transaction import RefusedError, Transaction


@dataclass(frozen=True, slots=True)
class Transition:
    """What a command led to: the events, for the journal, and the state after them."""

    events: tuple[Event, ...]
    state: State


def random_key() -> str:
    """A name for a new game, not to be guessed or met again."""
    return token_urlsafe(12)


IN_A_PAUSE: Final = (StartGame, LayOut, Pause, EndGame, Reopen, SeatBot, TakeUp)
"""What people may ask while a game is paused."""


class Session:
    """Decides what a command leads to."""

    def __init__(self, *, library: GameLibrary, clock: Clock, new_key: Callable[[], str] = random_key) -> None:
        self.library = library
        self._clock = clock
        self._new_key = new_key

    def handle(self, state: State, command: Command) -> Transition:
        """What `command` leads to. Raises `CompanionError` when it is refused."""
        transaction = Transaction(state, self.library, self._clock, self._new_key)
        if isinstance(command, Sighted):
            sighted(transaction, command)
        elif isinstance(command, TakePointed):
            answers.take_pointed(transaction)
        elif isinstance(command, BotDecided):
            carrying.decided(transaction, command)
        elif command.seq != state.seq and not undo.is_still_asked(state, command) and not is_still_open(state, command):
            raise RefusedError(overtaken(state, command))
        elif isinstance(command, OF_HOST) and isinstance(command.by, int):
            raise RefusedError(phrase("session.host_only"))
        elif state.rests and not isinstance(command, IN_A_PAUSE):
            raise RefusedError(phrase("session.paused"))
        else:
            HANDLERS[type(command)](transaction, command)
        if transaction.events:
            transaction.put(unheeded=None)
        return Transition(tuple(transaction.events), transaction.state)


def _begin(transaction: Transaction, _command: Begin) -> None:
    setting_up.begin(transaction)


def _undo(transaction: Transaction, command: Undo) -> None:
    """A long press of a button says no to what the lamps ask, if they ask."""
    question, wish = transaction.state.question, transaction.state.undo
    if command.via == "button" and wish is not None and command.by in (wish.by, *wish.waiting):
        undo.consent(transaction, Consent(command.seq, command.by, given=False, via=command.via))
    elif question is not None and command.via == "button":
        answers.choose(transaction, question.id, None, command.by, command.via)
    else:
        undo.undo(transaction, command)


def _resync(transaction: Transaction, command: Resync) -> None:
    if transaction.state.draft is not None:
        transaction.add(SetupSeen(None))
        return
    fresh = transaction.match.interpreter.begin(transaction.match.state)
    close_question(transaction, None, command.by)
    transaction.clear()
    transaction.put(belief=fresh, held=None, seen=None)


def _pause(transaction: Transaction, command: Pause) -> None:
    if transaction.match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    if command.on != transaction.state.paused:
        transaction.add(Paused(command.on, transaction.clock.now()))
    if (question := transaction.state.question) is not None:
        transaction.put(question=replace(question, pointed=None))


def _end(transaction: Transaction, _command: EndGame) -> None:
    if transaction.state.draft is not None:
        transaction.add(SetupDropped())
        return
    if transaction.match.result is not None:
        raise RefusedError(phrase("session.game_over"))
    transaction.end_open_game()


def _reopen(transaction: Transaction, command: Reopen) -> None:
    """What people ended goes on; a set-up that was being read for the next game is dropped."""
    state = transaction.state
    if state.reopenable is None:
        raise RefusedError(_why_not_reopened(state))
    if state.draft is not None:
        transaction.add(SetupDropped())
    transaction.add(GameReopened(command.by))
    match = transaction.match
    transaction.put(belief=match.interpreter.begin(match.state), held=None)


def _why_not_reopened(state: State) -> Phrase:
    last = state.match or state.shelved
    if last is None:
        return phrase("session.no_game")
    return phrase("session.another_game" if last.result is None else "session.over_by_rules")


HANDLERS: Final[Mapping[type[PersonCommand], Callable[[Transaction, Any], None]]] = {
    StartGame: setting_up.start_game,
    LayOut: setting_up.begin_reading,
    TellSetup: setting_up.tell,
    Begin: _begin,
    Done: answers.done,
    Answer: answers.answer,
    Undo: _undo,
    Consent: undo.consent,
    Correct: corrections.correct,
    Amend: corrections.amend,
    CorrectSetup: setup_again.correct_setup,
    GoOnFrom: positions.go_on_from,
    Confide: corrections.confide,
    Resync: _resync,
    Pause: _pause,
    EndGame: _end,
    Reopen: _reopen,
    Carried: carrying.carried,
    SeatBot: carrying.seat_bot,
    TakeUp: taking_up.take_up,
}
"""What carries out each command of a person."""
