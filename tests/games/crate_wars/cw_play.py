"""Positions of Crate Wars for tests, and what is played from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.errors import IllegalError
from companion.games.crate_wars import GAME
from companion.games.crate_wars.state import State
from companion.table import COLOURS, SHAPES, all_drinks
from companion.words import load

WORDS = load("en", [GAME.words])
LOCAL = GAME.read_options({}, 2)


def square() -> list[list[str]]:
    """The colour player's shapes of each colour go round: three of each."""
    first = [f"{colour}/{SHAPES[(row + step) % 6]}" for row, colour in enumerate(COLOURS) for step in range(3)]
    return [first, [drink for drink in all_drinks() if drink not in first]]


def setup(**changes: Any) -> Any:
    return {"colour_cards": list(COLOURS), "shape_cards": list(SHAPES), "supplies": square(), "first": 0, **changes}


def begin(points: str = "local", **changes: Any) -> State:
    return GAME.start(GAME.read_setup(setup(**changes), LOCAL, 2), GAME.read_options({"points": points}, 2), 2)


def lying(crates: dict[int, tuple[str, str]], points: str = "local", **changes: Any) -> State:
    """A state in which these drinks lie at the crates, the colour player's first; `passed` and all is as given."""
    state = begin(points)
    front, back = (tuple(tuple(sorted(crates.get(k, ("", ""))[seat].split())) for k in range(1, 7)) for seat in (0, 1))
    return replace(state, beside=(front, back), supplies=((), ()), **changes)


def do(state: State, player: Any, type: str, **keys: Any) -> State:
    return GAME.apply(state, Ply(player, GAME.read_action({"type": type, **keys})))


def end(state: State) -> State:
    """Both pass."""
    state = do(state, state.on_turn, "pass")
    return do(state, state.on_turn, "pass")


def legal_types(state: State) -> set[str]:
    return {ply.action.type for ply in GAME.legal(state)}


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)
