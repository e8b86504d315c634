"""What each event does to the state: live play and the replay of a journal both go through `evolve`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import singledispatch

from companion.engine import Confiding, Json, record
from companion.engine.amend import amended
from companion.interpret import Choice
from companion.session.events import (
    SILENT,
    Amended,
    Asked,
    Confided,
    Corrected,
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
from companion.session.library import GameLibrary
from companion.session.setup_draft import SetupDraft, begin_draft
from companion.session.state import Made, Match, Question, State


def evolve(state: State, event: Event, library: GameLibrary) -> State:
    """The state after the event. Raises what the game raises when the event does not fit (a damaged journal)."""
    if not isinstance(event, SILENT):
        state = replace(state, seq=state.seq + 1)
    if isinstance(event, SetupBegun):
        return _with_draft(state, event.header, library)
    if isinstance(event, GameStarted):
        return _with_game(state, event.header, library)
    return _applied(event, state)


def resume(events: Iterable[Event], library: GameLibrary, seq: int, matches: int) -> State:
    """The state that the events of one game give, begun at `seq` and as game number `matches`, as after a restart: what
    only a look can tell is open again."""
    state = State(seq=seq, matches=max(0, matches - 1))
    for event in events:
        state = evolve(state, event, library)
    belief = state.match.interpreter.begin(state.match.state) if state.match else None
    return replace(state, question=None, undo=None, odd=(), differences=(), belief=belief)


def _with_draft(state: State, header: Mapping[str, Json], library: GameLibrary) -> State:
    draft = begin_draft(state.matches + 1, header, library.lookup, library.interpreter)
    return State(seq=state.seq, matches=state.matches, questions=state.questions, eyes=state.eyes, draft=draft)


def _with_game(state: State, header: Mapping[str, Json], library: GameLibrary) -> State:
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


# --- one function an event --------------------------------------------------------------------------------------------


@singledispatch
def _applied(event: object, state: State) -> State:
    """The state after an event of a set-up or a game that has begun."""
    raise TypeError(f"no effect of {type(event).__name__} on {type(state).__name__} is known")


@_applied.register
def _setup_seen(event: SetupSeen, state: State) -> State:
    return replace(state, draft=replace(_draft(state), read=event.setup, told=()))


@_applied.register
def _setup_told(event: SetupTold, state: State) -> State:
    draft = _draft(state)
    return replace(state, draft=replace(draft, told=(*draft.told, (event.path, event.value))))


@_applied.register
def _setup_dropped(_event: SetupDropped, state: State) -> State:
    return replace(state, draft=None)


@_applied.register
def _ply_made(event: PlyMade, state: State) -> State:
    match = _match(state)
    ply = record.read_ply(event.ply, match.game)
    after = match.game.apply(match.state, ply)
    return _playing(state, replace(match, states=(*match.states, after), made=(*match.made, Made(ply, event))))


@_applied.register
def _plies_taken_back(event: PliesTakenBack, state: State) -> State:
    match = _match(state)
    left = len(match.made) - event.number
    if event.number < 1 or left < 0:
        raise ValueError("more plies are taken back than were played")
    confided = tuple(each for each in match.confided if each[0] <= left)
    return _playing(state, replace(
        match, states=match.states[: left + 1], made=match.made[:left], result=None, confided=confided))


def _playing(state: State, match: Match) -> State:
    """The game goes on from here; nobody waits any more to take back what was played."""
    return replace(state, match=match, undo=None)


@_applied.register
def _corrected(_event: Corrected, state: State) -> State:
    return state  # the plies withdrawn and made are events of their own


@_applied.register
def _amended(event: Amended, state: State) -> State:
    match, index = _match(state), event.n - 1
    better = record.read_ply(event.ply, match.game)
    plies = [made.ply for made in match.made]
    states = amended(match.game, match.states[0], plies, index, better, match.confided)
    made = Made(better, replace(match.made[index].event, ply=event.ply))
    return replace(state, match=replace(
        match, states=states, made=(*match.made[:index], made, *match.made[index + 1:])))


@_applied.register
def _confided(event: Confided, state: State) -> State:
    match = _match(state)
    if not isinstance(match.game, Confiding):
        raise ValueError("a seat confides something in a game that takes no confidences")
    known = match.game.confide(match.state, event.seat, event.told)
    confided = (*match.confided, (len(match.made), event.seat, event.told))
    return replace(state, match=replace(match, states=(*match.states[:-1], known), confided=confided))


@_applied.register
def _game_ended(event: GameEnded, state: State) -> State:
    return replace(state, match=replace(_match(state), result=event.result), undo=None, question=None, odd=())


@_applied.register
def _asked(event: Asked, state: State) -> State:
    game = _match(state).game
    choices = tuple(
        Choice(tuple(record.read_ply(ply, game) for ply in each["plies"]), 0.0, each["taken_back"])
        for each in event.choices
    )
    return replace(state, question=Question(event.id, choices), questions=event.id)


@_applied.register
def _settled(_event: Settled, state: State) -> State:
    return replace(state, question=None)


@_applied.register
def _undo_asked(event: UndoAsked, state: State) -> State:
    return replace(state, undo=event)


@_applied.register
def _undo_refused(_event: UndoRefused, state: State) -> State:
    return replace(state, undo=None)


@_applied.register
def _odd_seen(event: OddSeen, state: State) -> State:
    return replace(state, odd=event.reasons)


@_applied.register
def _odd_gone(_event: OddGone, state: State) -> State:
    return replace(state, odd=())


@_applied.register
def _table_differs(event: TableDiffers, state: State) -> State:
    return replace(state, differences=event.what)


@_applied.register
def _paused(event: Paused, state: State) -> State:
    return replace(state, paused=event.on)


def _draft(state: State) -> SetupDraft:
    if state.draft is None:
        raise ValueError("an event of a set-up stands before its beginning")
    return state.draft


def _match(state: State) -> Match:
    if state.match is None:
        raise ValueError("an event of a game stands before its beginning")
    return state.match
