"""The units from archer to footman: WC 6.1 to WC 6.6."""

from __future__ import annotations

from typing import Any

from companion.games.war_chest.board import board, distance
from companion.games.war_chest.units import UNITS
from tests.games.war_chest.wc_positions import (
    ENSIGNS,
    FOOTMEN,
    asked,
    free,
    legal,
    played,
    position,
    refused,
    targets,
)


def test_there_are_74_coins_of_16_units() -> None:  # WC 3.2
    assert len(UNITS) == 16
    assert sum(unit.coins for unit in UNITS.values()) == 74
    assert [unit.rule for unit in UNITS.values()] == [f"WC 6.{number}" for number in range(1, 17)]


# --- WC 6.1


def test_archer_attacks_any_of_the_twelve_hexes_two_away_over_whatever_stands_between() -> None:
    enemies = {at: "pikeman" for at in board(2).hexes if 0 < distance((0, 0), at) <= 2}
    state = position({(0, 0): "archer"} | enemies, hands={0: ["archer"]})
    assert len(targets(state, "tactic", coin="archer")) == 12
    assert all(distance((0, 0), at) == 2 for at in targets(state, "tactic", coin="archer"))


def test_archer_cannot_attack_a_neighbour() -> None:
    state = position({(0, 0): "archer", (0, 1): "pikeman"}, hands={0: ["archer"]})
    assert legal(state, "attack") == []
    assert refused(state, 0, {"type": "attack", "coin": "archer", "from": [0, 0], "target": [0, 1]}) == "WC 6.1"
    tactic = {"type": "tactic", "coin": "archer", "from": [0, 0], "target": [0, 1]}
    assert refused(state, 0, tactic) == "WC 6.1"


# --- WC 6.2


def berserker(height: int, near: dict[Any, Any] | None = None, **more: Any) -> Any:
    stacks = {(0, 0): ("berserker", height)} | (near or {})
    return position(stacks, hands={0: ["berserker"]}, **more)


def test_berserker_pays_each_further_maneuver_with_a_coin_of_its_stack() -> None:
    state = played(berserker(3), (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]}))
    assert asked(state) == (0, "may_maneuver")
    state = played(state, (0, free("move", (0, 1), (0, 2))), (0, free("move", (0, 2), (0, 3))))
    assert state.stacks[(0, 3)] == ("berserker", 1)
    assert state.purses[0].pile == ("berserker",) * 3  # the coin of the hand, then two of the stack
    assert not state.due


def test_berserker_alone_in_its_stack_has_nothing_to_pay_with() -> None:
    state = played(berserker(1), (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]}))
    assert not state.due


def test_berserker_may_stop_at_any_time() -> None:
    state = played(
        berserker(3), (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]}), (0, {"type": "skip"})
    )
    assert state.stacks[(0, 1)].height == 3
    assert not state.due


def test_berserker_goes_on_after_taking_a_location() -> None:
    state = position({(-1, 1): ("berserker", 2)}, hands={0: ["berserker"]})
    state = played(state, (0, {"type": "control", "coin": "berserker", "at": [-1, 1]}))
    assert asked(state) == (0, "may_maneuver")


def test_berserker_that_pays_is_bolstered_no_more_and_cannot_attack_a_knight() -> None:
    first = (0, {"type": "move", "coin": "berserker", "from": [0, 0], "to": [0, 1]})
    two = played(berserker(2, {(0, 2): "knight"}), first)
    assert legal(two, "free", maneuver="attack") == []
    assert refused(two, 0, free("attack", (0, 1), (0, 2))) == "WC 6.7"
    three = played(berserker(3, {(0, 2): "knight"}), first)
    assert legal(three, "free", maneuver="attack") == [{"from": [0, 1], "target": [0, 2]}]


def test_berserker_that_a_pikeman_leaves_one_coin_does_not_go_on() -> None:
    state = berserker(2, {(0, 1): "pikeman"})
    state = played(state, (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}))
    assert dict(state.stacks) == {(0, 0): ("berserker", 1)}
    assert not state.due


# --- WC 6.3


def test_cavalry_moves_and_attacks_and_must_do_both() -> None:
    state = position({(0, 0): "cavalry", (0, 2): "pikeman"}, hands={0: ["cavalry"]})
    assert legal(state, "tactic", coin="cavalry") == [
        {"from": [0, 0], "to": to, "target": [0, 2]} for to in ([0, 1], [1, 0], [-1, 1])
        if distance((to[0], to[1]), (0, 2)) == 1
    ]
    assert refused(state, 0, {"type": "tactic", "coin": "cavalry", "from": [0, 0], "to": [0, 1]}) == "WC 6.3"
    state = played(state, (0, {"type": "tactic", "coin": "cavalry", "from": [0, 0], "to": [0, 1], "target": [0, 2]}))
    assert dict(state.stacks) == {}  # both fell: the pikeman stood next to it when it attacked


# --- WC 6.4


