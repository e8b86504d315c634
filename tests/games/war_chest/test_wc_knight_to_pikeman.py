"""The units from knight to pikeman: WC 6.7 to WC 6.12."""

from __future__ import annotations

from typing import Any

from companion.engine import CHANCE
from companion.games.war_chest.board import board
from tests.games.war_chest.wc_positions import ENSIGNS, MARSHALL, asked, free, legal, played, position, refused

# --- WC 6.7


def test_only_a_bolstered_unit_attacks_a_knight_by_whatever_means() -> None:
    for unit, target in (("archer", (0, 2)), ("crossbowman", (0, 2)), ("cavalry", (0, 2)), ("berserker", (0, 1))):
        for height in (1, 2):
            state = position({(0, 0): (unit, height), target: "knight"}, hands={0: [unit]})
            found = [each for each in legal(state) if "target" in each]
            assert bool(found) == (height == 2), unit
    state = position({(0, 0): "archer", (0, 2): "knight"}, hands={0: ["archer"]})
    assert refused(state, 0, {"type": "tactic", "coin": "archer", "from": [0, 0], "target": [0, 2]}) == "WC 6.7"
    state = position({(0, 0): "berserker", (0, 1): "knight"}, hands={0: ["berserker"]})
    assert refused(state, 0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}) == "WC 6.7"


# --- WC 6.8


def lancer(stacks: dict[Any, Any]) -> Any:
    return position({(0, 0): "lancer"} | stacks, hands={1: ["lancer"]}, active=1)


def test_lancer_charges_one_or_two_hexes_and_attacks_the_next() -> None:
    state = lancer({(0, 2): "archer", (3, 0): "cavalry", (-2, 2): "berserker", (-1, 1): "pikeman"})
    assert legal(state, "tactic") == [
        {"coin": "lancer", "from": [0, 0], "to": [2, 0], "target": [3, 0]},
        {"coin": "lancer", "from": [0, 0], "to": [0, 1], "target": [0, 2]},
    ]
    state = played(
        state, (1, {"type": "tactic", "coin": "lancer", "from": [0, 0], "to": [2, 0], "target": [3, 0]})
    )
    assert state.stacks[(2, 0)].kind == "lancer"
    assert (3, 0) not in state.stacks


def test_lancer_needs_a_target_and_has_no_other_attack() -> None:
    state = lancer({(0, 1): "archer"})
    assert legal(state, "tactic") == []
    assert refused(state, 1, {"type": "tactic", "coin": "lancer", "from": [0, 0], "to": [1, 0]}) == "WC 6.8"
    assert refused(state, 1, {"type": "attack", "coin": "lancer", "from": [0, 0], "target": [0, 1]}) == "WC 6.8"


def test_lancer_alone_cannot_charge_a_knight() -> None:
    units = (("knight", "berserker", "cavalry", "crossbowman"), ("archer", "pikeman", "royal_guard", "lancer"))
    for height in (1, 2):
        state = position({(0, 0): ("lancer", height), (0, 3): "knight"}, units=units, hands={1: ["lancer"]}, active=1)
        assert len(legal(state, "tactic")) == height - 1


# --- WC 6.9


def test_light_cavalry_rides_two_steps_bent_or_straight_and_not_back() -> None:
    state = position({(0, 0): "light_cavalry"}, units=ENSIGNS, hands={0: ["light_cavalry"]})
    ends = [tuple(each["to"]) for each in legal(state, "tactic", coin="light_cavalry")]
    assert len(ends) == len(set(ends)) == 18  # twelve two away, six next to the start by a bend
    back = {"type": "tactic", "coin": "light_cavalry", "from": [0, 0], "to": [0, 0]}
    assert refused(state, 0, back) == "WC 6.9"
    assert len(legal(state, "move")) == 6


def test_light_cavalry_rides_through_empty_hexes_only() -> None:
    wall = {at: "pikeman" for at in board(2).neighbours[(0, 0)] if at != (0, 1)}
    state = position({(0, 0): "light_cavalry"} | wall, units=ENSIGNS, hands={0: ["light_cavalry"]})
    assert sorted(tuple(each["to"]) for each in legal(state, "tactic")) == [(-1, 2), (0, 2), (1, 1)]


# --- WC 6.10


def test_marshall_has_others_attack_normally_but_not_the_archer() -> None:
    stacks = {(0, 0): "marshall", (0, 2): "swordsman", (0, -1): "archer", (1, -2): "lancer", (0, -3): "royal_guard",
              (0, 3): "royal_guard", (1, 0): "pikeman"}
    state = position(stacks, units=MARSHALL, hands={0: ["marshall"]})
    assert legal(state, "tactic") == [
        {"coin": "marshall", "from": [0, 0], "unit_at": [0, 2], "target": [0, 3]},
    ]
    own = {"type": "tactic", "coin": "marshall", "from": [0, 0], "unit_at": [0, 0], "target": [1, 0]}
    assert refused(state, 0, own) == "WC 6.10"
    shot = {"type": "tactic", "coin": "marshall", "from": [0, 0], "unit_at": [0, -1], "target": [0, -3]}
    assert refused(state, 0, shot) == "WC 6.10"


