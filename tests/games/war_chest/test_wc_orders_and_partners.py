"""WC 7 and WC 8: what comes after what, and four players."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from companion.engine import CHANCE, Ply, play
from companion.games.war_chest import GAME
from tests.games.war_chest.wc_positions import (
    ARMIES,
    FOUR,
    all_coins,
    asked,
    free,
    in_play,
    legal,
    played,
    position,
    refused,
)

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
        state.stacks[(0, 0)] = None
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
