"""From the session's state to what one observer is shown. Here everything passes through `Game.view` and `Game.say`."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final

from companion.engine import Choose, Confiding, Observer, Ply, Seat, record
from companion.engine.recognise import leaves
from companion.errors import IllegalError, Phrase
from companion.session.eyes_side import parts_shown
from companion.session.setup_draft import SetupDraft
from companion.session.snapshot import (
    MAX_LAST_PLIES,
    ChoiceShown,
    CorrectionShown,
    CoveredShown,
    HandShown,
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
MAX_HANDS: Final = 4000
"""So many hands that a seat may hold are gone through."""
MAX_COVERED: Final = 8
"""So many of a seat's own last plies can be told better."""


def show(state: State, observer: Observer, version: int, trouble: tuple[Phrase, ...] = ()) -> Snapshot:
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
        seen=match.game.view(match.state, observer) if match else None,
        layout=match.layout if match else None,
        plies=len(match.made) if match else 0,
        last=_last(match, observer) if match else (),
        question=_question(state, match, observer) if match else None,
        odd=state.odd,
        differences=state.differences,
        undo=UndoShown(state.undo.by, state.undo.number, state.undo.waiting) if state.undo else None,
        can_undo=match is not None and bool(match.made) and not match.abandoned,
        paused=state.paused,
        eyes=state.eyes,
        trouble=trouble,
        before=match.game.view(match.states[-2], observer).placement if match and match.made else None,
        has_hand=isinstance(observer, int) and hand(state, observer) is not None,
        hints=match is not None and match.opened.header.get(HINTS) is True,
        colours=tuple(match.opened.header.get("colours", COLOURS)) if match else COLOURS,
        owners=owners(match.layout, match.game.view(match.states[0], observer).placement) if match else {},
    )