def test_crossbowman_shoots_straight_over_an_empty_hex_and_has_a_normal_attack() -> None:
    stacks = {
        (0, 0): "crossbowman", (0, 2): "pikeman", (1, 1): "royal_guard", (2, 0): "lancer", (1, 0): "archer",
        (-1, 0): "knight",
    }
    state = position(stacks, hands={0: ["crossbowman"]})
    assert targets(state, "tactic") == [(0, 2)]  # not the bent line, not behind the archer
    assert targets(state, "attack") == []  # the knight cannot be hit
    near = position({(0, 0): "crossbowman", (0, 1): "pikeman"}, hands={0: ["crossbowman"]})
    assert targets(near, "attack") == [(0, 1)]
    assert targets(near, "tactic") == []
    bent = {"type": "tactic", "coin": "crossbowman", "from": [0, 0], "target": [1, 1]}
    assert refused(state, 0, bent) == "WC 6.4"


# --- WC 6.5


def test_ensign_sends_another_friend_a_step_that_ends_within_two_hexes() -> None:
    state = position({(0, 0): "ensign", (0, 2): "light_cavalry", (0, -1): "pikeman"}, units=ENSIGNS,
                     hands={0: ["ensign"]})
    sent = legal(state, "tactic", coin="ensign")
    assert {tuple(each["unit_at"]) for each in sent} == {(0, 2)}
    assert sorted(tuple(each["to"]) for each in sent) == [(-1, 2), (0, 1), (1, 1)]
    far = {"type": "tactic", "coin": "ensign", "from": [0, 0], "unit_at": [0, 2], "to": [0, 3]}
    assert refused(state, 0, far) == "WC 6.5"
    itself = {"type": "tactic", "coin": "ensign", "from": [0, 0], "unit_at": [0, 0], "to": [0, 1]}
    assert refused(state, 0, itself) == "WC 6.5"


def test_a_berserker_goes_on_after_an_ensigns_move() -> None:  # WC 7.6
    state = position({(0, 0): "ensign", (0, 1): ("berserker", 2)}, units=ENSIGNS, hands={0: ["ensign"]})
    order = {"type": "tactic", "coin": "ensign", "from": [0, 0], "unit_at": [0, 1], "to": [0, 2]}
    assert asked(played(state, (0, order))) == (0, "may_maneuver")


# --- WC 6.6


def footmen(stacks: dict[Any, Any], **more: Any) -> Any:
    return position(stacks, units=FOOTMEN, hands={0: ["footman"]}, **more)


def test_two_footmen_may_be_deployed_but_no_third() -> None:
    assert legal(footmen({(0, 0): "footman"}), "deploy") == [
        {"coin": "footman", "at": [-1, -2]}, {"coin": "footman", "at": [2, -3]},
    ]
    three = footmen({(0, 0): "footman", (0, 1): "footman"})
    assert legal(three, "deploy") == []
    assert refused(three, 0, {"type": "deploy", "coin": "footman", "at": [-1, -2]}) == "WC 6.6"
    assert [each["at"] for each in legal(three, "bolster")] == [[0, 0], [0, 1]]


def test_both_footmen_must_maneuver_in_any_order_and_differently() -> None:
    state = footmen({(0, 0): "footman", (-1, 1): "footman", (0, 1): "royal_guard"})
    state = played(state, (0, {"type": "tactic", "coin": "footman"}))
    assert asked(state) == (0, "footmen")
    assert {tuple(each["from"]) for each in legal(state, "free")} == {(0, 0), (-1, 1)}
    assert refused(state, 0, {"type": "skip"}) == "WC 6.6"
    state = played(state, (0, free("control", (-1, 1))))
    assert {tuple(each["from"]) for each in legal(state, "free")} == {(0, 0)}
    assert refused(state, 0, free("move", (-1, 1), (-1, 2))) == "WC 6.6"
    state = played(state, (0, free("attack", (0, 0), (0, 1))))
    assert (0, 1) not in state.stacks
    assert not state.due


def test_the_first_footman_may_clear_the_way_of_the_second() -> None:
    corner = {(-3, 3): "footman", (-3, 2): "footman", (-2, 3): "scout", (-2, 2): "ensign"}
    own = {(-2, 3): 0, (-3, 2): 0}
    state = footmen(corner, control=own)
    state = played(state, (0, {"type": "tactic", "coin": "footman"}))
    assert {tuple(each["from"]) for each in legal(state, "free")} == {(-3, 2)}  # the other is shut in
    state = played(state, (0, free("move", (-3, 2), (-3, 1))))
    assert {tuple(each["from"]) for each in legal(state, "free")} == {(-3, 3)}


def test_footmen_that_can_do_nothing_have_no_tactic() -> None:
    shut_in = {(-3, 3): "footman", (-3, 2): "scout", (-2, 3): "swordsman", (-2, 2): "ensign"}
    state = footmen(shut_in)
    assert legal(state, "tactic") == []
    assert refused(state, 0, {"type": "tactic", "coin": "footman"}) == "WC 6.6"


def test_the_second_footman_acts_when_the_first_fell_to_a_pikeman() -> None:
    state = footmen({(0, 0): "footman", (2, 0): "footman", (0, 1): "pikeman"})
    state = played(state, (0, {"type": "tactic", "coin": "footman"}), (0, free("attack", (0, 0), (0, 1))))
    assert (0, 0) not in state.stacks
    assert {tuple(each["from"]) for each in legal(state)} == {(2, 0)}
