"""The session's state, frozen, and how each event changes it. Live play and replay of the journal both go through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.engine import AnyGame, Json, Ply, record
from companion.engine.amend import Confidence, amended
from companion.errors import Phrase
from companion.interpret import Choice, Outcome
from companion.session.events import (
    SILENT,
    Amended,
    Asked,
    AskedChoice,
    Confided,
    Event,
    GameEnded,
    GameStarted,
    OddGone,
    OddSeen,
    Paused,
    PliesTakenBack,
    PlyMade,
    Settled,
    SetupBegun,
    SetupDropped,
    SetupSeen,
    SetupTold,
    TableDiffers,
    UndoAsked,
    UndoRefused,
)
from companion.session.setup_draft import SetupDraft, begin_draft
from companion.session.snapshot import EyesShown
from companion.table import Layout, Observation, Placement


class Verdict(Protocol):
    """What one look or answer came to."""

    @property
    def belief(self) -> Any:
        """The belief from now on."""

    @property
    def outcome(self) -> Outcome:
        """What to tell."""


class LookInterpreter(Protocol):
    """What the session asks of `companion.interpret`; `belief` and `state` are opaque values here."""

    def setup_seen(self, observation: Observation, options: Mapping[str, Json], players: int) -> Json:
        """The set-up as a look shows it, null for what it cannot tell."""

    def begin(self, state: Any) -> Any:
        """A belief in which nothing has been seen yet."""

    def look(self, belief: Any, observation: Observation) -> Verdict:
        """What a free look tells."""

    def answer(self, belief: Any, choice: int | None) -> Verdict:
        """A person chose one of the explanations, or none of them."""

    def corrected(self, state: Any) -> Any:
        """The belief once a person said what the state is."""

    def confirmed(self, belief: Any) -> Any:
        """The belief once a person said that the last ply stands."""

    def differences(self, belief: Any, observation: Observation) -> tuple[Phrase, ...]:
        """How to put the table back to the believed state; empty when it stands so."""


@dataclass(frozen=True, slots=True)
class GameLibrary:
    """How a game is opened: where games are looked up, and who explains looks at its table."""

    lookup: record.Lookup
    interpreter: Callable[[AnyGame, Layout], LookInterpreter]


@dataclass(frozen=True, slots=True)
class Made:
    """A ply that was played, with the words of its event."""

    ply: Ply[Any]
    event: PlyMade


@dataclass(frozen=True, slots=True)
class Match:
    """A game being played. `states[0]` is the start, `states[n]` the state after ply `n`."""

    number: int
    opened: record.Opened
    interpreter: LookInterpreter
    layout: Layout
    states: tuple[Any, ...]
    made: tuple[Made, ...] = ()
    result: Mapping[str, Json] | None = None
    confided: tuple[Confidence, ...] = ()
    """What seats told of what only they see, and when."""

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.opened.game

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    @property
    def abandoned(self) -> bool:
        """Whether people ended it before the rules did: nothing can be added to it."""
        return self.result is not None and self.result["reason"] == "abandoned"


NO_EYES = EyesShown("none")


@dataclass(frozen=True, slots=True)
class Question:
    """An open question of the eyes."""

    id: int
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that the session knows. `belief`, `held` and `eyes` are not remembered across a restart: the eyes look anew.

    `held` is how the table stood when plies were taken back or corrected: as long as it is seen so, those plies are
    not given out again.
    """

    seq: int = 0
    draft: SetupDraft | None = None
    match: Match | None = None
    matches: int = 0
    question: Question | None = None
    questions: int = 0
    undo: UndoAsked | None = None
    paused: bool = False
    odd: tuple[Phrase, ...] = ()
    differences: tuple[Phrase, ...] = ()
    belief: Any = None
    held: Placement | None = None
    eyes: EyesShown = NO_EYES


