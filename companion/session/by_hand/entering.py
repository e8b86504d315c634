"""Who may enter which plies now: the entry that a phone is offered, made from what its seat knows.

A seat enters its own plies and what chance brought; the host enters for everybody, from what everybody saw. What of a
ply only its player sees is entered on no other phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine import CHANCE, Chance, Choose, Observer, Over, Ply, Seat, ToMove, record
from companion.errors import Phrase, phrase
from companion.session.by_hand.entry import EnterablePly, Entry
from companion.session.by_hand.fields import fields_of
from companion.session.by_hand.handles import Handle, PlyChange, Ties, change_of, ties_of
from companion.session.by_hand.reasons import Reasons
from companion.session.foresight import Foresight
from companion.session.state import Match, State
from companion.table import Placement, spot_phrase


@dataclass(frozen=True)
class EntryShown:
    """What a phone may enter now, or `why_not`. `seq` is the number that the command carries."""

    seq: int
    entry: Entry | None
    why_not: Phrase | None = None


def entry_for(state: State, seat: Seat | None, is_host: bool) -> EntryShown:
    """What the phone of this seat, or the host's, may enter now."""
    match = state.match
    if match is None:
        return EntryShown(state.seq, None, phrase("session.no_game"))
    turn = match.game.turn(match.state)
    if match.abandoned or isinstance(turn, Over):
        return EntryShown(state.seq, None, phrase("session.game_over"))
    if isinstance(turn, ToMove) and seat in turn.seats:
        return EntryShown(state.seq, _entry(match, seat))
    if is_host or (isinstance(turn, Chance) and seat is not None):
        return EntryShown(state.seq, _entry(match, None))
    who = tuple(match.opened.header["players"][each]["name"] for each in turn.seats) if isinstance(turn, ToMove) else ()
    return EntryShown(state.seq, None, phrase("entry.not_yours", who=who) if who else phrase("web.watches"))


def _entry(match: Match, seat: Seat | None) -> Entry:
    game = match.game
    observer: Observer = "room" if seat is None else seat
    before = match.state if seat is None else match.known_to(seat)[-1]
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
