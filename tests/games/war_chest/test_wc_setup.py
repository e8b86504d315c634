"""Board, set-ups, drafts and the layout: WC 2 and WC 3."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, SET_UP, Over, Ply, conformance
from companion.errors import IllegalError, InvalidError
from companion.games import registry
from companion.games.war_chest import GAME
from companion.games.war_chest.board import board, distance, point
from companion.games.war_chest.units import UNITS
from companion.words import load
from tests.games.war_chest.wc_positions import drawn, in_play, played, refused

FIRST = {
    "units": [["swordsman", "pikeman", "crossbowman", "light_cavalry"], ["archer", "cavalry", "lancer", "scout"]],
    "initiative": 0, "factions": ["raven", "wolf"],
}


# --- WC 2


@pytest.mark.parametrize(("players", "hexes", "locations", "markers", "starts"), [(2, 37, 10, 6, 2), (4, 47, 14, 8, 3)])
def test_the_boards(players: int, hexes: int, locations: int, markers: int, starts: int) -> None:
    # WC 2.1, WC 2.2, WC 2.3, WC 2.4
    it = board(players)
    assert (len(it.hexes), len(it.locations), it.markers) == (hexes, locations, markers)
    assert {len(it.starts_of("raven")), len(it.starts_of("wolf"))} == {starts}
    assert it.locations <= it.hexes
    assert min(distance(a, b) for a in it.locations for b in it.locations if a != b) == 2
    turned = {(-q, -r) for q, r in it.starts_of("raven")}  # half a turn swaps the factions
    assert turned == set(it.starts_of("wolf"))
    assert {(-q, -r) for q, r in it.locations} == it.locations
    assert len(it.neighbours[(0, 0)]) == 6
    assert len(it.ring[(0, 0)]) == 12


def test_all_hexes_of_two_players_lie_within_three_steps() -> None:  # WC 2.1
    assert {distance((0, 0), at) for at in board(2).hexes} == {0, 1, 2, 3}


@pytest.mark.parametrize("front", ["raven", "wolf"])
def test_seat_0s_faction_has_its_edge_in_front(front: Any) -> None:  # WC 2.5
    assert all(point(at, front)[1] < 0 for at in board(2).starts_of(front))
    assert point((1, 0), "raven") == pytest.approx((-1.5, 3**0.5 / 2))
    assert point((1, 0), "wolf") == pytest.approx((1.5, -(3**0.5) / 2))


def test_four_players_sit_clockwise_from_the_left_half_of_the_front() -> None:  # WC 2.5
    layout = GAME.layout(GAME.deal(4, {}, Random(1)))
    middle = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
    sides = {}
    for zone in layout.zones:
        if zone.spot.startswith("supply:"):
            x, y = (sum(corner[axis] for corner in zone.corners_mm) / 4 for axis in (0, 1))
            sides[zone.seat] = ("left" if x < middle[0] else "right", "front" if y < middle[1] else "back")
    assert sides == {0: ("left", "front"), 1: ("left", "back"), 2: ("right", "back"), 3: ("right", "front")}


@pytest.mark.parametrize("players", [2, 4])
def test_the_layout_has_a_place_for_everything_and_nothing_overlaps(players: int) -> None:
    setup = GAME.deal(players, {}, Random(1))
    layout = GAME.layout(setup)
    assert len(layout.places) == len(board(players).hexes) + len(board(players).locations)
    for zone in layout.zones:
        (left, low), _, (right, high), _ = zone.corners_mm
        assert 0 <= left < right <= layout.size_mm[0] + 1e-6
        assert 0 <= low < high <= layout.size_mm[1] + 1e-6
        for other in layout.zones:
            (l2, b2), _, (r2, t2), _ = other.corners_mm
            assert other is zone or right <= l2 or r2 <= left or high <= b2 or t2 <= low, (zone, other)
    (body,) = layout.bodies
    for place in layout.places:
        for axis in (0, 1):
            assert abs(place.at_mm[axis] - body.at_mm[axis]) + 15 <= body.size_mm[axis] / 2


# --- WC 3


@pytest.mark.parametrize("players", [2, 4])
def test_random_set_ups_give_each_unit_once_and_any_seat_the_initiative(players: int) -> None:
    # WC 3.1, WC 3.3, WC 3.5
    begins = set()
    for seed in range(60):
        setup = GAME.deal(players, {}, Random(seed))
        units = [unit for own in setup["units"] for unit in own]
        assert len(set(units)) == len(units) == {2: 8, 4: 12}[players]
        assert GAME.read_setup(setup, {}, players) == setup
        begins.add(setup["initiative"])
    assert begins == set(range(players))


def test_bags_hold_two_of_each_and_the_royal_coin_supplies_the_rest() -> None:  # WC 3.2
    state = GAME.start(FIRST, GAME.read_options({}, 2), 2)
    assert Counter(in_play(state, 0, "bag")) == {
        "swordsman": 2, "pikeman": 2, "crossbowman": 2, "light_cavalry": 2, "royal": 1,
    }
    assert dict(zip(state.purses[0].kinds, state.purses[0].supply)) == {
        "swordsman": 3, "pikeman": 2, "crossbowman": 3, "light_cavalry": 3, "royal": 0,
    }
    assert GAME.placement(state)["supply:0"] == ("coin:swordsman",) * 3 + ("coin:pikeman",) * 2 + (
        "coin:crossbowman",) * 3 + ("coin:light_cavalry",) * 3
    assert GAME.placement(state)["initiative:0"] == ("initiative:raven",)


def test_factions_are_ravens_first_if_nothing_is_said() -> None:  # WC 3.4
    bare = {key: FIRST[key] for key in ("units", "initiative")}
    assert GAME.read_setup(bare, {}, 2)["factions"] == ["raven", "wolf"]
    wolf = {**FIRST, "factions": ["wolf", "raven"]}
    assert GAME.read_setup(wolf, {}, 2) == wolf
    state = GAME.start(wolf, GAME.read_options({}, 2), 2)
    assert state.control[(-2, 3)] == 0
    assert GAME.placement(state)["marker:-2,3"] == ("marker:wolf",)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"units": [["archer", "pikeman", "crossbowman", "light_cavalry"], FIRST["units"][1]]}, "WC 3.1"),
        ({"units": [["pikeman"] * 4, FIRST["units"][1]]}, "WC 3.1"),
        ({"factions": ["raven", "raven"]}, "WC 3.4"),
    ],
)
def test_a_set_up_that_cannot_be_names_its_rule(change: Any, rule: str) -> None:
    with pytest.raises(IllegalError) as error:
        GAME.read_setup({**FIRST, **change}, {}, 2)
    assert error.value.rule == rule


@pytest.mark.parametrize(
    "change",
    [
        {"units": FIRST["units"][:1]}, {"units": [["archer"], ["scout"]]}, {"units": "all"}, {"initiative": 2},
        {"initiative": True}, {"initiative": "0"}, {"factions": ["raven"]}, {"factions": ["red", "wolf"]}, {"more": 1},
        {"units": [["dragon", "pikeman", "crossbowman", "light_cavalry"], FIRST["units"][1]]},
        {"units": [["royal", "pikeman", "crossbowman", "light_cavalry"], FIRST["units"][1]]},
    ],
)
def test_a_set_up_of_a_wrong_form_is_refused(change: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_setup({**FIRST, **change}, {}, 2)


@pytest.mark.parametrize(
    "given", [{"knowledge": "all"}, {"royal_guard": None}, {"preview_second_hand": 1}, {"fast": 1}]
)
def test_wrong_options_are_refused(given: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_options(given, 2)


def test_options_have_their_defaults() -> None:
    assert GAME.read_options({}, 2) == {"knowledge": "open", "royal_guard": "revised", "preview_second_hand": False}


def test_preview_draws_the_second_hand_with_the_first() -> None:  # WC 3.10
    options = GAME.read_options({"preview_second_hand": True}, 2)
    state = GAME.start(FIRST, options, 2)
    hands = {"0": ["pikeman", "pikeman", "royal"], "1": ["archer", "archer", "royal"]}
    ahead = {"0": ["swordsman", "swordsman", "crossbowman"], "1": ["cavalry", "scout", "scout"]}
    assert refused(state, CHANCE, {"type": "draw", "coins": hands}) == "WC 4.1"
    state = played(state, (CHANCE, {"type": "draw", "coins": hands, "next": ahead}))
    assert in_play(state, 0, "ahead") == ["crossbowman", "swordsman", "swordsman"]
    assert len(in_play(state, 0, "bag")) == 3
    told = str(GAME.view(state, 0).facts) + str(GAME.view(state, 1).facts)
    assert told.count("wc.fact.ahead") == 2  # each sees its own
    for coin in range(3):
        for seat in (0, 1):
            state = played(state, (seat, {"type": "pass", "coin": hands[str(seat)][coin]}))
    other = {"0": ["swordsman", "swordsman", "light_cavalry"], "1": ["cavalry", "scout", "scout"]}
    assert refused(state, CHANCE, {"type": "draw", "coins": other}) == "WC 3.10"
    assert refused(state, CHANCE, {"type": "draw", "coins": ahead, "next": ahead}) == "WC 3.10"
    assert [GAME.write_action(action)["coins"] for action, _ in GAME.outcomes(state)] == [
        {seat: sorted(hand) for seat, hand in ahead.items()}
    ]
    state = played(state, (CHANCE, {"type": "draw", "coins": ahead}))
    assert in_play(state, 0, "hand") == ["crossbowman", "swordsman", "swordsman"]
    assert in_play(state, 0, "ahead") == []


def test_without_the_option_there_is_no_second_hand() -> None:  # WC 3.10
    state = GAME.start(FIRST, GAME.read_options({}, 2), 2)
    hands = {"0": ["pikeman", "pikeman", "royal"], "1": ["archer", "archer", "royal"]}
    assert refused(state, CHANCE, {"type": "draw", "coins": hands, "next": hands}) == "WC 3.10"
    assert in_play(drawn(state, *hands.values()), 0, "ahead") == []


def prepared(way: str, players: int, seed: int = 3, options: Any = None) -> tuple[Any, list[Ply[Any]], Any]:
    """The set-up of a way, the decisions, and what was laid out; each decision is the first that is possible."""
    game: Any = GAME.preparation(way)
    setup = game.deal(players, {}, Random(seed))
    state, plies = game.start(setup, {}, players), []
    while not isinstance(game.turn(state), Over):
        ply = next(iter(game.legal(state)))
        plies.append(ply)
        state = game.apply(state, ply)
    assert game.turn(state) == Over((), SET_UP)
    result = game.result(state)
    assert GAME.read_setup(result, {}, players) == result
    return result, plies, setup


def test_the_first_game_and_the_battles_have_their_armies() -> None:  # WC 3.6, WC 3.7
    assert prepared("first_game", 2)[0] == FIRST
    assert prepared("gaugamela", 2)[0]["units"] == [
        ["knight", "light_cavalry", "pikeman", "marshall"], ["cavalry", "footman", "mercenary", "royal_guard"],
    ]
    assert prepared("bannockburn", 2)[0]["units"] == [
        ["archer", "cavalry", "lancer", "footman"], ["light_cavalry", "pikeman", "warrior_priest", "swordsman"],
    ]
    assert prepared("crecy", 2)[0]["units"] == [
        ["archer", "ensign", "knight", "royal_guard"], ["cavalry", "crossbowman", "lancer", "scout"],
    ]
    assert {prepared("crecy", 2, seed)[0]["initiative"] for seed in range(20)} == {0, 1}


def test_a_draft_of_two_goes_a_b_b_a_a_b_b_a_and_b_begins() -> None:  # WC 3.8
    for seed in range(6):
        setup, plies, laid = prepared("draft", 2, seed)
        a = laid["first"]
        assert [ply.player for ply in plies] == [(a + each) % 2 for each in (0, 1, 1, 0, 0, 1, 1, 0)]
        assert setup["initiative"] == 1 - a
        assert setup["units"][a] == [laid["cards"][i] for i in (0, 3, 4, 7)]
        assert len(laid["cards"]) == 8


def test_a_draft_of_four_goes_there_and_back_and_there() -> None:  # WC 3.12
    setup, plies, laid = prepared("draft", 4)
    assert [ply.player for ply in plies] == [0, 1, 2, 3, 3, 2, 1, 0, 1, 2, 3, 0]
    assert len(laid["cards"]) == 12
    assert {prepared("draft", 4, seed)[0]["initiative"] for seed in range(40)} == {0, 1, 2, 3}
    assert [len(own) for own in setup["units"]] == [3, 3, 3, 3]


def test_in_an_elimination_draft_each_bans_a_card_first() -> None:  # WC 3.9
    setup, plies, laid = prepared("elimination_draft", 2)
    assert len(laid["cards"]) == 10
    assert [(ply.player, ply.action.type) for ply in plies[:3]] == [
        (laid["first"], "ban"), (1 - laid["first"], "ban"), (laid["first"], "take"),
    ]
    banned = {ply.action.unit for ply in plies[:2]}
    assert not banned & {unit for own in setup["units"] for unit in own}
    _, four, laid = prepared("elimination_draft", 4)
    assert len(laid["cards"]) == 16
    assert [ply.action.type for ply in four] == ["ban"] * 4 + ["take"] * 12


def test_the_toss_chooses_a_place_in_the_draft_or_in_play_and_the_loser_in_the_other() -> None:  # WC 3.11
    game = GAME.preparation("draft_with_order")
    cards = [*UNITS][:8]
    for of, place, other in (("draft", "first", "second"), ("play", "second", "second"), ("play", "first", "first")):
        state = game.start({"cards": cards, "toss": 1}, {}, 2)
        assert {ply.player for ply in game.legal(state)} == {1}
        assert len(list(game.legal(state))) == 4
        state = game.apply(state, Ply(1, game.read_action({"type": "order", "of": of, "place": place})))
        left = [game.write_action(ply.action) for ply in game.legal(state)]
        rest = "play" if of == "draft" else "draft"
        assert left == [{"type": "order", "of": rest, "place": each} for each in ("first", "second")]
        state = game.apply(state, Ply(0, game.read_action({"type": "order", "of": rest, "place": other})))
        places = {(1, of): place, (0, rest): other}
        drafts = places.get((1, "draft")) or {"first": "second", "second": "first"}[places[(0, "draft")]]
        plays = places.get((1, "play")) or {"first": "second", "second": "first"}[places[(0, "play")]]
        assert state.first == (1 if drafts == "first" else 0)
        assert state.initiative == (1 if plays == "first" else 0)


def test_decisions_out_of_turn_or_out_of_the_draft_are_refused() -> None:  # WC 3.8, WC 3.9, WC 3.11
    game = GAME.preparation("elimination_draft")
    cards = [*UNITS][:10]
    state = game.start({"cards": cards, "first": 0}, {}, 2)
    for player, action, rule in (
        (1, {"type": "ban", "unit": "archer"}, "WC 3.8"), (0, {"type": "take", "unit": "archer"}, "WC 3.9"),
        (0, {"type": "ban", "unit": "warrior_priest"}, "WC 3.8"),
        (0, {"type": "order", "of": "play", "place": "first"}, "WC 3.11"),
    ):
        with pytest.raises(IllegalError) as error:
            game.apply(state, Ply(player, game.read_action(action)))
        assert error.value.rule == rule
    with pytest.raises(ValueError, match="not over"):
        game.result(state)
    with pytest.raises(InvalidError):
        game.read_setup({"cards": cards[:8] + cards[:2], "first": 0}, {}, 2)
    with pytest.raises(InvalidError):
        GAME.preparation("chess")


@pytest.mark.parametrize("way", GAME.ways)
def test_every_way_to_choose_units_keeps_the_laws_of_a_game(way: str) -> None:
    game = GAME.preparation(way)
    for players in game.seats:
        conformance.conforms(game, players, load("en", [GAME.words]), Random(2))
        prepared(way, players)


def test_people_are_told_how_to_lay_the_set_up_out() -> None:
    words = load("en", [GAME.words])
    said = [words.say(each) for each in GAME.instructions(FIRST)]
    assert said[0].startswith("Player A (Raven) takes the coins of swordsman, pikeman, crossbowman and light cavalry")
    assert "-1,-2 and 2,-3" in said[2]
    assert registry.game("war-chest") is GAME
