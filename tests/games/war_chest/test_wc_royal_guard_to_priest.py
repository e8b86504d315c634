"""The units from royal guard to warrior priest: WC 6.13 to WC 6.16."""

from __future__ import annotations

from typing import Any

from companion.engine import CHANCE, Chance, Over
from companion.games.war_chest import GAME
from tests.games.war_chest.wc_positions import (
    FOOTMEN,
    FOUR,
    MARSHALL,
    all_coins,
    asked,
    free,
    in_play,
    legal,
    played,
    position,
    refused,
)

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