def evolve(state: State, event: Event, library: GameLibrary) -> State:
    """The state after the event. Raises what the game raises when the event does not fit (a damaged journal)."""
    if not isinstance(event, SILENT):
        state = replace(state, seq=state.seq + 1)
    match event:
        case SetupBegun(header):
            draft = begin_draft(state.matches + 1, header, library.lookup, library.interpreter)
            return replace(
                State(seq=state.seq, matches=state.matches, questions=state.questions, eyes=state.eyes), draft=draft)
        case SetupSeen(setup):
            return replace(state, draft=replace(_draft(state), read=setup, told=()))
        case SetupTold(path=path, value=value):
            draft = _draft(state)
            return replace(state, draft=replace(draft, told=(*draft.told, (path, value))))
        case SetupDropped():
            return replace(state, draft=None)
        case GameStarted(header):
            return _started(state, header, library)
        case PlyMade():
            return replace(state, match=_played(_match(state), event), undo=None)
        case PliesTakenBack(number):
            return replace(state, match=_taken_back(_match(state), number), undo=None)
        case Amended():
            return replace(state, match=_amended(_match(state), event))
        case Confided():
            return replace(state, match=_confided(_match(state), event))
        case GameEnded(result):
            return replace(state, match=replace(_match(state), result=result), undo=None, question=None, odd=())
        case Asked(id, choices):
            return replace(state, question=_question(_match(state), id, choices), questions=id)
        case Settled():
            return replace(state, question=None)
        case UndoAsked():
            return replace(state, undo=event)
        case UndoRefused():
            return replace(state, undo=None)
        case OddSeen(reasons):
            return replace(state, odd=reasons)
        case OddGone():
            return replace(state, odd=())
        case TableDiffers(what):
            return replace(state, differences=what)
        case Paused(on):
            return replace(state, paused=on)
        case _:
            return state


def resume(events: Iterable[Event], library: GameLibrary, seq: int, matches: int) -> State:
    """The state that the events of one game give, begun at `seq` and as game number `matches`, as after a restart: what
    only a look can tell is open again."""
    state = State(seq=seq, matches=max(0, matches - 1))
    for event in events:
        state = evolve(state, event, library)
    belief = state.match.interpreter.begin(state.match.state) if state.match else None
    return replace(state, question=None, undo=None, odd=(), differences=(), belief=belief)


def _started(state: State, header: Mapping[str, Json], library: GameLibrary) -> State:
    opened = record.read_header(header, library.lookup)
    layout = opened.game.layout(opened.setup)
    interpreter = library.interpreter(opened.game, layout)
    number = state.matches + 1
    return State(
        seq=state.seq,
        match=Match(number, opened, interpreter, layout, (opened.state,)),
        matches=number,
        questions=state.questions,
        belief=interpreter.begin(opened.state),
        eyes=state.eyes,
    )


def _draft(state: State) -> SetupDraft:
    if state.draft is None:
        raise ValueError("an event of a set-up stands before its beginning")
    return state.draft


def _match(state: State) -> Match:
    if state.match is None:
        raise ValueError("an event of a game stands before its beginning")
    return state.match


def _played(match: Match, event: PlyMade) -> Match:
    ply = record.read_ply(event.ply, match.game)
    after = match.game.apply(match.state, ply)
    return replace(match, states=(*match.states, after), made=(*match.made, Made(ply, event)))


def _amended(match: Match, event: Amended) -> Match:
    index = event.n - 1
    better = record.read_ply(event.ply, match.game)
    plies = [made.ply for made in match.made]
    states = amended(match.game, match.states[0], plies, index, better, match.confided)
    made = Made(better, replace(match.made[index].event, ply=event.ply))
    return replace(match, states=states, made=(*match.made[:index], made, *match.made[index + 1:]))


def _confided(match: Match, event: Confided) -> Match:
    told = match.game.confide(match.state, event.seat, event.told)  # type: ignore[attr-defined]
    confided = (*match.confided, (len(match.made), event.seat, event.told))
    return replace(match, states=(*match.states[:-1], told), confided=confided)


def _taken_back(match: Match, number: int) -> Match:
    left = len(match.made) - number
    if number < 1 or left < 0:
        raise ValueError("more plies are taken back than were played")
    confided = tuple(each for each in match.confided if each[0] <= left)
    return replace(match, states=match.states[: left + 1], made=match.made[:left], result=None, confided=confided)


def _question(match: Match, id: int, choices: tuple[AskedChoice, ...]) -> Question:
    return Question(
        id,
        tuple(
            Choice(tuple(record.read_ply(ply, match.game) for ply in each["plies"]), 0.0, each["taken_back"])
            for each in choices
        ),
    )
