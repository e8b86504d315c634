"""Going on from what stands on a table, however it came to stand so: a ply of its own kind, beside those of the game.

    game = with_positions(game)
    ply = Ply(CHANCE, Position.of({"grid:c4": ("red/tall_can",), …}, seat=1))
    state = game.apply(state, ply)              # in this state that stands, and seat 1 begins a turn

It is never among the legal plies, so nobody plays it and no look is explained by it; and no record has it: a game in
which it occurs is kept as its result.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from companion.engine import form
from companion.engine.abilities import Rearranging
from companion.engine.game import AnyGame
from companion.engine.record import GameLookup
from companion.engine.values import CHANCE, Json, Ply, Seat
from companion.errors import InvalidError, phrase
from companion.table import Appearance, Layout, Placement, Spot, seat_phrase, spot_phrase

POSITION_SAID: Final = "position.said"
"""The phrase of such a ply."""


@dataclass(frozen=True, slots=True)
class Position:
    """What stands where, lowest first, by spot; and the seat that begins a turn."""

    type: ClassVar[str] = "position"
    stands: tuple[tuple[Spot, tuple[Appearance, ...]], ...]
    seat: Seat

    @classmethod
    def of(cls, placement: Placement, seat: Seat) -> Self:
        """A placement, spots in alphabetical order, without those that are empty."""
        return cls(tuple(sorted((spot, tuple(pieces)) for spot, pieces in placement.items() if pieces)), seat)

    @property
    def placement(self) -> Placement:
        """What stands where."""
        return dict(self.stands)


def is_position(ply: Ply[Any]) -> bool:
    """Whether a ply is such a one."""
    return isinstance(ply.action, Position)


def with_positions(game: AnyGame) -> AnyGame:
    """The same game, which takes such plies too; one that cannot go on from a table stays as it is."""
    if not isinstance(game, Rearranging):
        return game
    again = copy(game)

    def apply(state: Any, ply: Ply[Any]) -> Any:
        action = ply.action
        if not isinstance(action, Position):
            return game.apply(state, ply)
        return again.rearranged(state, action.placement, action.seat)

    def say(state: Any, ply: Ply[Any], observer: Any) -> Any:
        if not isinstance(ply.action, Position):
            return game.say(state, ply, observer)
        moved = different(game.placement(state), ply.action.placement)
        return phrase(POSITION_SAID, spots=len(moved), seat=seat_phrase(ply.action.seat))

    def read_action(given: Json) -> Any:
        is_other = not isinstance(given, dict) or given.get("type") != Position.type
        return game.read_action(given) if is_other else _read(given)

    def write_action(action: Any) -> Json:
        if not isinstance(action, Position):
            return game.write_action(action)
        stands = {spot: list(pieces) for spot, pieces in action.stands}
        return {"type": Position.type, "stands": stands, "seat": action.seat}

    def open_action(action: Any, options: Any) -> Any:
        return action if isinstance(action, Position) else game.open_action(action, options)

    vars(again).update(
        apply=apply, say=say, read_action=read_action, write_action=write_action, open_action=open_action)
    return again


def looking_up_positions(lookup: GameLookup) -> GameLookup:
    """Looks the same games up, each `with_positions`."""
    return lambda game, colours: with_positions(lookup(game, colours))


def _read(given: Json) -> Position:
    found = form.fields(given, "action", ("type", "stands", "seat"))
    return read_position(found["stands"], found["seat"], "action")


def read_position(stands: Json, seat: Json, where: str) -> Position:
    """A position from `{spot: [pieces, lowest first]}` and a seat; raises `InvalidError`."""
    found = {
        spot: tuple(form.text(piece, f"{where}.stands") for piece in form.items(pieces, f"{where}.stands"))
        for spot, pieces in form.mapping(stands, f"{where}.stands").items()
    }
    return Position.of(found, form.whole(seat, f"{where}.seat", least=0))


def different(one: Placement, other: Placement) -> tuple[Spot, ...]:
    """The spots at which these differ; of equal pieces at one spot, whatever their order, none does."""
    spots = dict.fromkeys((*one, *other))
    return tuple(spot for spot in spots if Counter(one.get(spot, ())) != Counter(other.get(spot, ())))


def check_position(game: AnyGame, setup: Json, layout: Layout, players: int, position: Position) -> None:
    """Raises `InvalidError` for what no table of this game can show: unknown spots and pieces, pieces where none of
    their kind can be, two where there is room for one, more than there are."""
    rooms = {place.spot: (place.kinds, place.stack > 1) for place in layout.places}
    rooms |= {zone.spot: (zone.kinds, True) for zone in layout.zones}
    left = Counter(game.all_pieces(setup) if isinstance(game, Rearranging) else ())
    form.whole(position.seat, "seat", 0, players - 1)
    for spot, pieces in position.stands:
        if spot not in rooms:
            raise InvalidError(phrase("position.no_spot", spot=form.brief(spot)))
        kinds, holds_many = rooms[spot]
        if len(pieces) > 1 and not holds_many:
            raise InvalidError(phrase("position.one_piece", spot=spot_phrase(spot), pieces=pieces))
        for piece in pieces:
            if left[piece] < 1:
                raise InvalidError(phrase("position.no_more", piece=piece, spot=spot_phrase(spot)))
            left[piece] -= 1
            if not fits(layout, piece, kinds):
                raise InvalidError(phrase("position.not_there", piece=piece, spot=spot_phrase(spot)))


def fits(layout: Layout, piece: Appearance, kinds: tuple[str, ...]) -> bool:
    """Whether a piece may be at a spot that is made for these kinds."""
    return layout.kind_of(piece, kinds).name in kinds


def position_ply(position: Position) -> Ply[Any]:
    """The ply of a position: nobody plays it."""
    return Ply(CHANCE, position)
