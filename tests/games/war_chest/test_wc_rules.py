"""The course of the game: WC 1, WC 4, WC 5, WC 7 and WC 8."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Over, Ply, play
from companion.games.war_chest import GAME
from companion.games.war_chest.rules import new_table, start
from companion.games.war_chest.state import MayManeuver
from tests.games.war_chest.wc_positions import (
    ARMIES,
    FOUR,
    all_coins,
    asked,
    drawn,
    free,
    in_play,
    legal,
    played,
    position,
    refused,
)

FIRST = (("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"))


def begin(units: Any = FIRST, initiative: int = 0, **options: bool) -> Any:
    return start(new_table(units, ("raven", "wolf") * (len(units) // 2), **options), initiative)


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


# --- WC 5


def test_a_coin_must_be_in_the_hand() -> None:  # WC 5.1
    state = position({}, hands={0: ["archer"]})
    assert refused(state, 0, {"type": "pass", "coin": "cavalry"}) == "WC 5.1"
    assert refused(state, 0, {"type": "pass", "coin": "knight"}) == "WC 3.2"


def test_the_royal_coin_is_spent_face_down_only() -> None:  # WC 5.2
    state = position({(0, 0): "archer"}, hands={0: ["royal"]}, supply={"archer": 1}, initiative=1)
    assert {each["type"] for each in legal(state)} == {"pass", "recruit", "initiative"}
    for action in (
        {"type": "deploy", "coin": "royal", "at": [2, -3]}, {"type": "bolster", "coin": "royal", "at": [0, 0]},
        {"type": "move", "coin": "royal", "from": [0, 0], "to": [0, 1]},
        {"type": "control", "coin": "royal", "at": [0, 0]},
        {"type": "attack", "coin": "royal", "from": [0, 0], "target": [0, 1]},
        {"type": "tactic", "coin": "royal", "from": [0, 0], "to": [0, 1]},
    ):
        assert refused(state, 0, action) == "WC 5.2"


def test_units_are_deployed_on_empty_own_locations() -> None:  # WC 5.3
    state = position({(2, -3): "archer"}, hands={0: ["cavalry", "archer"]})
    assert legal(state, "deploy") == [{"coin": "cavalry", "at": [-1, -2]}]
    deploy = {"type": "deploy", "coin": "cavalry"}
    for at in ([2, -3], [0, 0], [-2, 3]):  # taken, no location, the enemy's
        assert refused(state, 0, {**deploy, "at": at}) == "WC 5.3"
    assert refused(state, 0, {**deploy, "at": [4, -3]}) == "WC 2.1"
    assert refused(state, 0, {"type": "deploy", "coin": "archer", "at": [-1, -2]}) == "WC 5.3"
    state = played(state, (0, {**deploy, "at": [-1, -2]}))
    assert state.stacks[(-1, -2)] == ("cavalry", 1)
    assert state.purses[0].pile == ()


def test_a_unit_that_was_removed_can_be_deployed_again() -> None:  # WC 5.3, WC 5.9
    state = position({(0, 0): "berserker", (0, 1): "lancer"}, hands={0: ["berserker"], 1: ["lancer"]})
    state = played(state, (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}))
    assert len(legal(state, "deploy", coin="lancer")) == 2


def test_a_stack_grows_without_limit_and_moves_as_one() -> None:  # WC 5.4, WC 5.8
    state = position({(0, 0): ("archer", 3)}, hands={0: ["archer"], 1: []}, bags={0: ["archer"]})
    assert legal(state, "bolster") == [{"coin": "archer", "at": [0, 0]}]
    assert played(state, (0, {"type": "bolster", "coin": "archer", "at": [0, 0]})).stacks[(0, 0)].height == 4
    assert refused(state, 0, {"type": "bolster", "coin": "archer", "at": [0, 1]}) == "WC 5.4"
    moved = played(state, (0, {"type": "move", "coin": "archer", "from": [0, 0], "to": [1, 0]}))
    assert dict(moved.stacks) == {(1, 0): ("archer", 3)}


def test_the_initiative_changes_hands_once_a_round() -> None:  # WC 5.5
    state = position({}, hands={0: ["archer", "royal"], 1: ["knight", "royal"]}, initiative=0)
    assert refused(state, 0, {"type": "initiative", "coin": "archer"}) == "WC 5.5"
    state = played(state, (0, {"type": "pass", "coin": "archer"}), (1, {"type": "initiative", "coin": "knight"}))
    assert legal(state, "initiative") == []
    assert refused(state, 0, {"type": "initiative", "coin": "royal"}) == "WC 5.5"
    state = played(state, (0, {"type": "pass", "coin": "royal"}), (1, {"type": "pass", "coin": "royal"}))
    state = drawn(state, ["archer", "royal", "royal"], ["knight", "royal", "royal"])
    assert asked(state) == (1, "use")  # WC 4.6
    state = played(state, (1, {"type": "pass", "coin": "royal"}))
    assert len(legal(state, "initiative")) == 2


def test_recruiting_takes_any_coin_of_the_supply_face_up() -> None:  # WC 5.6, WC 5.12
    state = position({}, hands={0: ["archer"]}, supply={"cavalry": 1})
    assert legal(state, "recruit") == [{"coin": "archer", "unit": "cavalry"}]
    assert refused(state, 0, {"type": "recruit", "coin": "archer", "unit": "archer"}) == "WC 5.6"
    assert refused(state, 0, {"type": "recruit", "coin": "archer", "unit": "knight"}) == "WC 3.2"
    after = played(state, (0, {"type": "recruit", "coin": "archer", "unit": "cavalry"}))
    assert after.purses[0].pile == (None, "cavalry")
    assert in_play(after, 0, "down") == ["archer"]
    assert GAME.placement(after)["discard:0"] == ("coin:back", "coin:cavalry")


def test_passing_is_always_possible() -> None:  # WC 5.7
    state = position({}, hands={0: ["royal", "archer"]})
    assert {each["coin"] for each in legal(state, "pass")} == {"royal", "archer"}


def test_a_unit_moves_to_an_empty_neighbour() -> None:  # WC 5.8
    state = position({(0, 0): "archer", (0, 1): "knight"}, hands={0: ["archer"]})
    assert len(legal(state, "move")) == 5
    move = {"type": "move", "coin": "archer", "from": [0, 0]}
    assert refused(state, 0, {**move, "to": [0, 1]}) == "WC 5.8"
    assert refused(state, 0, {**move, "to": [0, 2]}) == "WC 5.8"
    assert refused(state, 0, {**move, "to": [9, 9]}) == "WC 2.1"
    assert refused(state, 0, {**move, "from": [0, 1], "to": [0, 2]}) == "WC 5.8"
    assert refused(state, 0, {"type": "move", "coin": "archer", "from": [1, 1], "to": [1, 2]}) == "WC 5.8"


def test_a_unit_that_is_shut_in_cannot_move() -> None:  # WC 5.8
    shut_in = {(-3, 3): "archer", (-3, 2): "berserker", (-2, 3): "cavalry", (-2, 2): "knight"}
    assert legal(position(shut_in, hands={0: ["archer"]}), "move") == []


def test_an_attack_takes_a_coin_of_a_neighbouring_enemy_for_good() -> None:  # WC 5.9
    state = position({(0, 0): "berserker", (0, 1): ("lancer", 2), (1, 0): "archer"}, hands={0: ["berserker"]},
                     supply={"lancer": 2})
    assert legal(state, "attack") == [{"coin": "berserker", "from": [0, 0], "target": [0, 1]}]
    attack = {"type": "attack", "coin": "berserker", "from": [0, 0]}
    for target in ([1, 0], [0, 2], [-1, 0]):  # a friend, too far, nobody
        assert refused(state, 0, {**attack, "target": target}) == "WC 5.9"
    after = played(state, (0, {**attack, "target": [0, 1]}))
    assert after.stacks[(0, 1)].height == 1
    assert all_coins(after, "lancer") == all_coins(state, "lancer") - 1


def test_control_replaces_markers() -> None:  # WC 5.10, WC 2.4
    state = position({(-2, 3): "archer", (0, 0): "cavalry", (2, -3): "berserker"}, hands={0: ["archer", "cavalry"]})
    assert legal(state, "control") == [{"coin": "archer", "at": [-2, 3]}]
    after = played(state, (0, {"type": "control", "coin": "archer", "at": [-2, 3]}))
    assert after.control[(-2, 3)] == 0
    assert GAME.scores(after) == (3, 1)
    assert GAME.placement(after)["markers:0"] == ("marker:raven",) * 3
    assert GAME.placement(after)["markers:1"] == ("marker:wolf",) * 5
    assert refused(state, 0, {"type": "control", "coin": "cavalry", "at": [0, 0]}) == "WC 5.10"
    assert refused(after, 0, {"type": "control", "coin": "cavalry", "at": [-2, 3]}) == "WC 5.10"
    own = position({(2, -3): "berserker"}, hands={0: ["berserker"]})
    assert refused(own, 0, {"type": "control", "coin": "berserker", "at": [2, -3]}) == "WC 5.10"


def test_a_unit_without_a_tactic_has_none() -> None:  # WC 5.11
    state = position({(0, 0): "berserker"}, hands={0: ["berserker"]})
    assert refused(state, 0, {"type": "tactic", "coin": "berserker", "from": [0, 0], "to": [0, 1]}) == "WC 5.11"


def test_discards_lie_in_the_order_they_came() -> None:  # WC 5.12
    state = position({(0, 0): ("berserker", 2)}, hands={0: ["berserker", "archer"]}, piles={0: ["cavalry"]})
    state = played(state, (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]}),
                   (0, free("move", (0, 1), (0, 0))), (0, {"type": "pass", "coin": "archer"}))
    assert state.purses[0].pile == ("cavalry", "berserker", "berserker", None)


# --- WC 7


def test_an_attribute_comes_after_the_royal_guards_choice_and_before_the_next_player() -> None:  # WC 7.1
    state = position({(0, 0): ("berserker", 2), (0, 1): "royal_guard"}, hands={0: ["berserker"], 1: ["knight"]},
                     supply={"royal_guard": 1})
    state = played(state, (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}))
    assert refused(state, 1, {"type": "pass", "coin": "knight"}) == "WC 7.1"
    assert refused(state, 0, free("move", (0, 0), (1, 0))) == "WC 4.4"
    state = played(state, (1, {"type": "absorb", "from": "stack"}))
    assert asked(state) == (0, "may_maneuver")
    assert asked(played(state, (0, {"type": "skip"}))) == (1, "use")


def test_everything_a_priests_coin_leads_to_comes_before_the_next_player() -> None:  # WC 7.1
    units = (("warrior_priest", "mercenary", "archer", "footman"), ARMIES[1])
    state = position({(-1, 1): "warrior_priest", (0, 0): "mercenary"}, units=units,
                     hands={0: ["warrior_priest"], 1: ["knight"]}, supply={"mercenary": 1})
    state = played(
        state, (0, {"type": "control", "coin": "warrior_priest", "at": [-1, 1]}),
        (CHANCE, {"type": "priest", "coin": "royal"}), (0, {"type": "recruit", "coin": "royal", "unit": "mercenary"}),
    )
    assert asked(state) == (0, "may_maneuver")
    assert asked(played(state, (0, free("move", (0, 0), (0, 1))))) == (1, "use")


def test_free_maneuvers_are_never_tactics() -> None:  # WC 7.3
    state = position({(0, 0): ("berserker", 2)}, hands={0: ["berserker"]})
    state = played(state, (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]}))
    assert {each["type"] for each in legal(state)} == {"free", "skip"}
    for wrong in ({"maneuver": "tactic", "from": [0, 1]}, {"maneuver": "move", "from": [0, 1]},
                  {"maneuver": "control", "from": [0, 1], "to": [0, 2]}):
        with pytest.raises(ValueError):
            GAME.read_action({"type": "free", **wrong})
    assert refused(state, 0, free("move", (0, 1), (0, 3))) == "WC 5.8"
    assert refused(state, 0, free("move", (0, 0), (0, 1))) == "WC 6.2"
    assert refused(state, 0, free("control", (0, 1))) == "WC 5.10"


def test_a_follow_up_that_has_no_maneuver_is_not_asked() -> None:  # WC 7.4
    units = (("swordsman", "pikeman", "crossbowman", "archer"), ("lancer", "cavalry", "scout", "knight"))
    shut_in = {(-3, 3): "swordsman", (-3, 2): "pikeman", (-2, 2): "crossbowman", (-2, 3): ("lancer", 2)}
    state = position(shut_in, units=units, hands={0: ["swordsman"], 1: ["knight"]})
    state = played(state, (0, {"type": "attack", "coin": "swordsman", "from": [-3, 3], "target": [-2, 3]}))
    assert asked(state) == (1, "use")
    assert refused(state, 0, {"type": "skip"}) == "WC 4.4"
    assert refused(state, 1, {"type": "skip"}) == "WC 7.4"


# --- WC 8


def test_a_partners_unit_is_decided_by_its_owner_and_the_turn_goes_on_after_who_spent_the_coin() -> None:
    # WC 7.5, WC 8.2
    state = position({(0, 0): "ensign", (0, 1): ("berserker", 2)}, units=FOUR,
                     hands={0: ["ensign"], 1: ["knight"], 2: ["royal"]})
    order = {"type": "tactic", "coin": "ensign", "from": [0, 0], "unit_at": [0, 1], "to": [0, 2]}
    state = played(state, (0, order))
    assert asked(state) == (2, "may_maneuver")
    state = played(state, (2, free("move", (0, 2), (0, 3))))
    assert state.purses[2].pile == ("berserker",)
    assert state.purses[0].pile == ("ensign",)
    assert asked(state) == (1, "use")


def test_a_partners_priest_draws_from_its_owners_bag() -> None:  # WC 7.5, WC 8.3
    state = position({(0, 0): "marshall", (1, 0): "warrior_priest", (2, 0): "lancer"}, units=FOUR,
                     hands={0: ["marshall"], 1: ["knight"], 2: ["swordsman"]}, bags={2: ["berserker"]})
    order = {"type": "tactic", "coin": "marshall", "from": [0, 0], "unit_at": [1, 0], "target": [2, 0]}
    state = played(state, (0, order))
    assert [GAME.write_action(action)["coin"] for action, _ in GAME.outcomes(state)] == ["berserker"]
    state = played(state, (CHANCE, {"type": "priest", "coin": "berserker"}))
    assert asked(state) == (2, "use_drawn")
    state = played(state, (2, {"type": "deploy", "coin": "berserker", "at": [-4, 1]}))
    assert in_play(state, 2, "hand") == ["swordsman"]
    assert asked(state) == (1, "use")


def test_partners_share_locations_and_friends_but_not_supplies() -> None:  # WC 8.2, WC 8.3
    state = position({(0, 0): "swordsman", (1, 0): "knight"}, units=FOUR, hands={0: ["scout"]},
                     supply={"swordsman": 1})
    places = {tuple(each["at"]) for each in legal(state, "deploy")}
    assert places == {(-1, -2), (2, -3), (-4, 1), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}
    assert legal(state, "recruit") == []
    assert refused(state, 0, {"type": "recruit", "coin": "scout", "unit": "swordsman"}) == "WC 3.2"
    assert legal(state, "attack") == []


def test_the_initiative_cannot_be_taken_from_a_partner() -> None:  # WC 8.3
    for holder, may in ((0, False), (2, False), (1, True), (3, True)):
        state = position({}, units=FOUR, hands={0: ["scout"]}, initiative=holder)
        assert bool(legal(state, "initiative")) == may
    state = position({}, units=FOUR, hands={0: ["scout"]}, initiative=2)
    assert refused(state, 0, {"type": "initiative", "coin": "scout"}) == "WC 8.3"


def test_four_players_play_clockwise() -> None:  # WC 4.4
    hands = {0: ["scout"], 1: ["knight"], 2: ["swordsman"], 3: ["archer"]}
    state = position({}, units=FOUR, hands=hands, active=2, initiative=2)
    order = []
    while asked(state)[1] == "use":
        seat = asked(state)[0]
        order.append(seat)
        state = played(state, (seat, {"type": "pass", "coin": hands[seat][0]}))
    assert order == [2, 3, 0, 1]


def test_outer_hexes_belong_to_four_players_only() -> None:  # WC 2.2
    state = position({(3, -2): "marshall"}, units=FOUR, hands={0: ["marshall"]})
    assert {"coin": "marshall", "from": [3, -2], "to": [4, -2]} in legal(state, "move")
    assert refused(state, 0, {"type": "move", "coin": "marshall", "from": [3, -2], "to": [9, -2]}) == "WC 2.2"


# --- states


def test_states_share_what_did_not_change_and_cannot_be_changed() -> None:
    state = position({(0, 0): "archer"}, hands={0: ["archer"], 1: ["knight"]})
    after = played(state, (0, {"type": "move", "coin": "archer", "from": [0, 0], "to": [0, 1]}))
    assert after.control is state.control
    assert after.purses[1] is state.purses[1]
    assert after.table is state.table
    with pytest.raises(TypeError):
        state.stacks[(0, 0)] = None  # type: ignore[index]
    assert pickle.loads(pickle.dumps(state)) == state
    assert hash(pickle.loads(pickle.dumps(state))) == hash(state)


def test_coins_are_conserved_until_they_go_to_the_box() -> None:
    rng = Random(5)
    options = GAME.read_options({}, 2)
    state = GAME.start(GAME.deal(2, options, rng), options, 2)
    kinds = [kind for own in state.table.units for kind in own]
    totals = {kind: all_coins(state, kind) for kind in kinds}
    for before, ply in play.random_game(GAME, state, rng, 400):
        after = GAME.apply(before, ply)
        lost = {kind: all_coins(before, kind) - all_coins(after, kind) for kind in kinds}
        assert all(0 <= each <= 1 for each in lost.values())
        assert isinstance(ply, Ply)
    assert all(all_coins(after, kind) <= totals[kind] for kind in kinds)
