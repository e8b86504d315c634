"""Pieces moved by hand from one place of the table to another, whatever the rules say: a position is touched up so.

    stands = moved(layout, stands, PiecePut("red/tall_can", "grid:c4", "grid:d4"))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.engine.positions import fits
from companion.errors import Phrase, phrase
from companion.table import Appearance, Layout, Place, Placement, Spot, spot_phrase


@dataclass(frozen=True, slots=True)
class PiecePut:
    """A piece goes from the spot `before` to the spot `after`; an empty one is beside the table."""

    piece: Appearance
    before: Spot = ""
    after: Spot = ""

    def said(self) -> Phrase:
        """What was done, in words."""
        if self.before and self.after:
            return phrase("remedy.move", piece=self.piece, spot=spot_phrase(self.before), to=spot_phrase(self.after))
        spot = spot_phrase(self.before or self.after)
        return phrase("remedy.take" if self.before else "remedy.put", piece=self.piece, spot=spot)


def write_move(move: PiecePut) -> str:
    """A move as addresses spell it."""
    return f"{move.piece}@{move.before}>{move.after}"


def read_move(spelled: str) -> PiecePut | None:
    """The move of an address; None for anything else."""
    piece, at, spots = spelled.partition("@")
    before, to, after = spots.partition(">")
    return PiecePut(piece, before, after) if piece and at and to and before != after else None


def moved(layout: Layout, stands: Placement, move: PiecePut) -> Placement:
    """What stands where then. Where there is room for one piece, the two change places; what carries others takes them
    along. A piece that is not there stays away."""
    now = {spot: list(pieces) for spot, pieces in stands.items()}
    if move.before and move.piece not in now.get(move.before, ()):
        return stands
    carried = dict(_along(layout, move.before, move.after))
    if carried:
        for one, other in carried.items():
            now[one], now[other] = now.get(other, []), now.get(one, [])
    else:
        _put(now, move, {place.spot for place in layout.places if place.stack == 1})
    return {spot: tuple(pieces) for spot, pieces in now.items() if pieces}


def _put(now: dict[Spot, list[Appearance]], move: PiecePut, singles: set[Spot]) -> None:
    if move.before:
        pieces = now[move.before]
        del pieces[len(pieces) - 1 - pieces[::-1].index(move.piece)]  # the top one of them
    if move.after:
        there = now.setdefault(move.after, [])
        if move.after in singles and there:
            now.setdefault(move.before, []).extend(there)
            there.clear()
        there.append(move.piece)
    now.pop("", None)


def _along(layout: Layout, before: Spot, after: Spot) -> Iterator[tuple[Spot, Spot]]:
    """The places that go with each other where one place that carries others is moved onto another such."""
    one, other = (next((place for place in layout.places if place.spot == spot), None) for spot in (before, after))
    if one is None or other is None:
        return
    on_one, on_other = (_carried(layout, place) for place in (one, other))
    if on_one.keys() & on_other.keys():
        yield before, after
        yield from ((on_one[at], on_other[at]) for at in on_one.keys() & on_other.keys())


def _carried(layout: Layout, carrier: Place) -> dict[tuple[int, int], Spot]:
    """What a place carries, by where it lies on it, in tenths of a millimetre."""
    x, y = carrier.at_mm
    return {(round(10 * (place.at_mm[0] - x)), round(10 * (place.at_mm[1] - y))): place.spot
            for place in layout.places if place.on == carrier.spot}


def all_moved(layout: Layout, stands: Placement, moves: Iterable[PiecePut]) -> Placement:
    """The same after all of these."""
    for move in moves:
        stands = moved(layout, stands, move)
    return stands


def may_hold(layout: Layout, piece: Appearance) -> tuple[Spot, ...]:
    """The spots at which a piece may stand."""
    made_for = [(place.spot, place.kinds) for place in layout.places]
    made_for += [(zone.spot, zone.kinds) for zone in layout.zones]
    return tuple(spot for spot, kinds in made_for if fits(layout, piece, kinds))


def off_table(pieces: Sequence[Appearance], stands: Placement) -> tuple[Appearance, ...]:
    """The pieces, each once, of which some stand nowhere."""
    left = Counter(pieces) - Counter(piece for there in stands.values() for piece in there)
    return tuple(piece for piece in dict.fromkeys(pieces) if left[piece])


def moves_between(now: Placement, then: Placement) -> tuple[PiecePut, ...]:
    """Moves by which what stands now comes to stand as it does `then`: first all that goes, then all that comes."""
    away: list[PiecePut] = []
    here: list[PiecePut] = []
    for spot in dict.fromkeys((*now, *then)):
        was, will = Counter(now.get(spot, ())), Counter(then.get(spot, ()))
        away += [PiecePut(piece, before=spot) for piece in (was - will).elements()]
        here += [PiecePut(piece, after=spot) for piece in (will - was).elements()]
    return (*away, *here)
