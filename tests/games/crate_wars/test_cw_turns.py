"""CW 2 and CW 3: turns, and what can be done in one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from companion.engine import CHANCE, Chance, Choose, Ply
from companion.errors import InvalidError
from companion.games.crate_wars import GAME
from tests.games.crate_wars.cw_play import begin, breaks, do, legal_types, lying

# CW 2 -----------------------------------------------------------------------------------------------------------------


def test_turns_alternate() -> None:  # CW 2.1
    state = do(begin(), 0, "place", drink="red/stub_can", crate=1)
    assert GAME.turn(state).seats == (1,)
    with breaks("CW 2.1", "other player"):
        do(state, 0, "pass")


def test_after_a_pass_the_other_goes_on_alone() -> None:  # CW 2.2
    state = do(begin(), 0, "pass")
    for crate, drink in enumerate(state.supplies[1][:5], start=1):
        state = do(state, 1, "place", drink=drink, crate=crate)
        assert state.on_turn == 1
    with breaks("CW 2.2"):
        do(state, 0, "place", drink="red/stub_can", crate=1)


# CW 3 -----------------------------------------------------------------------------------------------------------------


def test_only_drinks_of_the_own_supply_are_placed() -> None:  # CW 3.1
    state = begin()
    with breaks("CW 3.1", "The purple tall can is not in this player's supply"):
        do(state, 0, "place", drink="purple/tall_can", crate=1)
    after = do(state, 0, "place", drink="red/stub_can", crate=2)
    assert after.beside[0][1] == ("red/stub_can",)
    assert "red/stub_can" not in after.supplies[0]


def test_any_drink_goes_to_any_crate() -> None:  # CW 3.2
    placed = [ply.action for ply in GAME.legal(begin()) if ply.action.type == "place"]
    assert len(placed) == 18 * 6


def test_without_a_coin_there_is_no_vend_and_no_recall() -> None:  # CW 3.3
    state = lying({1: ("red/stub_can", "red/tall_can")}, coins=(0, 4))
    assert legal_types(state) == {"pass"}
    for type in ("vend", "recall"):
        with breaks("CW 3.3", "no 500 yen coin"):
            do(state, 0, type, crate=1)
    assert do(replace(state, coins=(1, 4)), 0, "recall", crate=1).coins == (0, 4)


def test_a_vend_needs_a_drink_on_the_other_side() -> None:  # CW 3.4
    state = lying({1: ("red/stub_can", ""), 2: ("", "red/tall_can")})
    with breaks("CW 3.4"):
        do(state, 0, "vend", crate=1)
    vended = do(state, 0, "vend", crate=2)
    assert vended.coins == (3, 4)
    assert isinstance(GAME.turn(vended), Chance)
    assert "beside:1:2" not in GAME.placement(vended)


def test_what_comes_out_goes_back_and_the_rest_leaves_the_game() -> None:  # CW 3.5
    state = do(lying({2: ("red/stub_can", "red/tall_can blue/stub_can")}), 0, "vend", crate=2)
    assert list(GAME.legal(state)) == [
        Ply(CHANCE, Choose("vended", ("blue/stub_can", "red/tall_can"), None, (("crate", 2),), "returned"))
    ]
    after = do(state, "chance", "vended", crate=2, returned=["red/tall_can"])
    assert after.beside[1][1] == ("red/tall_can",)
    assert after.beside[0][1] == ("red/stub_can",)
    assert after.on_turn == 1
    assert do(state, "chance", "vended", crate=2, returned=[]).beside[1][1] == ()
    both = {"crate": 2, "returned": ["red/tall_can", "blue/stub_can"]}
    assert GAME.write_action(GAME.read_action({"type": "vended", **both}))["returned"] == [
        "blue/stub_can", "red/tall_can",
    ]  # fmt: skip


def test_the_machine_is_settled_before_anybody_acts() -> None:  # CW 3.5
    state = do(lying({2: ("", "red/tall_can")}), 0, "vend", crate=2)
    for player in (0, 1):
        with breaks("CW 3.5", "First say what came out"):
            do(state, player, "pass")
    with breaks("CW 3.5", "did not go into the machine"):
        do(state, "chance", "vended", crate=2, returned=["red/stub_can"])
    with breaks("CW 3.5", "belong to crate 2"):
        do(state, "chance", "vended", crate=3, returned=[])
    with breaks("CW 3.5", "Nothing is in the machine"):
        do(begin(), "chance", "vended", crate=2, returned=[])
    with pytest.raises(InvalidError):
        do(state, "chance", "vended", crate=2, returned=["red/tall_can", "red/tall_can"])


def test_each_drink_sticks_with_one_in_four() -> None:  # CW 3.6
    state = do(lying({2: ("", "red/tall_can blue/stub_can")}), 0, "vend", crate=2)
    odds = {action.returned: chance for action, chance in GAME.outcomes(state)}
    assert odds == {
        (): Fraction(1, 16), ("blue/stub_can",): Fraction(3, 16), ("red/tall_can",): Fraction(3, 16),
        ("blue/stub_can", "red/tall_can"): Fraction(9, 16),
    }  # fmt: skip
    rng = Random(3)
    drawn = Counter(GAME.sample(state, rng).returned for _ in range(4000))
    assert all(abs(drawn[returned] / 4000 - chance) < 0.03 for returned, chance in odds.items())


def test_a_recall_takes_all_own_drinks_of_a_crate_back() -> None:  # CW 3.7
    state = lying({3: ("red/stub_can red/tall_can", "blue/stub_can")})
    after = do(state, 0, "recall", crate=3)
    assert after.supplies[0] == ("red/stub_can", "red/tall_can")
    assert after.beside[0][2] == ()
    assert after.beside[1][2] == ("blue/stub_can",)
    with breaks("CW 3.7", "No own drink lies at crate 1"):
        do(state, 0, "recall", crate=1)


def test_a_pass_is_always_legal_and_for_good_and_the_supply_leaves() -> None:  # CW 3.8
    state = begin()
    assert Ply(0, GAME.read_action({"type": "pass"})) in list(GAME.legal(state))
    after = do(state, 0, "pass")
    assert after.supplies == ((), state.supplies[1])
    after = do(after, 1, "place", drink=after.supplies[1][0], crate=1)
    assert after.on_turn == 1
