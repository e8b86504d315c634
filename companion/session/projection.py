"""From the session's state to what one observer is shown. Here everything passes through `Game.view` and `Game.say`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from companion.engine import Confiding, Accounting, Choose, Observer, Ply, ScoreParts, Seat, Seen, ToMove
from companion.engine.positions import is_position
from companion.engine.recognise import leaves
from companion.errors import Phrase, phrase
from companion.session.bot_seats import bots_of
from companion.session.carrying import answering, carried_now, waits_for_hand
from companion.session.eyes_side import parts_shown
from companion.session.foresight import Foresight
from companion.session.hands import hand
from companion.session.positions import position_offered
from companion.session.rights import host_corrects
from companion.session.setup_draft import SetupDraft
from companion.session.snapshot import (
    MAX_LAST_PLIES,
    CarryShown,
    ChoiceShown,
    ClockShown,
    CorrectionShown,
    DraftShown,
    PlayerShown,
    PlyShown,
    QuestionShown,
    Snapshot,
    UndoShown,
)
from companion.session.state import Match, State
from companion.table import COLOURS, Appearance, Layout, Placement, Spot

HINTS: Final = "x-hints"
"""The note in a record's header that hints are allowed."""


def snapshot_of(state: State, observer: Observer, version: int, trouble: tuple[Phrase, ...] = ()) -> Snapshot:
    """All that `observer` may know of the session."""
    if state.draft is not None:
        return _draft(state, state.draft, observer, version, trouble)
    match = state.match
    return Snapshot(
        seq=state.seq,
        version=version,
        observer=observer,
        game=match.game.id if match else "",
        match=match.number if match else 0,
        players=_players(match) if match else (),
        seen=_seen(match, observer) if match else None,
        layout=match.layout if match else None,
        plies=len(match.made) if match else 0,
        last=_last(match, observer) if match else (),
        question=_question(state, match, observer) if match else None,
        odd=state.odd,
        differences=state.differences,
        offered=position_offered(state),
        undo=UndoShown(state.undo.by, state.undo.number, state.undo.waiting) if state.undo else None,
        can_undo=match is not None and bool(match.made) and not match.abandoned,
        paused=state.paused,
        eyes=state.eyes,
        can_reopen=state.reopenable is not None,
        trouble=trouble,
        before=match.game.view(match.states[-2], observer).placement if match and match.made else None,
        has_hand=isinstance(observer, int) and hand(state, observer) is not None,
        hints=match is not None and match.opened.header.get(HINTS) is True,
        host_corrects=match is not None and host_corrects(match),
        colours=tuple(match.opened.header.get("colours", COLOURS)) if match else COLOURS,
        owners=owners(match.layout, match.game.view(match.states[0], observer).placement) if match else {},
        unheeded=state.unheeded,
        clocks=_clocks(state, match) if match else (),
        carry=_carry(state, match, observer) if match else None,
        bot_seats=tuple(bots_of(match.opened.header)) if match else (),
        waits_for_hand=waits_for_hand(state),
        score_parts=_score_parts(match) if match else (),
        bots=tuple(bots_of(match.opened.header)) if match and not isinstance(match.game, Confiding) else None,
        key=match.key if match else "",
    )


def _score_parts(match: Match) -> ScoreParts:
    """What the scores are made of, by what everybody saw."""
    return match.game.score_parts(match.state) if isinstance(match.game, Accounting) else ()


def _draft(
    state: State, draft: SetupDraft, observer: Observer, version: int, trouble: tuple[Phrase, ...]
) -> Snapshot:
    """A set-up that is being read. What it hides (a blind game's colours) is hidden here too."""
    game = draft.game
    placement: Placement = {}
    if (shown := draft.shown(observer)) is not None:
        placement = game.view(game.start(shown, draft.options, draft.players), observer).placement
    made = draft.made_for(observer)
    return Snapshot(
        seq=state.seq, version=version, observer=observer, game=game.id, match=draft.number,
        players=tuple(PlayerShown(seat, each["name"]) for seat, each in enumerate(draft.header["players"])),
        seen=None, layout=draft.layout, plies=0, last=(), question=None, odd=(), differences=(), undo=None,
        can_undo=False, paused=False, eyes=state.eyes, can_reopen=state.reopenable is not None, trouble=trouble,
        owners=owners(draft.layout, placement), unheeded=state.unheeded, key=draft.key,
        draft=DraftShown(
            is_read=draft.read is not None,
            placement=placement,
            open=parts_shown(draft, draft.open_to(observer)),
            parts=() if made is None else tuple((path, value) for path, value in leaves(made) if value is not None),
            differs=draft.entered is not None and made is not None and not draft.agrees,
            waiting=draft.waiting,
            ready=draft.setup is not None,
            why_not=draft.why_not.phrase if draft.why_not else None,
        ),
    )


