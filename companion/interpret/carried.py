"""How far a piece moved on what carries it, seen against the others there: in its slot of a crate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import median

from companion.interpret.layout_index import LayoutIndex
from companion.interpret.tracks import Track, likeliest_of
from companion.table import EMPTY, Point, Spot

MOVED_MM = 0.5
"""A carrier whose pieces all moved farther was moved itself, and perhaps turned: of each piece nothing is told."""
MIN_BESIDE = 3
"""So many others are needed: one or two may have been exchanged themselves."""


def moved_on_carrier_mm(
    spot: Spot, before: Mapping[Spot, Track], now: Mapping[Spot, Track], index: LayoutIndex
) -> float | None:
    """How far what stands at a place moved between two looks, less what the others on its carrier did (their median);
    None where that is not known."""
    carrier = index.carrier.get(spot)
    if carrier is None:
        return None
    moves = {
        each: _moved(before[each], now[each]) for each in before.keys() & now.keys()
        if index.carrier.get(each) == carrier and likeliest_of(before[each]) != EMPTY
    }
    beside = [move for each, move in moves.items() if each != spot]
    if spot not in moves or len(beside) < MIN_BESIDE:
        return None
    shift = median(x for x, _ in beside), median(y for _, y in beside)
    return None if math.hypot(*shift) > MOVED_MM else math.dist(moves[spot], shift)


def _moved(before: Track, now: Track) -> Point:
    """How far along x and y, as what it looked most like before: a higher piece would stand elsewhere."""
    name = likeliest_of(before)
    (x0, y0), (x1, y1) = before.at_if(name), now.at_if(name)
    return x1 - x0, y1 - y0
