"""A game whose plies and placements are worked out once each: a look is explained from several roots, and most ways
lead through the same states."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from companion.engine import AnyGame, Ply
from companion.table import Placement

MAX_PLIES_KEPT, MAX_PLACEMENTS_KEPT = 2048, 1024
"""Bounds of the caches: what a hard look needs, in a few megabytes."""


class _Memoised:
    """All that the game offers, with a memory for what the search asks for again and again."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.apply: Callable[[Any, Ply[Any]], Any] = lru_cache(MAX_PLIES_KEPT)(game.apply)
        self.placement: Callable[[Any], Placement] = lru_cache(MAX_PLACEMENTS_KEPT)(game.placement)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def memoised(game: AnyGame) -> AnyGame:
    """The same game; states, plies and placements it gave must not be changed, as ever."""
    return cast(AnyGame, _Memoised(game))