def test_attributes_follow_an_attack_that_a_marshall_granted() -> None:  # WC 7.6
    stacks = {(0, 0): "marshall", (0, 1): "swordsman", (0, 2): "lancer", (1, 0): "warrior_priest", (2, 0): "lancer"}
    state = position(stacks, units=MARSHALL, hands={0: ["marshall"]})
    order = {"type": "tactic", "coin": "marshall", "from": [0, 0]}
    after = played(state, (0, {**order, "unit_at": [0, 1], "target": [0, 2]}))
    assert asked(after) == (0, "may_maneuver")
    after = played(state, (0, {**order, "unit_at": [1, 0], "target": [2, 0]}))
    assert asked(after) == (CHANCE, "priest")


def test_a_berserker_goes_on_after_a_marshalls_attack() -> None:  # WC 7.6
    units = (("marshall", "berserker", "cavalry", "archer"), MARSHALL[1])
    state = position({(0, 0): "marshall", (0, 1): ("berserker", 2), (0, 2): "lancer"}, units=units,
                     hands={0: ["marshall"]})
    order = {"type": "tactic", "coin": "marshall", "from": [0, 0], "unit_at": [0, 1], "target": [0, 2]}
    assert asked(played(state, (0, order))) == (0, "may_maneuver")


def test_the_unit_ordered_must_be_bolstered_to_attack_a_knight_not_the_marshall() -> None:
    for marshall, sword, hits in ((2, 1, False), (1, 2, True)):
        stacks = {(0, 0): ("marshall", marshall), (0, 1): ("swordsman", sword), (0, 2): "knight"}
        state = position(stacks, units=MARSHALL, hands={0: ["marshall"]})
        assert bool(legal(state, "tactic")) == hits


# --- WC 6.11


MERCENARY = (("mercenary", "swordsman", "berserker", "archer"), ("knight", "pikeman", "royal_guard", "lancer"))


def test_mercenary_may_maneuver_after_one_was_recruited() -> None:
    state = position({(-1, 1): "mercenary"}, units=MERCENARY, hands={0: [*["royal"], "archer"]},
                     supply={"mercenary": 1, "archer": 1})
    other = played(state, (0, {"type": "recruit", "coin": "royal", "unit": "archer"}))
    assert not other.due
    state = played(state, (0, {"type": "recruit", "coin": "royal", "unit": "mercenary"}))
    assert asked(state) == (0, "may_maneuver")
    assert {each["maneuver"] for each in legal(state, "free")} == {"move", "control"}
    assert {"type": "skip"} in legal(state)
    state = played(state, (0, free("control", (-1, 1))))
    assert state.control[(-1, 1)] == 0


def test_mercenary_that_is_not_on_the_board_does_nothing() -> None:
    state = position({}, units=MERCENARY, hands={0: ["royal"]}, supply={"mercenary": 1})
    assert not played(state, (0, {"type": "recruit", "coin": "royal", "unit": "mercenary"})).due


# --- WC 6.12


def test_pikeman_hits_back_at_a_neighbour_at_the_same_time() -> None:
    for height, left in ((1, 0), (2, 1)):
        state = position({(0, 0): ("berserker", height), (0, 1): "pikeman"}, hands={0: ["berserker"]})
        state = played(state, (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}))
        assert (0, 1) not in state.stacks  # even if it dies
        assert ((0, 0) in state.stacks) == bool(left)


def test_pikeman_does_not_hit_who_is_two_hexes_away() -> None:
    state = position({(0, 0): "archer", (0, 2): ("pikeman", 2)}, hands={0: ["archer"]})
    state = played(state, (0, {"type": "tactic", "coin": "archer", "from": [0, 0], "target": [0, 2]}))
    assert dict(state.stacks) == {(0, 0): ("archer", 1), (0, 2): ("pikeman", 1)}


def test_pikemans_answer_is_no_attack() -> None:
    units = (("knight", "royal_guard", "cavalry", "archer"), ("scout", "pikeman", "footman", "lancer"))
    state = position({(0, 0): "knight", (0, 1): "pikeman"}, units=units, hands={0: ["knight"]})
    state = played(state, (0, {"type": "attack", "coin": "knight", "from": [0, 0], "target": [0, 1]}))
    assert dict(state.stacks) == {}  # a single pikeman took a knight with it
    state = position({(0, 0): "royal_guard", (0, 1): "pikeman"}, units=units, hands={0: ["royal_guard"]},
                     supply={"royal_guard": 3})
    state = played(state, (0, {"type": "attack", "coin": "royal_guard", "from": [0, 0], "target": [0, 1]}))
    assert dict(state.stacks) == {}  # nothing to absorb: it was not attacked
    assert state.purses[0].in_supply("royal_guard") == 3
