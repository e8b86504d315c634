"""WC 5: what a coin is used for."""

from __future__ import annotations

from companion.games.war_chest import GAME
from tests.games.war_chest.wc_positions import (
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
