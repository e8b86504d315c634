"""WC 1 and WC 4: how games end, how rounds go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE, Over
from companion.games.war_chest import GAME
from companion.games.war_chest.state import MayManeuver
from tests.games.war_chest.wc_positions import (
    ARMIES,
    FOUR,
    asked,
    drawn,
    in_play,
    legal,
    played,
    position,
    refused,
)
from tests.games.war_chest.wc_start import begin

# --- WC 1


def test_the_last_marker_wins_at_once() -> None:  # WC 1.1, WC 1.2
    own = dict.fromkeys([(-3, 2), (-2, 0), (1, -1), (-1, -2), (2, -3)], 0) | {(1, 2): 1}
    state = position({(-1, 1): "archer"}, hands={0: ["archer"], 1: ["knight"]}, control=own)
    state = played(state, (0, {"type": "control", "coin": "archer", "at": [-1, 1]}))
    assert GAME.turn(state) == Over((0,), "last marker placed")
    assert GAME.scores(state) == (6, 1)
    assert legal(state) == []
    assert refused(state, 1, {"type": "pass", "coin": "knight"}) == "WC 1.1"


def test_four_players_need_eight_markers_and_partners_win_together() -> None:  # WC 1.1, WC 8.1
    own = dict.fromkeys([(-3, 2), (-2, 0), (1, -1), (-1, -2), (2, -3), (-4, 1), (5, -3)], 0)
    state = position({(-1, 1): "marshall"}, units=FOUR, hands={0: ["marshall"]}, control=own)
    state = played(state, (0, {"type": "control", "coin": "marshall", "at": [-1, 1]}))
    assert GAME.turn(state) == Over((0, 2), "last marker placed")
    assert GAME.scores(state) == (8, 0, 8, 0)


def test_a_game_without_any_unit_coin_off_the_board_is_drawn() -> None:  # WC 1.3
    state = position({(0, 0): "archer"}, hands={0: ["royal"], 1: ["royal"]}, bags={0: [], 1: []})
    state = played(state, (0, {"type": "pass", "coin": "royal"}))
    assert GAME.turn(state) == Over((), "stalemate")


@pytest.mark.parametrize(
    "left", [{"hands": {0: ["royal"], 1: ["knight"]}}, {"bags": {0: [], 1: ["knight"]}}, {"piles": {1: ["knight"]}},
             {"supply": {"knight": 1}}],
)
def test_a_single_unit_coin_anywhere_keeps_the_game_going(left: Any) -> None:  # WC 1.3
    state = position({}, **{"hands": {0: ["royal"], 1: ["royal"]}, **left})
    assert not isinstance(GAME.turn(played(state, (0, {"type": "pass", "coin": "royal"}))), Over)


def test_a_draw_is_looked_for_after_the_complete_turn_only() -> None:  # WC 1.3
    units = (("marshall", "berserker", "cavalry", "archer"), ARMIES[1])
    state = position({(0, 0): ("berserker", 2)}, units=units, hands={0: ["royal"]}, bags={0: [], 1: ["royal"]},
                     control={(-2, 0): 0})
    state = replace(state, due=(MayManeuver(0, (0, 0), ("move", "attack", "control"), pays=True),))
    assert asked(state) == (0, "may_maneuver")  # no unit coin is left anywhere, and still the turn goes on
    assert GAME.turn(played(state, (0, {"type": "skip"}))) == Over((), "stalemate")


# --- WC 4


def test_a_round_begins_with_three_coins_each() -> None:  # WC 4.1
    state = begin()
    assert asked(state) == (CHANCE, "draw")
    assert refused(state, 0, {"type": "pass", "coin": "royal"}) == "WC 4.1"
    after = drawn(state, ["pikeman", "pikeman", "royal"], ["scout", "archer", "lancer"])
    assert in_play(after, 0, "hand") == ["pikeman", "pikeman", "royal"]
    assert len(in_play(after, 0, "bag")) == 6
    assert asked(after) == (0, "use")


@pytest.mark.parametrize(
    "hands",
    [
        {"0": ["pikeman", "pikeman", "royal"]},  # a seat is missing
        {"0": ["pikeman", "pikeman", "royal"], "1": ["scout", "archer"]},
        {"0": ["pikeman", "pikeman", "royal", "swordsman"], "1": ["scout", "archer", "lancer"]},
        {"0": ["pikeman", "pikeman", "pikeman"], "1": ["scout", "archer", "lancer"]},  # two are in the bag
        {"0": ["pikeman", "pikeman", "royal"], "1": ["scout", "archer", "royal"], "2": []},
    ],
)
def test_a_draw_that_cannot_be_is_refused(hands: Any) -> None:  # WC 4.1
    assert refused(begin(), CHANCE, {"type": "draw", "coins": hands}) == "WC 4.1"


def test_a_draw_of_another_players_units_is_refused() -> None:  # WC 3.2
    hands = {"0": ["pikeman", "pikeman", "scout"], "1": ["scout", "archer", "lancer"]}
    assert refused(begin(), CHANCE, {"type": "draw", "coins": hands}) == "WC 3.2"


def last_coin(bag: list[str], pile: list[str]) -> Any:
    state = position({}, hands={0: ["archer"]}, bags={0: bag, 1: ["knight", "knight", "pikeman"]}, piles={0: pile})
    return played(state, (0, {"type": "pass", "coin": "archer"}))


def test_the_discards_come_in_when_the_bag_runs_out_in_the_middle_of_a_draw() -> None:  # WC 4.2
    state = last_coin(["cavalry", "royal"], ["berserker", "berserker"])
    bad = {"0": ["berserker", "berserker", "royal"], "1": ["knight", "knight", "pikeman"]}
    assert refused(state, CHANCE, {"type": "draw", "coins": bad}) == "WC 4.2"
    state = drawn(state, ["archer", "cavalry", "royal"], ["knight", "knight", "pikeman"])  # the coin spent face down
    assert in_play(state, 0, "bag") == ["berserker", "berserker"]
    assert state.purses[0].pile == ()
    assert in_play(state, 0, "down") == []


def test_the_discards_stay_where_they_are_while_the_bag_suffices() -> None:  # WC 4.2
    state = drawn(last_coin(["cavalry", "cavalry", "royal"], ["berserker"]), ["cavalry", "cavalry", "royal"],
                  ["knight", "knight", "pikeman"])
    assert in_play(state, 0, "bag") == []
    assert state.purses[0].pile == ("berserker", None)


def test_who_has_too_few_coins_plays_short() -> None:  # WC 4.3
    state = drawn(last_coin(["royal"], []), ["archer", "royal"], ["knight", "knight", "pikeman"])
    state = played(state, (0, {"type": "pass", "coin": "archer"}), (1, {"type": "pass", "coin": "knight"}))
    state = played(state, (0, {"type": "pass", "coin": "royal"}), (1, {"type": "pass", "coin": "knight"}))
    assert asked(state) == (1, "use")  # WC 4.5: player 1's hand is empty
    assert asked(played(state, (1, {"type": "pass", "coin": "pikeman"}))) == (CHANCE, "draw")  # WC 4.6


def test_players_use_coins_in_turn_from_the_initiative_on() -> None:  # WC 4.4
    state = drawn(begin(initiative=1), ["pikeman", "pikeman", "royal"], ["scout", "archer", "lancer"])
    order = []
    while asked(state)[1] == "use":
        order.append(asked(state)[0])
        coin = in_play(state, order[-1], "hand")[0]
        state = played(state, (order[-1], {"type": "pass", "coin": coin}))
    assert order == [1, 0, 1, 0, 1, 0]
    assert refused(drawn(begin(), ["pikeman", "pikeman", "royal"], ["scout", "archer", "lancer"]), 1,
                   {"type": "pass", "coin": "scout"}) == "WC 4.4"
