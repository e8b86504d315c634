"""The sixteen units, one after the other: WC 6."""

from __future__ import annotations

from typing import Any

from companion.engine import CHANCE, Chance, Over
from companion.games.war_chest import GAME
from companion.games.war_chest.board import board, distance
from companion.games.war_chest.units import UNITS
from tests.games.war_chest.wc_positions import FOUR, all_coins, asked, free, in_play, legal, played, position, refused


def targets(state: Any, type_: str, **keys: Any) -> list[tuple[int, int]]:
    return sorted(tuple(each["target"]) for each in legal(state, type_, **keys))


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


ENSIGNS = (("ensign", "berserker", "light_cavalry", "marshall"), ("knight", "pikeman", "royal_guard", "lancer"))


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


FOOTMEN = (("footman", "scout", "swordsman", "ensign"), ("knight", "pikeman", "royal_guard", "lancer"))


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


MARSHALL = (("marshall", "swordsman", "warrior_priest", "archer"), ("knight", "pikeman", "royal_guard", "lancer"))


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


# --- WC 6.13


def guarded(supply: int, attacker: str = "berserker", height: int = 1) -> Any:
    return position({(0, 0): (attacker, height), (0, 1): "royal_guard"}, hands={0: [attacker]},
                    supply={"royal_guard": supply})


def test_royal_guards_owner_chooses_where_the_lost_coin_comes_from() -> None:
    attack = (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]})
    state = played(guarded(1, height=2), attack)
    assert asked(state) == (1, "absorb")
    assert legal(state) == [{"type": "absorb", "from": "supply"}, {"type": "absorb", "from": "stack"}]
    assert refused(state, 1, {"type": "skip"}) == "WC 6.13"
    kept = played(state, (1, {"type": "absorb", "from": "supply"}))
    assert kept.stacks[(0, 1)].height == 1
    assert kept.purses[1].in_supply("royal_guard") == 0
    assert all_coins(kept, "royal_guard") == all_coins(state, "royal_guard") - 1  # it went to the box
    assert asked(kept) == (0, "may_maneuver")  # then the berserker goes on
    lost = played(state, (1, {"type": "absorb", "from": "stack"}))
    assert (0, 1) not in lost.stacks
    assert lost.purses[1].in_supply("royal_guard") == 1


def test_royal_guard_without_a_supply_has_no_choice() -> None:
    state = played(guarded(0), (0, {"type": "attack", "coin": "berserker", "from": [0, 0], "target": [0, 1]}))
    assert (0, 1) not in state.stacks
    assert refused(guarded(0), 0, {"type": "absorb", "from": "supply"}) == "WC 7.4"


def retreat(original: bool) -> list[Any]:
    state = position({(0, 0): "royal_guard", (1, -1): "archer"}, hands={1: ["royal", "royal_guard"]}, active=1,
                     control={(-1, 1): 1, (1, -1): 1, (2, 0): 1, (-2, 0): 0}, original_royal_guard=original)
    assert legal(state, "tactic", coin="royal_guard") == []
    by_itself = {"type": "tactic", "coin": "royal_guard", "from": [0, 0], "to": [-1, 1]}
    assert refused(state, 1, by_itself) == "WC 6.13"
    return sorted(each["to"] for each in legal(state, "tactic", coin="royal"))


def test_revised_royal_guard_goes_to_an_own_location_one_or_two_steps_away() -> None:
    assert retreat(original=False) == [[-1, 1], [2, 0]]


def test_original_royal_guard_goes_one_step_anywhere() -> None:
    assert retreat(original=True) == [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0]]


def test_royal_guard_does_not_end_where_it_began() -> None:
    state = position({(-1, 1): "royal_guard"}, hands={1: ["royal"]}, active=1, control={(-1, 1): 1})
    assert legal(state, "tactic") == []
    assert refused(state, 1, {"type": "tactic", "coin": "royal", "from": [-1, 1], "to": [-1, 1]}) == "WC 6.13"


def test_the_royal_coin_spent_on_the_tactic_lies_face_up() -> None:
    state = position({(0, 0): "royal_guard"}, hands={1: ["royal"]}, active=1, control={(-1, 1): 1})
    state = played(state, (1, {"type": "tactic", "coin": "royal", "from": [0, 0], "to": [-1, 1]}))
    assert state.purses[1].pile == ("royal",)
    assert GAME.placement(state)["discard:1"] == ("coin:royal:wolf",)


# --- WC 6.14


def test_scout_is_deployed_next_to_a_friend_too() -> None:
    state = position({(0, 0): "swordsman", (0, 1): "pikeman"}, units=FOOTMEN, hands={0: ["scout"]})
    places = {tuple(each["at"]) for each in legal(state, "deploy")}
    assert places == {(-1, -2), (2, -3), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)}
    assert refused(state, 0, {"type": "deploy", "coin": "scout", "at": [0, 2]}) == "WC 6.14"


# --- WC 6.15


