"""An earlier face-down coin put right after more was played, and why a coin cannot have been there: WC 9.2."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE, Ply
from companion.engine.amend import amended, concerns_only
from companion.errors import IllegalError
from companion.games.war_chest import GAME, knowledge
from companion.games.war_chest.hidden import Hidden
from companion.games.war_chest.rules import new_table, start
from companion.words import load
from tests.games.war_chest.wc_positions import refused

FIRST = (("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"))
WORDS = load("en", [GAME.words])
NONE = (0, 0, 0, 0, 0)
PASS = {"type": "pass"}
DEPLOY = {"type": "deploy", "coin": "pikeman", "at": [2, -3]}
MOVE = {"type": "move", "coin": "pikeman", "from": [2, -3], "to": [2, -2]}
START = start(new_table(FIRST, ("raven", "wolf"), referee=True), 0)
DRAW = {"type": "draw"}
PLIES = [(CHANCE, DRAW), (0, {"type": "pass", "coin": "royal"}), (1, PASS), (0, DEPLOY), (1, PASS), (0, MOVE)]


def read(plies: list[Any]) -> list[Ply[Any]]:
    return [Ply(player, GAME.read_action(action)) for player, action in plies]


def states(plies: list[Ply[Any]]) -> list[Any]:
    found = [START]
    for ply in plies:
        found.append(GAME.apply(found[-1], ply))
    return found


def test_an_earlier_coin_is_put_right_and_all_that_follows_from_it() -> None:  # WC 9.2
    plies = read(PLIES)
    better = read([(0, {"type": "pass", "coin": "swordsman"})])[0]
    course = amended(GAME, START, plies, 1, better)
    assert course == tuple(states([plies[0], better, *plies[2:]]))
    assert knowledge.certain(course[-1].purses[0].known, "down") == (1, 0, 0, 0, 0)
    assert concerns_only(GAME, 0, 2, states(plies)[2:], course[2:])
    assert not concerns_only(GAME, 1, 2, states(plies)[2:], course[2:])


def test_a_coin_that_makes_a_later_ply_impossible_is_refused_with_that_ply() -> None:  # WC 9.2
    better = read([(0, {"type": "pass", "coin": "pikeman"})])[0]
    with pytest.raises(IllegalError) as error:
        amended(GAME, START, read(PLIES), 1, better)
    assert error.value.rule == "WC 9.2"
    assert WORDS.say(error.value.phrase) == (
        "That cannot have been: ply 6 (player A: pikeman from 2,-3 to 2,-2) was played after it and would be"
        " impossible. There can be no pikeman coin in the hand: what was told of the hidden coins speaks against it."
    )


def test_a_coin_that_could_not_be_spent_then_is_refused_as_any_ply() -> None:  # WC 3.2
    better = read([(0, {"type": "pass", "coin": "archer"})])[0]
    with pytest.raises(IllegalError) as error:
        amended(GAME, START, read(PLIES), 1, better)
    assert error.value.rule == "WC 3.2"


def test_another_ply_than_the_others_saw_is_not_the_seats_own_affair() -> None:  # WC 9.6
    plies = read(PLIES)
    better = read([(0, {"type": "recruit", "unit": "swordsman"})])[0]
    course = amended(GAME, START, plies, 1, better)
    assert not concerns_only(GAME, 0, 2, states(plies)[2:], course[2:])


def why(state: Any, player: int | str, action: Any) -> str:
    with pytest.raises(IllegalError) as error:
        GAME.apply(state, Ply(player, GAME.read_action(action)))  # type: ignore[arg-type]
    return WORDS.say(error.value.phrase)


def archers_discarded() -> Any:
    """Seat 1 deployed an archer in the first round, the second archer and a recruited one lie in its discards."""
    deploy = {"type": "deploy", "coin": "archer", "at": [1, 2]}
    move = {"type": "move", "coin": "archer", "from": [1, 2], "to": [1, 1]}
    return states(read([(CHANCE, {"type": "draw"}), (0, PASS), (1, deploy), (0, PASS), (1, move), (0, PASS)]))[-1]


def test_why_a_coin_cannot_be_in_the_hand_is_said_with_where_the_others_are() -> None:  # WC 9.2
    again = {"type": "pass", "coin": "archer"}
    assert why(archers_discarded(), 1, again) == (
        "There can be no archer coin in the hand: the count is 1 discarded this cycle, 1 on the board and"
        " 2 in the supply."
    )


def test_both_coins_were_discarded_this_cycle() -> None:  # WC 9.2
    state = states(read(PLIES[:1]))[-1]
    known = ((Hidden(bag=(0, 1, 2, 0, 1), hand=(0, 1, 0, 2, 0), down=NONE, drawn=NONE, ahead=NONE), 1),)
    purse = replace(state.purses[0], pile=("swordsman", "swordsman"), known=known, seen=known)
    coin = {"coin": "swordsman"}
    for action in ({"type": "pass", **coin}, {"type": "deploy", "at": [2, -3], **coin}):
        assert why(state.with_purse(0, purse), 0, action) == (
            "There can be no swordsman coin in the hand: both swordsman coins were discarded this cycle."
        )
    with pytest.raises(IllegalError) as error:
        GAME.confide(state.with_purse(0, purse), 0, {"hand": ["swordsman"]})
    assert WORDS.say(error.value.phrase).endswith("both swordsman coins were discarded this cycle.")


def test_a_draw_that_cannot_be_is_refused_with_the_reason() -> None:  # WC 4.1
    state = archers_discarded()
    for ply in read([(1, PASS)]):
        state = GAME.apply(state, ply)
    told = {"type": "draw", "coins": {"1": ["archer"]}}
    assert why(state, CHANCE, told) == (
        "Player B cannot draw 1 archer: the count is 1 discarded this cycle, 1 on the board and 2 in the supply."
    )
    assert refused(START, CHANCE, {"type": "draw", "coins": {"0": ["pikeman"] * 3}}) == "WC 4.1"
