"""What each event does to the state: live play and the replay of a journal both go through `evolve`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from companion.engine import Confiding, record
from companion.errors import IllegalError
from companion.interpret import Choice
from companion.session.bot_seats import BOTS, bots_of
from companion.session.courses import refuted, told_course
from companion.session.events import (
    SILENT,
    Amended,
    Asked,
    BotSeated,
    Confided,
    Corrected,
    Event,
    GameEnded,
    GameReopened,
    GameStarted,
    OddGone,
    OddSeen,
    Paused,
    PliesTakenBack,
    PlyMade,
    Settled,
    SetupBegun,
    SetupCorrected,
    SetupDropped,
    SetupSeen,
    SetupTold,
    TableDiffers,
    UndoAsked,
    UndoRefused,
)
from companion.session.library import GameLibrary
from companion.session.pace import pace_of
from companion.session.setup_draft import SetupDraft, begin_draft
from companion.session.state import MAX_LATELY, Lately, Made, Match, Question, State


def evolve(state: State, event: Event, library: GameLibrary) -> State:
    """The state after the event. Raises what the game raises when the event does not fit (a damaged journal)."""
    if isinstance(event, SILENT):
        return _evolved(state, event, library)
    after = _evolved(replace(state, seq=state.seq + 1), event, library)
    ply = after.match.made[-1].ply if isinstance(event, PlyMade) and after.match is not None else None
    happened = Lately(after.seq, event, state.match, state.question, ply)
    return replace(after, lately=(*state.lately, happened)[-MAX_LATELY:])


def _evolved(state: State, event: Event, library: GameLibrary) -> State:
    if isinstance(event, SetupBegun):
        return _with_draft(state, event, library)
    if isinstance(event, GameStarted):
        return _with_game(state, event, library)
    if isinstance(event, SetupCorrected):
        return _setup_corrected(state, event, library)
    return EFFECTS[type(event)](state, event)


def resume(events: Iterable[Event], library: GameLibrary, seq: int, matches: int) -> State:
    """The state that the events of one game give, begun at `seq` and as game number `matches`, as after a restart: what
    only a look can tell is open again."""
    state = State(seq=seq, matches=max(0, matches - 1))
    for event in events:
        state = evolve(state, event, library)
    belief = state.match.interpreter.begin(state.match.state) if state.match else None
    return replace(state, question=None, undo=None, odd=(), differences=(), belief=belief)


def _with_draft(state: State, event: SetupBegun, library: GameLibrary) -> State:
    draft = begin_draft(state.matches + 1, event.header, library.lookup, library.interpreter, event.key)
    return State(
        seq=state.seq, matches=state.matches, questions=state.questions, eyes=state.eyes, draft=draft,
        shelved=state.match or state.shelved)


def _with_game(state: State, event: GameStarted, library: GameLibrary) -> State:
    opened = record.read_header(event.header, library.lookup)
    layout = opened.game.layout(opened.setup)
    interpreter = library.interpreter(opened.game, layout)
    number = state.matches + 1
    return State(
        seq=state.seq,
        match=Match(
            number, opened, interpreter, layout, (opened.state,), (opened.state,),
            key=event.key or _key_of_old(number, opened), pace=pace_of(opened.header)),
        matches=number,
        questions=state.questions,
        belief=interpreter.begin(opened.state),
        eyes=state.eyes,
    )


def _setup_corrected(state: State, event: SetupCorrected, library: GameLibrary) -> State:
    match = _match(state)
    opened = record.read_header({**match.opened.header, "setup": event.setup}, library.lookup)
    layout = opened.game.layout(opened.setup)
    made = tuple(Made(record.read_ply(ply, opened.game), replace(was.event, ply=ply))
                 for ply, was in zip(event.plies, match.made))
    states = [opened.state]
    for each in made:
        states.append(opened.game.apply(states[-1], match.seen(each.ply)))
    confided = tuple(each for each in match.confided if each[0] <= len(made))
    corrected = replace(
        match, opened=opened, layout=layout, interpreter=library.interpreter(opened.game, layout), states=tuple(states),
        told=tuple(states), made=made, confided=confided)
    return replace(_playing(state, _retold(corrected)), belief=None, held=None)


def _key_of_old(number: int, opened: record.OpenedGame) -> str:
    """What a game is called that began before games had keys."""
    return f"{number} {opened.header['started']}"


# --- one function an event --------------------------------------------------------------------------------------------


def _setup_seen(state: State, event: SetupSeen) -> State:
    return replace(state, draft=replace(_draft(state), read=event.setup, said=()))


def _setup_told(state: State, event: SetupTold) -> State:
    draft = _draft(state)
    return replace(state, draft=replace(draft, said=(*draft.said, (event.path, event.value))))


def _setup_dropped(state: State, _event: SetupDropped) -> State:
    return replace(state, draft=None)


def _ply_made(state: State, event: PlyMade) -> State:
    match = _match(state).paced(event.at)
    ply = record.read_ply(event.ply, match.game)
    seen = match.seen(ply)
    after = match.game.apply(match.state, seen)
    made = replace(match, states=(*match.states, after), made=(*match.made, Made(ply, event)))
    if ply == seen and match.told[-1] is match.state:
        return _playing(state, replace(made, told=(*match.told, after)))
    with suppress(IllegalError):
        return _playing(state, replace(made, told=(*match.told, match.game.apply(match.told[-1], ply))))
    return _playing(state, _retold(made))


def _retold(match: Match) -> Match:
    """The game with what was told of it worked out from the start: what cannot be any more is put aside."""
    made = match.made
    plies, told = told_course(
        match.game, match.opened.state, [each.ply for each in made], match.seen_plies, match.confided)
    kept = tuple(
        each if each.ply == ply else Made(ply, replace(each.event, ply=match.written(ply)))
        for each, ply in zip(made, plies))
    before = refuted(match.game, match.told, match.confided)
    no_more = {seat for n, seat, what in refuted(match.game, told, match.confided) if (n, seat, what) not in before}
    unsaid = {each.ply.player for each, now in zip(made, kept) if now is not each and isinstance(each.ply.player, int)}
    return replace(match, made=kept, told=told, put_aside=match.put_aside | no_more | unsaid)


def _plies_taken_back(state: State, event: PliesTakenBack) -> State:
    match = _match(state)
    left = len(match.made) - event.number
    if event.number < 1 or left < 0:
        raise ValueError("more plies are taken back than were played")
    confided = tuple(each for each in match.confided if each[0] <= left)
    put_aside = match.put_aside.union(seat for n, seat, _ in match.confided if n > left)
    return _playing(state, replace(
        match, states=match.states[: left + 1], told=match.told[: left + 1], made=match.made[:left], result=None,
        confided=confided, put_aside=put_aside))


def _playing(state: State, match: Match) -> State:
    """The game goes on from here; nobody waits any more to take back what was played."""
    return replace(state, match=match, undo=None)


def _corrected(state: State, _event: Corrected) -> State:
    return state  # the plies withdrawn and made are events of their own


def _amended(state: State, event: Amended) -> State:
    match, index = _match(state), event.n - 1
    better = record.read_ply(event.ply, match.game)
    made = Made(better, replace(match.made[index].event, ply=event.ply))
    return replace(state, match=_retold(replace(
        match, made=(*match.made[:index], made, *match.made[index + 1:]), put_aside=match.put_aside - {better.player})))


def _confided(state: State, event: Confided) -> State:
    match = _match(state)
    if not isinstance(match.game, Confiding):
        raise ValueError("a seat confides something in a game that takes no confidences")
    known = match.game.confide(match.told[-1], event.seat, event.told)
    confided = (*match.confided, (len(match.made), event.seat, event.told))
    return replace(state, match=replace(
        match, told=(*match.told[:-1], known), confided=confided, put_aside=match.put_aside - {event.seat}))


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, match=replace(_match(state), result=event.result), undo=None, question=None, odd=())


def _game_reopened(state: State, _event: GameReopened) -> State:
    if state.reopenable is None:
        raise ValueError("a game is reopened that nobody has ended")
    return replace(state, match=replace(state.reopenable, result=None), shelved=None)


def _bot_seated(state: State, event: BotSeated) -> State:
    match = _match(state)
    header = match.opened.header
    bots = {str(seat): level for seat, level in (bots_of(header) | {event.seat: event.level}).items() if level}
    header = {key: value for key, value in header.items() if key != BOTS} | ({BOTS: bots} if bots else {})
    return replace(state, match=replace(match, opened=replace(match.opened, header=header)))


def _asked(state: State, event: Asked) -> State:
    game = _match(state).game
    choices = tuple(
        Choice(tuple(record.read_ply(ply, game) for ply in each["plies"]), 0.0, each["taken_back"])
        for each in event.choices
    )
    return replace(state, question=Question(event.id, choices), questions=event.id)


def _settled(state: State, _event: Settled) -> State:
    return replace(state, question=None)


def _undo_asked(state: State, event: UndoAsked) -> State:
    was = state.undo
    is_same = was is not None and (was.by, was.number) == (event.by, event.number)
    return replace(state, undo=event, undo_seq=state.undo_seq if is_same else state.seq)


def _undo_refused(state: State, _event: UndoRefused) -> State:
    return replace(state, undo=None)


def _odd_seen(state: State, event: OddSeen) -> State:
    return replace(state, odd=event.reasons)


def _odd_gone(state: State, _event: OddGone) -> State:
    return replace(state, odd=())


def _table_differs(state: State, event: TableDiffers) -> State:
    return replace(state, differences=event.what)


def _paused(state: State, event: Paused) -> State:
    match = None if state.match is None else state.match.paced(event.at, rests=state.paused)
    return replace(state, match=match, paused=event.on)


def _draft(state: State) -> SetupDraft:
    if state.draft is None:
        raise ValueError("an event of a set-up stands before its beginning")
    return state.draft


def _match(state: State) -> Match:
    if state.match is None:
        raise ValueError("an event of a game stands before its beginning")
    return state.match


EFFECTS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = {
    SetupSeen: _setup_seen,
    SetupTold: _setup_told,
    SetupDropped: _setup_dropped,
    PlyMade: _ply_made,
    PliesTakenBack: _plies_taken_back,
    Corrected: _corrected,
    Amended: _amended,
    Confided: _confided,
    GameEnded: _game_ended,
    GameReopened: _game_reopened,
    BotSeated: _bot_seated,
    Asked: _asked,
    Settled: _settled,
    UndoAsked: _undo_asked,
    UndoRefused: _undo_refused,
    OddSeen: _odd_seen,
    OddGone: _odd_gone,
    TableDiffers: _table_differs,
    Paused: _paused,
}
"""The effect of each event but those that begin a set-up or a game."""
