"""What happened between two placements, piece by piece: the last ply as a drawing shows it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import zip_longest

from companion.table import Appearance, Placement, Spot


@dataclass(frozen=True, slots=True)
class PieceMove:
    """One piece that went from `before` to `after`; None: it was not, or is no longer, on the table."""

    appearance: Appearance
    before: Spot | None
    after: Spot | None


def piece_moves(before: Placement, after: Placement) -> tuple[PieceMove, ...]:
    """The pieces that stand elsewhere; equal pieces are paired in the order in which their spots are given."""
    left, come = _less(before, after), _less(after, before)
    return tuple(
        PieceMove(appearance, was, now)
        for appearance in dict.fromkeys([*left, *come])
        for was, now in zip_longest(left[appearance], come[appearance])
    )


def _less(these: Placement, those: Placement) -> defaultdict[Appearance, list[Spot]]:
    """The pieces of `these` that do not stand at the same spot in `those`."""
    more: defaultdict[Appearance, list[Spot]] = defaultdict(list)
    for spot, pieces in these.items():
        others = list(those.get(spot, ()))
        for appearance in pieces:
            if appearance in others:
                others.remove(appearance)
            else:
                more[appearance].append(spot)
    return more
