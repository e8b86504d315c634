"""What became of a command that comes too late: what happened since the person looked, in words for everybody.

Only what everybody saw is told, as it was said to the room when it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.engine import CHANCE
from companion.errors import Phrase, PhraseArg, phrase
from companion.session.commands import Answer, By, Done, PersonCommand, TellSetup
from companion.session.events import (
    Event,
    GameEnded,
    GameReopened,
    GameStarted,
    Paused,
    PliesTakenBack,
    PlyMade,
    Settled,
    SetupBegun,
    SetupCorrected,
    SetupTold,
    UndoAsked,
    UndoRefused,
)
from companion.session.state import Lately, State

MOST_TOLD: Final = 3
"""So much of what happened is told, the newest."""


def overtaken(state: State, command: PersonCommand) -> Phrase:
    """Why a command does not count that was given for an earlier number: what came before it."""
    if isinstance(command, Answer):
        return answered(state, command)
    since = [each for each in state.lately if each.seq > command.seq]
    if isinstance(command, TellSetup) and (told := _told_before(since, command)) is not None:
        return told
    if isinstance(command, Done) and (settled := [each for each in since if isinstance(each.event, Settled)]):
        return _became(settled[-1], command.by)
    said = [said for each in since if (said := _said(each)) is not None]
    if command.seq > state.seq or not said:
        return phrase("session.stale")
    return phrase("session.stale_since", what=tuple(said[-MOST_TOLD:]))


def answered(state: State, command: Answer) -> Phrase:
    """What became of the question that is answered too late."""
    for each in reversed(state.lately):
        if isinstance(each.event, Settled) and each.event.id == command.question:
            return _became(each, command.by, command.choice)
    return phrase("session.question_gone")


def is_still_open(state: State, command: PersonCommand) -> bool:
    """Whether this says a part of the set-up that is still asked for, though others have said other parts meanwhile."""
    draft, lately = state.draft, state.lately
    if draft is None or not isinstance(command, TellSetup) or not 0 <= command.seq <= state.seq:
        return False
    begun = [each.seq for each in lately if isinstance(each.event, SetupBegun)]
    if command.seq < (begun[-1] if begun else lately[0].seq if lately else state.seq):
        return False
    return any(part.path == command.path and command.value in part.choices for part in draft.open)


def _told_before(since: list[Lately], command: TellSetup) -> Phrase | None:
    """Who has said the same part; what was said there is drawn on the page of those who may see it."""
    told = [each.event for each in since if isinstance(each.event, SetupTold) and each.event.path == command.path]
    if not told:
        return None
    again = told[-1].by == command.by and told[-1].value == command.value
    return phrase("session.answer.counted" if again else "session.part_told", what=phrase("session.answer.part"))


def _became(lately: Lately, by: By, choice: int | None = None) -> Phrase:
    event = lately.event
    assert isinstance(event, Settled)
    what = _choice(lately, event.choice)
    if event.by == "table":
        if event.choice is None:
            return phrase("session.question_gone")
        return phrase("session.answer.table", what=what)
    if (event.by, event.choice) == (by, choice):
        return phrase("session.answer.counted", what=what)
    return phrase("session.answer.first", who=_who(lately, event.by), what=what)


def _choice(lately: Lately, choice: int | None) -> Phrase:
    """The choice that was taken, as it was said to the room."""
    match, question = lately.match, lately.question
    if choice is None or match is None or question is None or choice >= len(question.choices):
        return phrase("session.answer.none")
    chosen, said = question.choices[choice], []
    state = match.states[len(match.made) - chosen.taken_back]
    for ply in chosen.plies:
        said.append(match.game.say(state, match.seen(ply), "room"))
        state = match.game.apply(state, ply)
    return phrase("session.answer.plies", plies=tuple(said)) if said else phrase("session.answer.nothing")


def _who(lately: Lately, by: By) -> PhraseArg:
    if isinstance(by, int):
        return lately.match.names((by,)) if lately.match is not None else phrase(f"session.by.{by}")
    return phrase(f"session.by.{by}")


def _said(lately: Lately) -> Phrase | None:
    kind = type(lately.event)
    if kind in PLAINLY:
        return phrase(PLAINLY[kind])
    return TELLING[kind](lately, lately.event) if kind in TELLING else None


def _ply_made(lately: Lately, event: PlyMade) -> Phrase | None:
    match, player = lately.match, event.ply["player"]
    if match is None or lately.ply is None:
        return None
    said = match.game.say(match.state, match.seen(lately.ply), "room")
    return phrase("session.since.chance", what=said) if player == CHANCE else phrase(
        "session.since.ply", who=match.names((player,)), what=said)


def _taken_back(lately: Lately, event: PliesTakenBack) -> Phrase:
    return phrase(f"session.since.{event.why}", who=_who(lately, event.by), n=event.number)


def _settled(lately: Lately, event: Settled) -> Phrase:
    return phrase("session.since.settled", who=_who(lately, event.by), what=_choice(lately, event.choice))


TELLING: Final[Mapping[type[Event], Callable[[Lately, Any], Phrase | None]]] = {
    PlyMade: _ply_made,
    PliesTakenBack: _taken_back,
    Settled: _settled,
    SetupCorrected: lambda lately, event: phrase("session.since.setup_corrected", who=_who(lately, event.by)),
    UndoAsked: lambda lately, event: phrase("session.since.undo_asked", who=_who(lately, event.by)),
    UndoRefused: lambda lately, event: phrase("session.since.undo_refused", who=_who(lately, event.by)),
    Paused: lambda _, event: phrase("session.since.paused" if event.on else "session.since.goes_on"),
}
"""How each event is told to who comes too late …"""

PLAINLY: Final[Mapping[type[Event], str]] = {
    GameStarted: "session.since.started",
    GameEnded: "session.since.ended",
    GameReopened: "session.since.reopened",
    SetupBegun: "session.since.setup",
    SetupTold: "session.since.part",
}
"""… or the one sentence for it. What stands in neither is not worth telling."""
