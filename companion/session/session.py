"""The session: a command and the state in, events and the next state out. Pure but for the clock that it is handed.

    session = Session(library=library, clock=clock)
    change = session.handle(state, command)        # raises CompanionError: refused, nothing changed
    journal.append(change.events); state = change.state
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.engine import Json, Over, Ply, record
from companion.errors import phrase
from companion.interpret import Ambiguous, Choice, Moved, Odd, Outcome
from companion.session import setting_up
from companion.session.clock import Clock
from companion.session.commands import (
    Amend,
    Answer,
    Begin,
    Command,
    Confide,
    Consent,
    Correct,
    Done,
    EndGame,
    LayOut,
    Pause,
    PersonCommand,
    Resync,
    Sighted,
    StartGame,
    TellSetup,
    Undo,
)
from companion.session.events import (
    Amended,
    Asked,
    Confided,
    Corrected,
    Event,
    GameEnded,
    OddGone,
    OddSeen,
    Paused,
    PliesTakenBack,
    PlyMade,
    Settled,
    SetupDropped,
    SetupSeen,
    Source,
    TableDiffers,
    UndoAsked,
    UndoRefused,
)
from companion.session.snapshot import EyesShown
from companion.session.state import Match, GameLibrary, Question, State, Verdict
from companion.session.transaction import RefusedError, Writing
from companion.session.undo import may_amend, may_correct, undoing
from companion.table import Observation


@dataclass(frozen=True, slots=True)
class Transition:
    """What a command led to: the events, for the journal, and the state after them."""

    events: tuple[Event, ...]
    state: State


class Session:
    """Decides what a command leads to."""

    def __init__(self, *, library: GameLibrary, clock: Clock) -> None:
        self._library = library
        self._clock = clock

    def handle(self, state: State, command: Command) -> Transition:
        """What `command` leads to. Raises `CompanionError` when it is refused."""
        writing = Writing(state, self._library, self._clock)
        if isinstance(command, Sighted):
            self._sighted(writing, command)
        else:
            if command.seq != state.seq:
                raise RefusedError(phrase("session.stale"))
            self._asked_by_people(writing, command)
        return Transition(tuple(writing.events), writing.state)

    def _asked_by_people(self, writing: Writing, command: PersonCommand) -> None:
        match command:
            case StartGame():
                setting_up.start(writing, command)
            case LayOut():
                setting_up.begin_reading(writing, command)
            case TellSetup():
                setting_up.tell(writing, command)
            case Begin():
                setting_up.begin(writing)
            case Done():
                self._done(writing, command)
            case Answer():
                self._answer(writing, command, command.question, command.choice)
            case Undo():
                self._undo(writing, command)
            case Consent():
                self._consent(writing, command)
            case Correct():
                self._correct(writing, command)
            case Amend():
                self._amend(writing, command)
            case Confide():
                self._confide(writing, command)
            case Resync() if writing.state.draft is not None:
                writing.add(SetupSeen(None))
            case Resync():
                fresh = writing.match.interpreter.begin(writing.match.state)
                self._close_question(writing, None, command.by)
                self._clear(writing)
                writing.put(belief=fresh, held=None)
            case Pause(on=on):
                if on != writing.state.paused:
                    writing.add(Paused(on))
            case EndGame():
                self._end(writing, command)

    def _end(self, writing: Writing, command: EndGame) -> None:
        if writing.state.draft is not None:
            writing.add(SetupDropped())
            return
        if writing.match.result is not None:
            raise RefusedError(phrase("session.game_over"))
        writing.end_open_game(command.by)

    # --- what the eyes saw --------------------------------------------------------------------------------------------

    def _sighted(self, writing: Writing, look: Sighted) -> None:
        writing.put(eyes=EyesShown(look.state, look.why))
        match = writing.state.match
        if look.observation is not None and writing.state.draft is not None:
            setting_up.see(writing, look.observation)
            return
        if look.observation is None or match is None or match.abandoned or writing.state.paused:
            return
        step = match.interpreter.look(writing.state.belief, look.observation)
        if self._still_as_withdrawn(writing.state, match, step.outcome):
            self._differ(writing, look.observation)
            return
        writing.put(held=None)
        self._take(writing, step, source="camera", look=look.number)
        if isinstance(step.outcome, Odd):
            self._differ(writing, look.observation)
        elif writing.state.differences:
            writing.add(TableDiffers(()))

    def _still_as_withdrawn(self, state: State, match: Match, outcome: Outcome) -> bool:
        """Whether the table only shows again what a person has just taken back or corrected."""
        if state.held is None:
            return False
        if isinstance(outcome, Moved):
            return match.game.placement(after(match, outcome)) == state.held
        if isinstance(outcome, Ambiguous):
            return any(match.game.placement(after(match, each)) == state.held for each in outcome.choices)
        return isinstance(outcome, Odd)

    def _differ(self, writing: Writing, observation: Observation) -> None:
        what = writing.match.interpreter.differences(writing.state.belief, observation)
        if what != writing.state.differences:
            writing.add(TableDiffers(what))

    def _take(self, writing: Writing, step: Verdict, *, source: Source, look: int | None = None) -> None:
        """Takes a step of the interpreter over: its belief, and the events that its outcome means."""
        match step.outcome:
            case Moved() as moved:
                self._clear(writing)
                self._settle(writing, moved)
                if moved.taken_back:
                    writing.add(PliesTakenBack(moved.taken_back, "camera", "table"))
                sure = round(moved.confidence, 4) if source == "camera" else None
                self._play(writing, moved.plies, source, sure, look)
            case Ambiguous(choices):
                self._clear(writing)
                self._ask(writing, choices)
            case Odd(reasons):
                self._close_question(writing, None, "table")
                if reasons != writing.state.odd:
                    writing.add(OddSeen(reasons))
            case _:
                self._close_question(writing, None, "table")
                self._clear(writing)
        writing.put(belief=step.belief)

    def _play(
        self, writing: Writing, plies: tuple[Ply[Any], ...], source: Source, confidence: float | None = None,
        look: int | None = None,
    ) -> None:
        for ply in plies:
            written = {"player": ply.player, "action": writing.match.game.write_action(ply.action)}
            writing.add(PlyMade(written, source, self._clock.now(), confidence, look))
        match = writing.match
        if match.result is None and isinstance(match.game.turn(match.state), Over):
            writing.add(GameEnded(record.write_result(match.game, match.state)["result"]))

    def _ask(self, writing: Writing, choices: tuple[Choice, ...]) -> None:
        question = writing.state.question
        if question is not None and _same(question.choices, choices):
            return
        self._close_question(writing, None, "table")
        game = writing.match.game
        asked = tuple(
            {
                "plies": [{"player": ply.player, "action": game.write_action(ply.action)} for ply in each.plies],
                "taken_back": each.taken_back,
            }
            for each in choices
        )
        writing.add(Asked(writing.state.questions + 1, asked))

    def _settle(self, writing: Writing, moved: Moved) -> None:
        """A later look answered the open question by itself."""
        question = writing.state.question
        if question is not None:
            same = (i for i, each in enumerate(question.choices) if _means(each, moved))
            self._close_question(writing, next(same, None), "table")

    def _close_question(self, writing: Writing, choice: int | None, by: Any) -> None:
        if writing.state.question is not None:
            writing.add(Settled(writing.state.question.id, choice, by))

    def _clear(self, writing: Writing) -> None:
        """Nothing is odd any more, nothing differs."""
        if writing.state.odd:
            writing.add(OddGone())
        if writing.state.differences:
            writing.add(TableDiffers(()))

    # --- answers ------------------------------------------------------------------------------------------------------

    def _done(self, writing: Writing, command: Done) -> None:
        """Yes to what this seat is asked; with nothing asked, its last move stands."""
        asked_back, question = writing.state.undo, writing.state.question
        if writing.state.draft is not None:
            setting_up.begin(writing)
        elif asked_back is not None and command.by in asked_back.waiting:
            self._agree(writing, command.by)
        elif question is not None:
            if isinstance(command.by, int) and command.by not in seats_of(question):
                raise RefusedError(phrase("session.not_your_question"))
            self._answer(writing, command, question.id, 0)
        elif writing.state.match is not None:
            match = writing.match
            if match.made and command.by in (match.made[-1].ply.player, "arbiter"):
                writing.put(belief=match.interpreter.confirmed(writing.state.belief))

    def _answer(self, writing: Writing, command: PersonCommand, id: int, choice: int | None) -> None:
        question = writing.state.question
        if question is None or question.id != id:
            raise RefusedError(phrase("session.question_gone"))
        if choice is not None and not 0 <= choice < len(question.choices):
            raise RefusedError(phrase("session.no_such_choice"))
        step = writing.match.interpreter.answer(writing.state.belief, choice)
        writing.add(Settled(id, choice, command.by))
        self._take(writing, step, source=command.via)

    # --- undo and correction ------------------------------------------------------------------------------------------

    def _undo(self, writing: Writing, command: Undo) -> None:
        question = writing.state.question
        if question is not None and command.via == "button":
            self._answer(writing, command, question.id, None)  # the long press says no to what the lamps ask
            return
        match = writing.match
        if match.abandoned or not match.made:
            raise RefusedError(phrase("session.nothing_to_undo"))
        wish = undoing(match, command.by)
        if not wish.consent:
            self._take_back(writing, wish.number, command.by)
        elif isinstance(command.by, int):
            writing.add(UndoAsked(command.by, wish.number, wish.consent))

    def _consent(self, writing: Writing, command: Consent) -> None:
        wish = writing.state.undo
        if wish is None or (isinstance(command.by, int) and command.by not in wish.waiting and command.by != wish.by):
            raise RefusedError(phrase("session.not_asked"))
        if not command.given:
            writing.add(UndoRefused(command.by))
        elif command.by == wish.by:
            raise RefusedError(phrase("session.not_asked"))
        else:
            self._agree(writing, command.by)

    def _agree(self, writing: Writing, by: Any) -> None:
        wish = writing.state.undo
        assert wish is not None
        waiting = tuple(seat for seat in wish.waiting if seat != by) if isinstance(by, int) else ()
        if waiting:
            writing.add(replace(wish, waiting=waiting))
        else:
            self._take_back(writing, wish.number, wish.by)

    def _take_back(self, writing: Writing, number: int, by: Any) -> None:
        stood = writing.match.game.placement(writing.match.state)
        self._close_question(writing, None, by)
        writing.add(PliesTakenBack(number, "undo", by))
        self._tell(writing, stood)

    def _correct(self, writing: Writing, command: Correct) -> None:
        match = writing.match
        if match.abandoned:
            raise RefusedError(phrase("session.game_over"))
        if not 0 <= command.take_back <= len(match.made) or not (command.take_back or command.plies):
            raise RefusedError(phrase("session.nothing_to_correct"))
        plies = tuple(_ply(match, given, i) for i, given in enumerate(command.plies))
        if not may_correct(match, command.by, command.take_back, plies):
            raise RefusedError(phrase("session.correct_own_turn"))
        stood = match.game.placement(match.state)
        self._close_question(writing, None, command.by)
        writing.add(Corrected(command.by, command.take_back, command.plies, self._clock.now()))
        if command.take_back:
            writing.add(PliesTakenBack(command.take_back, "correction", command.by))
        self._play(writing, plies, command.via)
        self._tell(writing, stood)

    def _amend(self, writing: Writing, command: Amend) -> None:
        match = writing.match
        if match.result is not None:
            raise RefusedError(phrase("session.game_over"))
        if not 1 <= command.n <= len(match.made):
            raise RefusedError(phrase("session.nothing_to_correct"))
        given = {"player": match.made[command.n - 1].ply.player, "action": command.action}
        better = _ply(match, given, 0)
        if not may_amend(match, command.by, command.n, better):
            raise RefusedError(phrase("session.amend_unseen"))
        written = {"player": better.player, "action": match.game.write_action(better.action)}
        writing.add(Amended(command.by, command.n, written, self._clock.now()))
        writing.put(belief=match.interpreter.corrected(writing.match.state))

    def _confide(self, writing: Writing, command: Confide) -> None:
        match = writing.match
        if match.result is not None:
            raise RefusedError(phrase("session.game_over"))
        if not isinstance(command.by, int) or not hasattr(match.game, "confide"):
            raise RefusedError(phrase("session.nothing_to_confide"))
        writing.add(Confided(command.by, command.told))

    def _tell(self, writing: Writing, stood: Any) -> None:
        """A person said what the state is; `stood` is how the table seemed to stand before."""
        self._clear(writing)
        writing.put(belief=writing.match.interpreter.corrected(writing.match.state), held=stood)


def after(match: Match, said: Moved | Choice) -> Any:
    """The state of the game once the explanation is taken over."""
    state = match.states[len(match.made) - said.taken_back]
    for ply in said.plies:
        state = match.game.apply(state, ply)
    return state


def seats_of(question: Question) -> tuple[int, ...]:
    """The seats whose plies are in question."""
    return tuple(sorted({p.player for each in question.choices for p in each.plies if isinstance(p.player, int)}))


def _means(choice: Choice, moved: Moved | Choice) -> bool:
    return (choice.plies, choice.taken_back) == (moved.plies, moved.taken_back)


def _same(asked: tuple[Choice, ...], now: tuple[Choice, ...]) -> bool:
    return len(asked) == len(now) and all(_means(a, b) for a, b in zip(asked, now))


def _ply(match: Match, given: Json, index: int) -> Ply[Any]:
    return record.read_ply(given, match.game, f"plies[{index}]")