def owners(layout: Layout, start: Placement) -> dict[Appearance, Seat]:
    """Whose pieces are: those that lie in zones of one seat alone when the game starts."""
    seats = {zone.spot: zone.seat for zone in layout.zones if zone.seat is not None}
    found: dict[Appearance, set[Seat]] = {}
    for spot, pieces in start.items():
        for piece in pieces if spot in seats else ():
            found.setdefault(piece, set()).add(seats[spot])
    return {piece: next(iter(among)) for piece, among in found.items() if len(among) == 1}


def correction_offers(state: State, observer: Observer) -> tuple[CorrectionShown, ...]:
    """Every other ply that could have been played in place of the last one, as this observer may know it."""
    match = state.match
    if match is None or not match.made or match.abandoned or is_position(match.made[-1].ply):
        return ()
    if not _sees_the_choice(match, observer):
        return ()
    played, before = match.seen(match.made[-1].ply), match.states[-2]
    now = match.game.view(match.state, observer).placement
    plies = [ply for ply in match.game.legal(before) if ply != played and not isinstance(ply.action, Choose)]
    foresight = Foresight(match.game, before, observer)
    return tuple(
        CorrectionShown((match.written(ply),), (match.game.say(before, ply, observer),), then, _touched(now, then))
        for ply in plies for then in (foresight.after((ply,)),))


def _sees_the_choice(match: Match, observer: Observer) -> bool:
    """Whether the list of what the last player could have played tells this observer nothing hidden: a hand."""
    if observer in (match.made[-1].ply.player, "referee"):
        return True
    before = match.states[-2]
    return bool(match.game.view(before, observer).known == match.game.view(before, "referee").known)


def _seen(match: Match, observer: Observer) -> Seen:
    """The state as this observer knows it, and whether something that it told was put aside."""
    seen = match.game.view(match.told[-1], observer)
    if match.result is not None or observer not in match.put_aside:
        return seen
    return replace(seen, facts=(*seen.facts, phrase("session.put_aside")))


def _players(match: Match) -> tuple[PlayerShown, ...]:
    names = [each["name"] for each in match.opened.header["players"]]
    colours = match.layout.seat_colours or (None,) * len(names)
    seated = zip(names, colours, strict=True)
    return tuple(PlayerShown(seat, name, colour) for seat, (name, colour) in enumerate(seated))


def _carry(state: State, match: Match, observer: Observer) -> CarryShown | None:
    ply = carried_now(state)
    if ply is None or not isinstance(ply.player, int):
        return None
    known = match.told[-1] if observer == ply.player else match.state
    then = Foresight(match.game, known, observer).after((ply if observer == ply.player else match.seen(ply),))
    return CarryShown(ply.player, match.game.say(match.state, ply, observer), then)


def _clocks(state: State, match: Match) -> tuple[ClockShown, ...]:
    if match.pace is None:
        return ()
    turn, since = match.game.turn(match.state), match.pace.since
    runs = isinstance(turn, ToMove) and match.result is None and not state.paused
    now = turn.seats if isinstance(turn, ToMove) and runs else ()
    return tuple(
        ClockShown(seat, used_s, since if seat in now else "") for seat, used_s in enumerate(match.pace.used_s))


def _last(match: Match, observer: Observer) -> tuple[PlyShown, ...]:
    first = max(0, len(match.made) - MAX_LAST_PLIES)
    return tuple(
        PlyShown(
            n=n + 1,
            player=made.ply.player,
            phrase=match.game.say(match.states[n], made.ply, observer),
            source=made.event.source,
            confidence=made.event.confidence,
        )
        for n, made in enumerate(match.made[first:], first)
    )


def _question(state: State, match: Match, observer: Observer) -> QuestionShown | None:
    if state.question is None:
        return None
    now = match.game.view(match.state, observer).placement
    choices = []
    for each in state.question.choices:
        start = match.states[len(match.made) - each.taken_back]
        then = Foresight(match.game, start, observer).after(each.plies)
        choices.append(ChoiceShown(_said(match, start, each.plies, observer), then, _touched(now, then)))
    pointed = state.question.pointed
    seats = answering(match, state.question)
    return QuestionShown(state.question.id, tuple(choices), seats, None if pointed is None else pointed.choice)


def _said(match: Match, state: Any, plies: tuple[Ply[Any], ...], observer: Observer) -> tuple[Phrase, ...]:
    phrases = []
    for ply in plies:
        phrases.append(match.game.say(state, ply, observer))
        state = match.game.apply(state, ply)
    return tuple(phrases)


def _touched(now: Placement, then: Placement) -> tuple[Spot, ...]:
    return tuple(sorted(spot for spot in {*now, *then} if now.get(spot, ()) != then.get(spot, ())))
