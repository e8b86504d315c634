"""The fewest moves of pieces that make the table agree with the game: what stands where nothing should is put where the
same is missing, nearest first of all ways together; pieces that look alike are one as good as the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

from companion.engine.assignment import linear_assignment
from companion.errors import Phrase, phrase
from companion.interpret.contradictions import Difference
from companion.table import EMPTY, Appearance, Layout, Point, Spot, spot_phrase


@dataclass(frozen=True, slots=True)
class Restoring:
    """A piece to be put from `before` to `after`; None: it comes from beside the table, or goes there."""

    piece: Appearance
    before: Spot | None
    after: Spot | None

    def said(self) -> Phrase:
        """What to do, for the people at the table."""
        if self.before is None or self.after is None:
            spot = self.after if self.before is None else self.before
            assert spot is not None
            return phrase("remedy.put" if self.before is None else "remedy.take",
                          piece=self.piece, spot=spot_phrase(spot))
        return phrase("remedy.move", piece=self.piece, spot=spot_phrase(self.before), to=spot_phrase(self.after))


def restoring(found: Sequence[Difference], at_mm: Mapping[Spot, Point]) -> tuple[Restoring, ...]:
    """The fewest moves that settle all differences, in an order in which each finds its place free. Where pieces stand
    in each other's places in a ring, one of them is taken away first and put back last."""
    too_many: defaultdict[Appearance, list[Spot]] = defaultdict(list)
    missing: defaultdict[Appearance, list[Spot]] = defaultdict(list)
    for each in found:
        if each.seen != EMPTY:
            too_many[each.seen].append(each.spot)
        if each.expected != EMPTY:
            missing[each.expected].append(each.spot)
    moves: list[Restoring] = []
    for piece in dict.fromkeys([*too_many, *missing]):
        moves += _paired(piece, too_many[piece], missing[piece], at_mm)
    return tuple(_in_order(moves))


def spots_mm(layout: Layout) -> dict[Spot, Point]:
    """About where each spot lies."""
    places = {place.spot: place.at_mm for place in layout.places}
    return {zone.spot: zone.corners_mm[0] for zone in layout.zones} | places


def _paired(
    piece: Appearance, there: Sequence[Spot], wanted: Sequence[Spot], at_mm: Mapping[Spot, Point]
) -> list[Restoring]:
    """Each piece too many with a place that lacks one, the ways as short as they can be together."""
    few, many = sorted((there, wanted), key=len)
    pairs: list[tuple[Spot, Spot]] = []
    if few:
        costs = [[_far(at_mm, a, b) for b in many] for a in few]
        pairs = [(few[row], many[column]) for row, column in enumerate(linear_assignment(costs)[1])]
    pairs = pairs if few is there else [(b, a) for a, b in pairs]
    left, lacking = list(there), list(wanted)
    for before, after in pairs:
        left.remove(before)
        lacking.remove(after)
    return [*(Restoring(piece, before, after) for before, after in pairs),
            *(Restoring(piece, before, None) for before in left), *(Restoring(piece, None, after) for after in lacking)]


def _far(at_mm: Mapping[Spot, Point], one: Spot, other: Spot) -> float:
    return dist(at_mm[one], at_mm[other]) if one in at_mm and other in at_mm else 0.0


def _in_order(moves: Sequence[Restoring]) -> list[Restoring]:
    """First what has somewhere free to go."""
    waiting, done = list(moves), list[Restoring]()
    while waiting:
        taken = {each.before for each in waiting}
        free = next((each for each in waiting if each.after is None or each.after not in taken), None)
        if free is None:  # a ring
            first = waiting.pop(0)
            done.append(Restoring(first.piece, first.before, None))
            waiting.append(Restoring(first.piece, None, first.after))
            continue
        waiting.remove(free)
        done.append(free)
    return done
