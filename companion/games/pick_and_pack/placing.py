"""Placing the action tiles before the game: both players at once, hidden from each other (PP 1.6).

A game of its own in the same contract. Its set-up is the trays and who begins, a ply lays one tile, and its result is
the set-up of the game.
"""
# ruff: noqa: ARG002 (the contract hands over more than a game without chance needs)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar, Final

from companion.engine import SET_UP, BaseGame, Choose, Json, Observer, Over, Ply, Seat, Seen, ToMove, Turn, form
from companion.engine.codec import Codec, among, whole_between
from companion.engine.form import CELLS
from companion.errors import IllegalError, Phrase, phrase
from companion.games.pick_and_pack import layout, setup
from companion.games.pick_and_pack.actions import Line
from companion.games.pick_and_pack.state import ENDS, PLAYED, SIZE, TILES, End, Row, with_one, with_seat
from companion.table import Appearance, Layout, Placement, Spot, seat_phrase


@dataclass(frozen=True, slots=True)
class Lay:
    """A tile goes to an end of a line, face down."""

    type: ClassVar[str] = "lay"
    tile: Annotated[str, "tile"]
    end: End
    line: Line


CODEC: Final = Codec[Lay]((Lay,), {"tile": among(TILES), "line": whole_between(1, SIZE)})


@dataclass(frozen=True, slots=True)
class Placing:
    """The tiles laid so far, by seat and end; None: nothing lies there yet. `PLAYED`: face down for this observer."""

    trays: tuple[tuple[int, ...], ...]
    first: Seat
    tiles: tuple[tuple[Row, Row], tuple[Row, Row]] = (((None,) * SIZE,) * 2, ((None,) * SIZE,) * 2)


@dataclass(frozen=True)
class TilePlacing(BaseGame[Placing, Lay]):
    """Hidden placing of the tiles. Each seat lays its twelve in any order; it is over when all 24 lie."""

    id = "pick-and-pack"
    seats = (2,)
    words = Path(__file__).parent
    reasons = (SET_UP,)

    read_action = staticmethod(CODEC.read)
    write_action = staticmethod(CODEC.write)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """None."""
        return form.fields(given, "options", ())

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{"trays": …, "first": SEAT}`."""
        found = form.fields(given, "setup", ("trays", "first"))
        return {"trays": setup.read_trays(found["trays"]), "first": form.whole(found["first"], "setup.first", 0, 1)}

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random trays."""
        return {"trays": setup.deal_trays(rng), "first": rng.randrange(2)}

    def layout(self, setup: Json) -> Layout:
        """The layout of the game."""
        return layout.layout()

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> Placing:
        """No tile lies yet."""
        return Placing(tuple(tuple(row) for row in setup["trays"]), setup["first"])

    def turn(self, state: Placing) -> Turn:
        """Every seat that has tiles left."""
        seats = tuple(seat for seat in (0, 1) if _left(state, seat))
        return ToMove(seats, phrase("pp.ask_tiles")) if seats else Over((), SET_UP)

    def legal(self, state: Placing) -> Iterator[Ply[Lay | Choose]]:
        """Each kind of tile that is left to each free end."""
        for seat in (0, 1):
            for tile in _left(state, seat):
                for end, row in zip(ENDS[seat], state.tiles[seat]):
                    for line, there in enumerate(row, start=1):
                        if there is None:
                            yield Ply(seat, Lay(tile, end, line))

    def apply(self, state: Placing, ply: Ply[Lay]) -> Placing:
        """The state with the tile laid."""
        seat, action = ply.player, ply.action
        if seat not in (0, 1) or action.end not in ENDS[seat]:
            raise IllegalError("PP 1.4", phrase("pp.no.not_own_end", end=action.end))
        if action.tile not in _left(state, seat):
            raise IllegalError("PP 1.5", phrase("pp.no.no_such_tile_left", tile=action.tile))
        which = ENDS[seat].index(action.end)
        rows = state.tiles[seat]
        if rows[which][action.line - 1] is not None:
            raise IllegalError("PP 1.6", phrase("pp.no.tile_there", end=action.end, line=action.line))
        laid = with_one(rows[which], action.line - 1, action.tile)
        return replace(state, tiles=with_seat(state.tiles, seat, with_seat(rows, which, laid)))

    def scores(self, state: Placing) -> tuple[int, ...]:
        """Nothing is scored yet."""
        return (0, 0)

    def placement(self, state: Placing) -> Placement:
        """The trays, and the tiles face down until all lie."""
        placed: dict[Spot, tuple[Appearance, ...]] = {
            f"grid:{cell}": (f"tray:{apples}",)
            for cell, apples in zip(CELLS, (apples for row in state.trays for apples in row))
        }
        hidden = isinstance(self.turn(state), ToMove)
        for seat, colour in enumerate(layout.SEAT_COLOURS):
            for end, row in zip(ENDS[seat], state.tiles[seat]):
                for line, tile in enumerate(row, start=1):
                    if tile is not None:
                        placed[f"end:{end}:{line}"] = (f"tile:{colour}:{PLAYED if hidden else tile}",)
        return placed

    def view(self, state: Placing, observer: Observer) -> Seen:
        """The own tiles, and of the others where they lie; the referee knows no more than the room."""
        known = state
        if isinstance(self.turn(state), ToMove):
            for seat in (0, 1):
                if seat != observer:
                    covered = tuple(tuple(tile and PLAYED for tile in row) for row in state.tiles[seat])
                    known = replace(known, tiles=with_seat(known.tiles, seat, (covered[0], covered[1])))
        facts = tuple(
            phrase("pp.fact_laid", seat=seat_phrase(seat), number=_number_laid(state, seat), all=2 * SIZE)
            for seat in (0, 1)
        )
        return Seen(self.id, observer, self.turn(state), self.scores(state), self.placement(state), known, facts)

    def possible(self, seen: Seen, rng: Random) -> Placing:
        """Random tiles under those that lie face down."""
        known = seen.known
        assert isinstance(known, Placing)
        for seat in (0, 1):
            hidden = rng.sample(TILES * setup.OF_EACH_TILE, 2 * SIZE)
            if any(PLAYED in row for row in known.tiles[seat]):
                front, back = (
                    tuple(hidden.pop() if tile == PLAYED else tile for tile in row) for row in known.tiles[seat]
                )
                known = replace(known, tiles=with_seat(known.tiles, seat, (front, back)))
        return known

    def say(self, state: Placing, ply: Ply[Lay], observer: Observer) -> Phrase:
        """The ply in words; of another's tile only where it lies."""
        lay = ply.action
        if observer == ply.player:
            return phrase("pp.lay", tile=lay.tile, end=lay.end, line=lay.line)
        return phrase("pp.lay_hidden", end=lay.end, line=lay.line)

    def result(self, state: Placing) -> Json:
        """The set-up of the game."""
        return {
            "trays": [list(row) for row in state.trays],
            "tiles": [{end: list(row) for end, row in zip(ENDS[seat], state.tiles[seat])} for seat in (0, 1)],
            "first": state.first,
        }


def _left(state: Placing, seat: Seat) -> list[str]:
    """The kinds of tiles that the seat has left to lay."""
    laid = Counter(tile for row in state.tiles[seat] for tile in row)
    return [tile for tile in TILES if laid[tile] < setup.OF_EACH_TILE]


def _number_laid(state: Placing, seat: Seat) -> int:
    return sum(tile is not None for row in state.tiles[seat] for tile in row)
