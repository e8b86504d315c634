from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import SET_UP, Over, Ply, play
from companion.engine.conformance import conforms
from companion.errors import IllegalError, InvalidError
from companion.games.pick_and_pack import GAME
from companion.words import load

PLACING = GAME.preparation("hidden_tiles")
WORDS = load("en", [GAME.words])


def begin(seed: int = 0) -> Any:
    return PLACING.start(PLACING.deal(2, {}, Random(seed)), {}, 2)


def lay(state: Any, seat: int, tile: str, end: str, line: int) -> Any:
    return PLACING.apply(state, Ply(seat, PLACING.read_action({"type": "lay", "tile": tile, "end": end, "line": line})))


@pytest.mark.parametrize("seed", range(5))
def test_placing_keeps_the_laws_of_the_contract(seed: int) -> None:  # PP 1.6
    conforms(PLACING, 2, WORDS, Random(seed))


def test_both_place_at_once_and_in_any_order() -> None:  # PP 1.6
    state = begin()
    assert PLACING.turn(state).seats == (0, 1)
    state = lay(lay(state, 1, "premium", "left", 3), 1, "premium", "right", 1)
    assert {ply.player for ply in PLACING.legal(state)} == {0, 1}


def test_nobody_sees_the_others_tiles_before_all_lie() -> None:  # PP 1.6
    one = lay(begin(), 0, "premium", "top", 1)
    two = lay(begin(), 0, "malfunction", "top", 1)
    for observer in (1, "room", "referee"):
        assert PLACING.view(one, observer) == PLACING.view(two, observer)
        ply: Ply[Any] = Ply(0, PLACING.read_action({"type": "lay", "tile": "wholesale", "end": "top", "line": 2}))
        assert WORDS.say(PLACING.say(one, ply, observer)) == "a tile at the top end of line 2"
    assert PLACING.view(one, 0).known == one
    assert PLACING.placement(one)["end:top:1"] == ("tile:red:back",)


def test_the_result_is_the_set_up_of_the_game() -> None:  # PP 1.6
    rng = Random(7)
    state = begin(7)
    for before, ply in play.random_game(PLACING, state, rng, 100):
        state = PLACING.apply(before, ply)
    assert PLACING.turn(state) == Over((), SET_UP)
    setup = PLACING.result(state)
    assert GAME.read_setup(setup, {}, 2) == setup
    assert PLACING.view(state, "room").known == state
    for tile in GAME.placement(GAME.start(setup, {}, 2)).items():
        assert tile in PLACING.placement(state).items() or "grabber" in tile[1]


@pytest.mark.parametrize(
    ("seat", "tile", "end", "line", "rule"),
    [
        (0, "premium", "left", 1, "PP 1.4"),
        (1, "premium", "top", 1, "PP 1.4"),
        (0, "rush_order", "top", 1, "PP 1.5"),
        (0, "premium", "bottom", 2, "PP 1.6"),
    ],
)
def test_what_cannot_be_laid_is_refused(seat: int, tile: str, end: str, line: int, rule: str) -> None:  # PP 1.4, PP 1.5
    state = lay(lay(begin(), 0, "rush_order", "bottom", 1), 0, "rush_order", "bottom", 2)
    with pytest.raises(IllegalError) as caught:
        lay(state, seat, tile, end, line)
    assert caught.value.rule == rule


def test_there_is_no_other_way() -> None:
    assert GAME.ways == ("hidden_tiles",)
    with pytest.raises(InvalidError):
        GAME.preparation("draft")
    with pytest.raises(InvalidError):
        PLACING.read_action({"type": "lay", "tile": "joker", "end": "top", "line": 1})
