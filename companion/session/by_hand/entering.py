"""Who may enter which plies now: the entry that a phone is offered, made from what its seat knows.

A seat enters its own plies and what chance brought; the host enters for everybody, from what everybody saw. What of a
ply only its player sees is entered on no other phone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine import CHANCE, Chance, Choose, Json, Observer, Over, Ply, Seat, ToMove, record
from companion.engine.positions import is_position
from companion.errors import Phrase, phrase
from companion.session.by_hand.earlier import EarlierPly, Replacement
from companion.session.by_hand.entry import EnterablePly, Entry
from companion.session.by_hand.fields import fields_of
from companion.session.by_hand.handles import Handle, PlyChange, Ties, change_of, ties_of
from companion.session.by_hand.reasons import Reasons
from companion.session.foresight import Foresight
from companion.session.rights import may_correct
from companion.session.state import Match, State
from companion.table import Placement, spot_phrase


@dataclass(frozen=True)
class EntryShown:
    """What a phone may enter now, or `why_not`. `seq` is the number that the command carries."""

    seq: int
    entry: Entry | None
    why_not: Phrase | None = None
    earlier: EarlierPly | None = None
    """The ply that is put right, if it is not a new one."""

    def correction(self, written: Mapping[str, Json]) -> Replacement:
        """What is said by entering this ply."""
        return Replacement(0, (written,)) if self.earlier is None else self.earlier.replaced_by(written)


def entry_for(state: State, seat: Seat | None, is_host: bool) -> EntryShown:
    """What the phone of this seat, or the host's, may enter now."""
    match = state.match
    if match is None:
        return EntryShown(state.seq, None, phrase("session.no_game"))
    turn = match.game.turn(match.state)
    if match.abandoned or isinstance(turn, Over):
        return EntryShown(state.seq, None, phrase("session.game_over"))
    if state.rests:
        return EntryShown(state.seq, None, phrase("session.paused"))
    if isinstance(turn, ToMove) and seat in turn.seats:
        return EntryShown(state.seq, _entry(match, seat))
    if is_host or (isinstance(turn, Chance) and seat is not None):
        return EntryShown(state.seq, _entry(match, None))
    who = tuple(match.opened.header["players"][each]["name"] for each in turn.seats) if isinstance(turn, ToMove) else ()
    return EntryShown(state.seq, None, phrase("entry.not_yours", who=who) if who else phrase("web.watches"))


def entry_again(state: State, n: int, seat: Seat | None, is_host: bool) -> EntryShown:
    """What the phone of this seat, or the host's, may say that ply `n` (from 1) really was."""
    match = state.match
    if match is None or match.abandoned or not 1 <= n <= len(match.made):
        return EntryShown(state.seq, None, phrase("session.nothing_to_correct"))
    if state.rests:
        return EntryShown(state.seq, None, phrase("session.paused"))
    if is_position(match.made[n - 1].ply):
        return EntryShown(state.seq, None, phrase("entry.position"))
    player = match.made[n - 1].ply.player
    is_own = seat is not None and may_correct(match, seat, len(match.made) - n + 1, ())
    if not is_own and not is_host:
        return EntryShown(state.seq, None, phrase("session.correct_own_turn"))
    played = match.seen(match.made[n - 1].ply)
    earlier = EarlierPly(match, n, match.game.say(match.states[n - 1], played, "room"))
    entry = _entry(match, seat if seat == player else None, n - 1)
    others = tuple(ply for ply in entry.plies if ply.written != match.written(played))
    return EntryShown(state.seq, replace(entry, plies=others), earlier=earlier)


def _entry(match: Match, seat: Seat | None, at: int = -1) -> Entry:
    game = match.game
    observer: Observer = "room" if seat is None else seat
    before = match.states[at] if seat is None else match.known_to(seat)[at]
    now = game.view(before, observer).placement
    plies = list(_plies(match, before, seat))
    changes = list(_changes(match, before, observer, now, plies))
    ties = ties_of([change for change in changes if change.handles], match.layout)
    return Entry(
        plies=tuple(_enterable(match, n, *each, ties) for n, each in enumerate(zip(plies, changes))),
        now=now,
        say=lambda written: game.say(before, record.read_ply(written, game, "ply"), observer),
        naming=lambda handle: _named(handle, now),
        refusing=Reasons(game, before, ties).why_not,
        zones=frozenset(zone.spot for zone in match.layout.zones),
        carriers=ties.carriers,
    )


def _plies(match: Match, before: Any, seat: Seat | None) -> Iterator[Ply[Any]]:
    """The plies of the seat, or all as everybody sees them; what chance may bring."""
    game = match.game
    found: dict[Ply[Any], None] = {}
    for ply in game.legal(before):
        if seat is None and not isinstance(ply.action, Choose):
            found[match.seen(ply)] = None
        elif seat in (None, ply.player):
            yield ply
    if isinstance(game.turn(before), Chance):
        found |= {match.seen(Ply(CHANCE, action)): None for action, _ in game.outcomes(before)}
    yield from found


def _changes(
    match: Match, before: Any, observer: Observer, now: Placement, plies: list[Ply[Any]]
) -> Iterator[PlyChange]:
    """What each ply changes; of chance and of choices nothing is looked for."""
    foresight = Foresight(match.game, before, observer)
    for ply in plies:
        if isinstance(ply.action, Choose):
            yield PlyChange(fields_of({"type": ply.action.type, **dict(ply.action.rest)}))
        elif ply.player == CHANCE:
            yield PlyChange(fields_of(match.game.write_action(ply.action)))
        else:
            yield change_of(match.game.write_action(ply.action), now, foresight.after((ply,)), match.layout)


def _enterable(match: Match, n: int, ply: Ply[Any], change: PlyChange, ties: Ties) -> EnterablePly:
    if isinstance(ply.action, Choose):
        return EnterablePly(n, change.fields, frozenset(), {"player": ply.player}, ply.action)
    return EnterablePly(n, change.fields, ties.handles(change), match.written(ply))


def _named(handle: Handle, now: Placement) -> Phrase:
    """What is touched, in words."""
    where, there = spot_phrase(handle.spot), now.get(handle.spot, ())
    piece = handle.piece or (there[-1] if there else "")
    return phrase("entry.piece", piece=piece, spot=where) if piece else where
