from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import Over, Ply, play
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import State


def reached(state: State, plies: Any) -> State:
    for ply in plies:
        state = GAME.apply(state, ply)
    return state


def stands(state: State) -> Any:
    return state.cells, state.turned, state.drinks


def some_state(seed: int, plies: int) -> State:
    rng = Random(seed)
    options = GAME.read_options({}, 2)
    state = GAME.start(GAME.read_setup(GAME.deal(2, options, rng), options, 2), options, 2)
    for before, ply in play.random_game(GAME, state, rng, plies):
        state = GAME.apply(before, ply)
    return state


def shifted(placement: Any, i: int, j: int) -> Any:
    moved = {}
    for spot, pieces in placement.items():
        kind, _, name = spot.partition(":")
        if kind in ("cell", "slot"):
            x, y = map(int, name.split(","))
            across, back = (2 * i, 3 * j) if kind == "slot" else (i, j)
            moved[f"{kind}:{x + across},{y + back}"] = pieces
    return moved


@pytest.mark.parametrize("seed", range(25))
def test_what_was_played_in_a_turn_is_among_the_explanations(seed: int) -> None:
    rng = Random(seed)
    state = after = some_state(seed, rng.randrange(30))
    played = []
    for _ in range(rng.randrange(1, 4)):
        if isinstance(GAME.turn(after), Over):
            break
        played.append(play.random_ply(GAME, after, rng))
        after = GAME.apply(after, played[-1])
        if after.on_turn != state.on_turn:
            break
    if stands(after) == stands(state):
        return
    for placement in (GAME.placement(after), shifted(GAME.placement(after), 1, -2)):
        found = GAME.explain(state, placement)
        assert stands(after) in [stands(reached(state, plies)) for plies in found]


def test_a_new_turn_after_an_unseen_done_is_explained() -> None:
    state = some_state(3, 1)
    after = reached(state, [Ply(state.on_turn, GAME.read_action({"type": "done"}))])
    ply = play.random_ply(GAME, after, Random(1))
    found = GAME.explain(state, GAME.placement(GAME.apply(after, ply)))
    assert (Ply(state.on_turn, GAME.read_action({"type": "done"})), ply) in found


def test_the_orders_of_a_round_of_three_are_all_offered() -> None:
    state = some_state(1, 1)
    first = GAME.apply(state, Ply(state.on_turn, GAME.read_action({"type": "swap", "a": [2, 1], "b": [3, 1]})))
    after = GAME.apply(first, Ply(state.on_turn, GAME.read_action({"type": "swap", "a": [3, 1], "b": [3, 2]})))
    found = [plies for plies in GAME.explain(state, GAME.placement(after)) if plies[0].action.type == "swap"]
    assert len(found) == 3
    assert {stands(reached(state, plies)) for plies in found} == {stands(after)}


def test_a_slot_that_was_not_seen_may_hold_anything() -> None:
    state = some_state(1, 1)
    after = GAME.apply(state, Ply(state.on_turn, GAME.read_action({"type": "swap", "a": [2, 1], "b": [3, 1]})))
    seen = {spot: pieces for spot, pieces in GAME.placement(after).items() if spot != "slot:2,1"}
    assert stands(after) in [stands(reached(state, plies)) for plies in GAME.explain(state, seen)]


def test_what_no_turn_can_do_is_not_explained() -> None:
    state = some_state(4, 0)
    placement = dict(GAME.placement(state))
    placement["slot:0,0"], placement["slot:5,5"] = placement["slot:5,5"], placement["slot:0,0"]
    assert GAME.explain(state, placement) == []
    assert GAME.explain(state, {}) == []
    assert GAME.explain(state, GAME.placement(state)) == []
