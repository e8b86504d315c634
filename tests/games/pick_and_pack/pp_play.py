"""Positions of Pick & Pack for tests, and what is played from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.errors import IllegalError
from companion.games.pick_and_pack import GAME
from companion.games.pick_and_pack.state import PackingCrate, State, cell_index, with_one
from companion.words import load

WORDS = load("en", [GAME.words])
TRAYS = [
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 2, 2],
    [2, 2, 2, 2, 2, 2],
    [3, 3, 6, 3, 3, 3],
    [3, 3, 4, 4, 4, 4],
    [4, 4, 5, 5, 5, 5],
]
"""The grabber starts on c4."""
ONE_END = ["premium", "wholesale", "rush_order", "quality_control", "order_mixup", "malfunction"]
"""At every end: premium on line 1 … malfunction on line 6."""
TILES = [{"bottom": ONE_END, "top": ONE_END}, {"left": ONE_END, "right": ONE_END}]


def setup(**changes: Any) -> Any:
    return {"trays": TRAYS, "tiles": TILES, "first": 0, **changes}


def begin(**changes: Any) -> State:
    return GAME.start(GAME.read_setup(setup(**changes), {}, 2), {}, 2)


def position(
    at: str = "c4", empty: str = "", back: str = "", red: Any = None, blue: Any = None, **changes: Any
) -> State:
    """The start with the grabber at a cell, cells emptied or face down, and the crates filled: `["34", "", "5p", …]`,
    apples from the lowest tray, `p` and `w` for closed crates."""
    state = replace(begin(), grabber=cell_index(at), **changes)
    trays = state.trays
    for cell in empty.split():
        trays = with_one(trays, cell_index(cell), 0)
    for cell in back.split():
        trays = with_one(trays, cell_index(cell), -1)
    return replace(state, trays=trays, crates=(crates(red), crates(blue)))


def crates(drawn: Any) -> tuple[PackingCrate, ...]:
    kinds: Any = {"p": "premium", "w": "wholesale"}
    return tuple(
        PackingCrate(tuple(int(each) for each in text if each.isdigit()), kinds.get(text[-1:]))
        for text in drawn or ["", "", "", ""]
    )


def do(state: State, type: str, player: int | None = None, **keys: Any) -> State:
    keys = {key.rstrip("_"): value for key, value in keys.items()}
    seat = state.on_turn if player is None else player
    return GAME.apply(state, Ply(seat, GAME.read_action({"type": type, **keys})))


def grab(state: State, to: str, crate: int = 1) -> State:
    return do(state, "grab", to=to, crate=crate)


def activate(state: State, to: str, end: str, **keys: Any) -> State:
    return do(state, "activate", to=to, end=end, **keys)


def landings(state: State) -> set[str]:
    return {ply.action.to for ply in GAME.legal(state)}


def further_keys(state: State, to: str, end: str) -> list[Any]:
    """What may be added to an activation there."""
    written = [GAME.write_action(ply.action) for ply in GAME.legal(state)]
    return [
        {key: value for key, value in each.items() if key not in ("type", "to", "end")}
        for each in written if each.get("to") == to and each.get("end") == end
    ]


def packed(state: State, seat: int) -> list[str]:
    return ["".join(map(str, crate.trays)) + (crate.closed or "")[:1] for crate in state.crates[seat]]


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)
