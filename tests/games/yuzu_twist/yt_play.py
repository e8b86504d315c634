"""Positions of Yuzu Twist for tests, and what is played from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.errors import IllegalError
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import LETTERS, START_CELLS, State, drink_at, slots_of
from companion.table import COLOURS, SHAPES
from companion.words import load

WORDS = load("en", [GAME.words])
OWN = {
    1: [[]],
    2: [["red", "orange", "yellow"], ["green", "blue", "purple"]],
    3: [["red", "orange"], ["yellow", "green"], ["blue", "purple"]],
    4: [["red"], ["orange"], ["yellow"], ["green"]],
    5: [["red"], ["orange"], ["yellow"], ["green"], ["blue"]],
    6: [[colour] for colour in COLOURS],
}


def setup(players: int = 2, **changes: Any) -> Any:
    crates = {
        letter: {"cell": list(cell), "turned": False, "slots": [f"{colour}/{shape}" for colour in COLOURS]}
        for letter, cell, shape in zip(LETTERS, START_CELLS, SHAPES)
    }
    return {"crates": crates, "colours": OWN[players], "first": 0, **changes}


def begin(players: int = 2, options: Any = None, **changes: Any) -> State:
    filled = GAME.read_options(options or {}, players)
    return GAME.start(GAME.read_setup(setup(players, **changes), filled, players), filled, players)


def do(state: State, type: str, player: int | None = None, **keys: Any) -> State:
    seat = state.on_turn if player is None else player
    return GAME.apply(state, Ply(seat, GAME.read_action({"type": type, **keys})))


def crate(state: State, letter: str, to: Any, turn: bool = False) -> State:
    return do(state, "crate", crate=letter, to=list(to), turn=turn)


def turned(state: State, letter: str) -> State:
    return crate(state, letter, state.cells[LETTERS.index(letter)], True)


def swap(state: State, a: Any, b: Any) -> State:
    return do(state, "swap", a=list(a), b=list(b))


def drinks_by_slot(state: State) -> dict[tuple[int, int], str | None]:
    """All drinks by the slots of the table."""
    return {slot: drink_at(state, slot) for cell in state.cells for slot in slots_of(cell)}


def sorted_but(state: State, *slots: Any) -> State:
    """Every crate of one colour, A red, B orange …; then the two slots are exchanged, as if it were not yet done."""
    state = replace(state, drinks=tuple(tuple(f"{colour}/{shape}" for shape in SHAPES) for colour in COLOURS))
    by_slot = drinks_by_slot(state)
    for a, b in slots:
        by_slot[a], by_slot[b] = by_slot[b], by_slot[a]
    drinks = [
        tuple(str(by_slot[2 * i + slot % 2, 3 * j + slot // 2]) for slot in range(6)) for i, j in state.cells
    ]
    return replace(state, drinks=tuple(drinks))


def crate_plies(state: State) -> set[tuple[str, tuple[int, int], bool]]:
    return {(ply.action.crate, ply.action.to, ply.action.turn) for ply in GAME.legal(state)}


def swaps(state: State) -> set[tuple[Any, Any]]:
    return {(ply.action.a, ply.action.b) for ply in GAME.legal(state) if ply.action.type == "swap"}


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)


def standing_as(state: State, *cells: Any) -> State:
    return replace(state, cells=tuple(cells))


BETWEEN_A_AND_B = ((1, 0), (2, 0))


def only_a_and_b(state: State, *more: Any) -> State:
    """A is red and B orange but for one drink; no other crate is of one colour."""
    return sorted_but(state, BETWEEN_A_AND_B, ((1, 3), (2, 3)), ((5, 2), (5, 3)), *more)