def _draft(
    state: State, draft: SetupDraft, observer: Observer, version: int, trouble: tuple[Phrase, ...]
) -> Snapshot:
    """A set-up that is being read. What it hides (a blind game's colours) is hidden here too."""
    game = draft.game
    placement: Placement = {}
    if draft.shown is not None:
        start = game.start(draft.shown, draft.options, draft.players)
        placement = game.view(start, observer).placement
    hides = draft.shown is not None and draft.shown != game.open_setup(draft.shown, draft.options, observer)
    told = () if draft.made is None or hides else leaves(draft.made)
    return Snapshot(
        seq=state.seq, version=version, observer=observer, game=game.id, match=draft.number,
        players=tuple(PlayerShown(seat, each["name"]) for seat, each in enumerate(draft.header["players"])),
        seen=None, layout=draft.layout, plies=0, last=(), question=None, odd=(), differences=(), undo=None,
        can_undo=False, paused=False, eyes=state.eyes, trouble=trouble, owners=owners(draft.layout, placement),
        draft=DraftShown(
            is_read=draft.read is not None,
            placement=placement,
            open=parts_shown(draft),
            parts=tuple((path, value) for path, value in told if value is not None),
            differs=draft.entered is not None and draft.made is not None and not draft.agrees,
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


def hand(state: State, seat: Seat) -> HandShown | None:
    """What the seat alone may see and tell; None when the game hides nothing of it, or is over."""
    match = state.match
    if match is None or match.result is not None or seat >= match.opened.players:
        return None
    if not isinstance(match.game, Confiding):
        return None
    may_tell = tuple(islice(match.game.may_confide(match.state, seat), MAX_HANDS))
    own = [n for n, made in enumerate(match.made) if made.ply.player == seat]
    covered = tuple(each for n in reversed(own[-MAX_COVERED:]) if (each := _covered(match, seat, n)) is not None)
    return HandShown(may_tell, covered) if may_tell or covered else None


def _covered(match: Match, seat: Seat, n: int) -> CoveredShown | None:
    """Ply `n` (from 0) of the seat with what else it can have been for all that others saw; None when it hid nothing.

    What was hidden is one of the things that the seat could tell then (a coin of the hand), in a field of the action
    that is empty as others saw it.
    """
    ply, before = match.made[n].ply, match.states[n]
    seen = _open(match, ply)
    hands = islice(match.game.may_confide(before, seat) if isinstance(match.game, Confiding) else (), MAX_HANDS)
    things = sorted({thing for told in hands for held in told.values() for thing in held})
    empty = [field.name for field in fields(seen.action) if getattr(seen.action, field.name) is None]
    guesses = [Ply(seat, replace(seen.action, **{name: thing})) for name in empty for thing in things]
    others = [guess for guess in guesses
              if guess not in (ply, seen) and _open(match, guess) == seen and _can_be(match, before, guess)]
    said = tuple((match.game.write_action(each.action), match.game.say(before, each, seat)) for each in others)
    return CoveredShown(n + 1, match.game.say(before, ply, seat), said) if said else None


def _can_be(match: Match, before: Any, ply: Ply[Any]) -> bool:
    try:
        match.game.apply(before, ply)
    except IllegalError:
        return False
    return True


def corrections(state: State, observer: Observer) -> tuple[CorrectionShown, ...]:
    """Every other ply that could have been played in place of the last one, as this observer may know it."""
    match = state.match
    if match is None or not match.made or match.abandoned or not _sees_the_choice(match, observer):
        return ()
    played, before, now = match.made[-1].ply, match.states[-2], match.game.view(match.state, observer).placement
    plies = [ply for ply in match.game.legal(before) if ply != played and not isinstance(ply.action, Choose)]
    return tuple(_correction(match, before, ply, observer, now) for ply in plies)


def _sees_the_choice(match: Match, observer: Observer) -> bool:
    """Whether the list of what the last player could have played tells this observer nothing hidden: a hand."""
    if observer in (match.made[-1].ply.player, "referee"):
        return True
    before = match.states[-2]
    return bool(match.game.view(before, observer).known == match.game.view(before, "referee").known)


def record_lines(state: State) -> tuple[dict[str, Any], ...]:
    """The record of the game now: header, plies, and the result once it has ended.

    While a game is on, what set-up and plies hide (a blind game's colours, coins spent face down) is left out, whoever
    asks.
    """
    match = state.match
    if match is None:
        return ()
    plies = [
        record.write_ply(match.game, n, _open(match, made.ply), **_noted(at=made.event.at, source=made.event.source,
                                                           confidence=made.event.confidence))
        for n, made in enumerate(match.made, 1)
    ]  # fmt: skip
    result = () if match.result is None else ({"result": dict(match.result)},)
    return (_header(match), *plies, *result)


def _header(match: Match) -> dict[str, Any]:
    header, opened = dict(match.opened.header), match.opened
    if match.result is None and (setup := match.game.open_setup(opened.setup, opened.options, "room")) != opened.setup:
        header["setup"] = setup
    return header


def _open(match: Match, ply: Ply[Any]) -> Ply[Any]:
    if match.result is not None:
        return ply
    return Ply(ply.player, match.game.open_action(ply.action, match.opened.options))


def _noted(**notes: Any) -> dict[str, Any]:
    return {key: value for key, value in notes.items() if value is not None}


def _players(match: Match) -> tuple[PlayerShown, ...]:
    names = [each["name"] for each in match.opened.header["players"]]
    colours = match.layout.seat_colours or (None,) * len(names)
    seated = zip(names, colours, strict=True)
    return tuple(PlayerShown(seat, name, colour) for seat, (name, colour) in enumerate(seated))


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
        then = match.game.view(match.after(each), observer).placement
        choices.append(ChoiceShown(_said(match, start, each.plies, observer), then, _touched(now, then)))
    return QuestionShown(state.question.id, tuple(choices), state.question.seats)


def _correction(match: Match, before: Any, ply: Ply[Any], observer: Observer, now: Placement) -> CorrectionShown:
    then = match.game.view(match.game.apply(before, ply), observer).placement
    written = {"player": ply.player, "action": match.game.write_action(ply.action)}
    return CorrectionShown((written,), (match.game.say(before, ply, observer),), then, _touched(now, then))


def _said(match: Match, state: Any, plies: tuple[Ply[Any], ...], observer: Observer) -> tuple[Phrase, ...]:
    phrases = []
    for ply in plies:
        phrases.append(match.game.say(state, ply, observer))
        state = match.game.apply(state, ply)
    return tuple(phrases)


def _touched(now: Placement, then: Placement) -> tuple[Spot, ...]:
    return tuple(sorted(spot for spot in {*now, *then} if now.get(spot, ()) != then.get(spot, ())))
