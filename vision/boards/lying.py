"""Pieces that were knocked over and lie on one place, where colours alone say that a piece stands.

Nothing is known of how pieces of this game look. So a piece is compared with itself: what came to a place with what
left another one, and what stayed at a place with how it looked there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from vision.boards.figures import Figure, figure_in, likeness
from vision.boards.place_model import Content
from vision.boards.surfaces import Kinds
from vision.imaging.arrays import Values

NARROWER: Final = 0.9
"""What lies is narrower than this share of a piece that stands."""
FEET: Final = 0.1
"""The quantile of what pieces measure that hardly one is narrower than."""
LONG: Final = 1.8
"""And so many times as long as wide."""
LARGE: Final = 0.15
"""And covers so much of its place; less may be the head of a tall piece beside it."""
CLEAR_BROAD: Final = 0.18
"""A figure is well seen that is at least so broad (radius in pitches)."""
ALIKE, ALIKE_UNCLEAR = 0.8, 0.7
"""What looks so much like before has not been touched: where its figure is well seen, and where it is not."""


class LyingPieces:
    """Follows the free looks at one board. `cells` (n, s, s, 3) show its places as logarithms beside the board's own
    colour, `contents` are what is read there, `kinds` their printed colours."""

    def __init__(self, cells: Values, contents: Sequence[Content], kinds: Kinds) -> None:
        self._contents = list(contents)
        self._looks = cells.copy()
        self._empty = _empty_looks(cells, contents, kinds)
        self._suspects = frozenset[int]()
        self._lying = dict[int, float]()  # how broad what lies there would stand
        feet = [self._figure(n, cells[n]).broad for n, content in enumerate(self._contents) if content]
        self._foot = float(np.quantile([each for each in feet if each >= CLEAR_BROAD] or [0.0], FEET))

    def find(self, cells: Values, contents: Sequence[Content], sure: Collection[int]
             ) -> tuple[frozenset[int], frozenset[int]]:
        """The places at which something seems to lie: those that it came to, which hold no piece for the game, and
        those where it stood before. What is read at the places that are `sure` is beyond doubt."""
        left = [n for n, was in enumerate(self._contents) if was and not contents[n]]
        came = [n for n, was in enumerate(self._contents) if contents[n] and not was]
        empty = [n for n in sure if not contents[n]]
        self._empty[empty] = cells[empty]
        for place in came:
            stood = [self._figure(n, self._looks[n]).broad for n in left if self._contents[n] == contents[place]]
            self._lying[place] = max(self._foot, min(stood, default=0.0))
        lying = frozenset(n for n, broad in self._lying.items()
                          if contents[n] and _lies(self._figure(n, cells[n]), broad))
        stayed = [n for n, now in enumerate(contents) if now and now == self._contents[n] and n not in self._lying]
        changed = frozenset(n for n in stayed if self._fell(n, cells[n])) if len(left) <= len(came) else frozenset()
        known = [n for n in range(len(contents)) if n not in changed and n not in lying]
        self._lying = {n: broad for n, broad in self._lying.items() if n in lying}
        self._looks[known] = cells[known]
        self._contents = [self._contents[n] if n in lying else now for n, now in enumerate(contents)]
        lasting, self._suspects = changed & self._suspects, changed
        return lying, lasting

    def _figure(self, place: int, cell: Values) -> Figure:
        return figure_in(cell, self._empty[place])

    def _fell(self, place: int, cell: Values) -> bool:
        """Whether a piece that stayed at its place looks otherwise, and not as broad as before."""
        alike = likeness(self._looks[place], cell)
        if alike >= ALIKE:
            return False
        stood, now = self._figure(place, self._looks[place]), self._figure(place, cell)
        return _lies(now, stood.broad) if stood.broad >= CLEAR_BROAD else alike < ALIKE_UNCLEAR


def _lies(figure: Figure, stood_broad: float) -> bool:
    return figure.area > LARGE and figure.long > LONG and figure.broad < NARROWER * stood_broad


def _empty_looks(cells: Values, contents: Sequence[Content], kinds: Kinds) -> Values:
    """How each place looks empty: as it does, or as the empty ones that are printed in its colour mostly do."""
    is_empty = np.array([content == "" for content in contents])
    looks = cells.copy()
    for kind in np.unique(kinds):
        alike = is_empty & (kinds == kind)
        if (some := alike if alike.any() else is_empty).any():
            looks[~is_empty & (kinds == kind)] = np.median(cells[some], axis=0)
    return looks
