"""What would stand on the table after plies, as an observer may foresee it: the end of a game shows what was hidden, so
a picture of what may end it is made from nothing but what the observer knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion.engine import AnyGame, Observer, Ply
from companion.engine.play import after_plies
from companion.errors import IllegalError
from companion.table import Placement

GUESSES: Final = 4
"""So many states that the observer holds possible are looked at."""


class Foresight:
    """What an observer foresees from a state."""

    def __init__(self, game: AnyGame, before: Any, observer: Observer) -> None:
        self._game, self._before, self._observer = game, before, observer
        self._now = game.view(before, observer)
        self._guesses = [game.possible(self._now, Random(n)) for n in range(GUESSES)]

    def after(self, plies: Sequence[Ply[Any]]) -> Placement:
        """What stands where after these plies in all that is possible; elsewhere, what stands there now."""
        if all(guess == self._before for guess in self._guesses):
            return self._placed(self._before, plies)
        found = [then for guess in self._guesses if (then := self._guessed(guess, plies)) is not None]
        if not found:  # plies that are legal only as everybody saw them, such as a coin spent face down
            return self._placed(self._before, plies)
        first, now = found[0], self._now.placement
        then = {
            spot: (first if all(first.get(spot) == each.get(spot) for each in found) else now).get(spot, ())
            for spot in dict.fromkeys((*now, *first))
        }
        return {spot: pieces for spot, pieces in then.items() if pieces}

    def _guessed(self, guess: Any, plies: Sequence[Ply[Any]]) -> Placement | None:
        try:
            return self._placed(guess, plies)
        except IllegalError:
            return None

    def _placed(self, state: Any, plies: Sequence[Ply[Any]]) -> Placement:
        return self._game.view(after_plies(self._game, state, plies), self._observer).placement
