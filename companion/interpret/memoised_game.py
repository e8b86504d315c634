"""A game whose plies and placements are worked out once each: a look is explained from several roots, and most ways
lead through the same states."""

from __future__ import annotations

from copy import copy
from functools import lru_cache

from companion.engine import AnyGame

MAX_PLIES_KEPT, MAX_PLACEMENTS_KEPT = 2048, 1024
"""Bounds of the caches: what a hard look needs, in a few megabytes."""


def memoised(game: AnyGame) -> AnyGame:
    """The same game; states, plies and placements it gave must not be changed, as ever."""
    again, apply, placement = copy(game), lru_cache(MAX_PLIES_KEPT), lru_cache(MAX_PLACEMENTS_KEPT)
    vars(again).update(apply=apply(game.apply), placement=placement(game.placement))
    return again