def test_swordsman_may_step_after_it_attacked() -> None:
    state = position({(0, 0): "swordsman", (0, 1): "lancer"}, units=MARSHALL, hands={0: ["swordsman"]})
    state = played(state, (0, {"type": "attack", "coin": "swordsman", "from": [0, 0], "target": [0, 1]}))
    assert asked(state) == (0, "may_maneuver")
    assert {each["maneuver"] for each in legal(state, "free")} == {"move"}
    assert refused(state, 0, free("control", (0, 0))) == "WC 6.15"
    state = played(state, (0, free("move", (0, 0), (0, 1))))  # into the hex it emptied
    assert state.stacks[(0, 1)].kind == "swordsman"
    assert not state.due


def test_swordsman_has_no_step_after_a_move() -> None:
    state = position({(0, 0): "swordsman"}, units=MARSHALL, hands={0: ["swordsman"]})
    assert not played(state, (0, {"type": "move", "coin": "swordsman", "from": [0, 0], "to": [0, 1]})).due


# --- WC 6.16


def priest(**more: Any) -> Any:
    return position({(-1, 1): "warrior_priest", (0, 1): "lancer"}, units=MARSHALL,
                    hands={0: ["warrior_priest", "archer"], 1: ["pikeman", "pikeman"]}, **more)


ATTACK = (0, {"type": "attack", "coin": "warrior_priest", "from": [-1, 1], "target": [0, 1]})
CONTROL = (0, {"type": "control", "coin": "warrior_priest", "at": [-1, 1]})


def test_priest_draws_a_coin_that_must_be_used_at_once() -> None:
    for cause in (ATTACK, CONTROL):
        state = played(priest(bags={0: ["marshall", "royal"]}), cause)
        assert asked(state) == (CHANCE, "priest")
        assert legal(state) == []
        assert refused(state, 0, {"type": "pass", "coin": "archer"}) == "WC 6.16"
        assert refused(state, CHANCE, {"type": "priest", "coin": "archer"}) == "WC 4.1"
        state = played(state, (CHANCE, {"type": "priest", "coin": "marshall"}))
        assert asked(state) == (0, "use_drawn")
        assert {each["coin"] for each in legal(state)} == {"marshall"}
        assert refused(state, 0, {"type": "pass", "coin": "archer"}) == "WC 6.16"
        assert refused(state, 0, {"type": "skip"}) == "WC 6.16"
        state = played(state, (0, {"type": "deploy", "coin": "marshall", "at": [2, -3]}))
        assert asked(state) == (1, "use")
        assert in_play(state, 0, "hand") == ["archer"]


def test_a_priests_coin_that_fits_nothing_can_still_pass() -> None:
    state = played(priest(bags={0: ["royal"]}), CONTROL, (CHANCE, {"type": "priest", "coin": "royal"}))
    assert {each["type"] for each in legal(state)} == {"pass"}  # the initiative is its own, the supply is empty
    assert asked(played(state, (0, {"type": "pass", "coin": "royal"}))) == (1, "use")


def test_priest_may_draw_again_and_again() -> None:
    state = played(priest(bags={0: ["warrior_priest"]}), ATTACK, (CHANCE, {"type": "priest", "coin": "warrior_priest"}))
    state = played(state, CONTROL)
    assert asked(state) == (CHANCE, "priest")
    outcomes = dict(GAME.outcomes(state))
    assert {GAME.write_action(action)["coin"] for action in outcomes} == {"warrior_priest"}  # the discards came in


def test_priest_with_an_empty_bag_draws_what_was_just_discarded() -> None:  # WC 4.2
    state = played(priest(bags={0: []}), ATTACK)
    assert isinstance(GAME.turn(state), Chance)
    state = played(state, (CHANCE, {"type": "priest", "coin": "warrior_priest"}))
    assert state.purses[0].pile == ()


def test_priest_without_bag_and_discards_draws_nothing() -> None:
    state = position({(0, 0): "marshall", (1, 0): "warrior_priest", (2, 0): "pikeman"}, units=FOUR,
                     hands={0: ["marshall"], 1: ["knight"]}, bags={2: []})
    order = {"type": "tactic", "coin": "marshall", "from": [0, 0], "unit_at": [1, 0], "target": [2, 0]}
    assert asked(played(state, (0, order))) == (1, "use")  # it fell to the pikeman besides
    sturdy = position({(0, 0): "marshall", (1, 0): ("warrior_priest", 2), (2, 0): "pikeman"}, units=FOUR,
                      hands={0: ["marshall"], 1: ["knight"]}, bags={2: []})
    assert asked(played(sturdy, (0, order))) == (1, "use")


def test_priest_that_falls_draws_nothing() -> None:  # WC 7.2
    state = position({(-1, 1): "warrior_priest", (0, 1): "pikeman"}, units=MARSHALL,
                     hands={0: ["warrior_priest"], 1: ["knight"]})
    assert asked(played(state, ATTACK)) == (1, "use")


def test_priest_that_places_the_last_marker_draws_nothing() -> None:  # WC 1.1
    own = dict.fromkeys([(-3, 2), (-2, 0), (1, -1), (-1, -2), (2, -3)], 0)
    state = played(priest(control=own), CONTROL)
    assert GAME.turn(state) == Over((0,), "last marker placed")
