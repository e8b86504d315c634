"""What is known and what is hidden: WC 9."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from companion.engine import CHANCE, Observer, Over, Ply, conformance, play
from companion.games.war_chest import GAME, knowledge
from companion.games.war_chest.actions import as_seen
from companion.games.war_chest.coins import Purse
from companion.games.war_chest.rules import new_table, start
from companion.words import load
from tests.games.war_chest.hidden_play import Table, report
from tests.games.war_chest.wc_positions import ARMIES, FOUR, asked, in_play, legal, played, position, refused

FIRST = (("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"))
DRAW = {"type": "draw"}


def odds_in_hand(purse: Purse, coin: str) -> Fraction:
    """The exact probability, by all that the record tells, that the hand holds a coin of this kind."""
    return knowledge.odds(purse.kinds, purse.known)[coin]


def begin(**options: bool) -> Any:
    return start(new_table(FIRST, ("raven", "wolf"), **options), 0)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    "options",
    [{"knowledge": "referee"}, {"preview_second_hand": True}, {"royal_guard": "original"},
     {"knowledge": "referee", "preview_second_hand": True}],
)
def test_the_laws_of_a_game_hold_with_every_option(players: int, options: Any) -> None:
    conformance.conforms(GAME, players, load("en", [GAME.words]), Random(4), options, most_plies=80)


def test_in_the_open_every_coin_must_be_told() -> None:  # WC 9.1
    assert refused(begin(), CHANCE, DRAW) == "WC 4.1"
    state = position({(-1, 1): "warrior_priest"}, units=(("warrior_priest", *ARMIES[0][:3]), ARMIES[1]),
                     hands={0: ["warrior_priest", "archer"]})
    assert refused(state, 0, {"type": "pass"}) == "WC 9.1"
    state = played(state, (0, {"type": "control", "coin": "warrior_priest", "at": [-1, 1]}))
    assert refused(state, CHANCE, {"type": "priest"}) == "WC 9.1"


def test_a_referee_lists_face_down_plies_once_without_their_coin() -> None:  # WC 9.2
    state = played(begin(referee=True), (CHANCE, DRAW))
    assert legal(state, "pass") == [{}]
    assert legal(state, "recruit") == [{"unit": unit} for unit in FIRST[0]]
    assert {each["coin"] for each in legal(state, "deploy")} == set(FIRST[0])
    named = played(state, (0, {"type": "pass", "coin": "royal"}))
    assert refused(named, 0, {"type": "pass"}) == "WC 4.4"
    named = played(named, (1, {"type": "pass"}))
    assert odds_in_hand(named.purses[0], "royal") == 0


def test_what_is_known_of_a_draw_may_be_told_in_part() -> None:  # WC 9.2
    state = played(begin(referee=True), (CHANCE, {"type": "draw", "coins": {"0": ["royal", "pikeman"]}}))
    assert odds_in_hand(state.purses[0], "royal") == 1
    assert odds_in_hand(state.purses[1], "royal") == Fraction(1, 3)
    too_many = {"type": "draw", "coins": {"0": ["royal", "pikeman", "pikeman", "swordsman"]}}
    assert refused(begin(referee=True), CHANCE, too_many) == "WC 4.1"
    assert refused(begin(referee=True), CHANCE, {"type": "draw", "coins": {"0": ["royal", "royal"]}}) == "WC 4.1"


def test_one_pikeman_of_two_shown_leaves_a_seventh_for_the_other() -> None:  # WC 9.3
    state = played(begin(referee=True), (CHANCE, DRAW), (0, {"type": "deploy", "coin": "pikeman", "at": [2, -3]}))
    assert odds_in_hand(state.purses[0], "pikeman") == Fraction(1, 7)


def test_a_coin_that_is_spent_face_down_rules_nothing_out() -> None:  # WC 9.3
    state = played(begin(referee=True), (CHANCE, DRAW))
    before = odds_in_hand(state.purses[0], "royal")
    assert before == Fraction(1, 3)
    state = played(state, (0, {"type": "pass"}))
    assert odds_in_hand(state.purses[0], "royal") == Fraction(2, 9)  # one of three coins is gone


def test_coins_that_were_all_shown_cannot_be_in_the_hand() -> None:  # WC 9.2
    state = begin(referee=True)
    state = played(
        state, (CHANCE, DRAW), (0, {"type": "deploy", "coin": "pikeman", "at": [2, -3]}), (1, {"type": "pass"}),
        (0, {"type": "move", "coin": "pikeman", "from": [2, -3], "to": [2, -2]}), (1, {"type": "pass"}),
    )
    again = {"type": "move", "coin": "pikeman", "from": [2, -2], "to": [2, -1]}
    assert refused(state, 0, again) == "WC 9.2"
    assert refused(state, 0, {"type": "pass", "coin": "pikeman"}) == "WC 9.2"


def brute_force(bag: list[str], shown: str, hidden: int) -> Fraction:
    """The chance that a hand of three from the bag still holds the coin after one was shown and others spent unseen,
    by listing every order of drawing and of spending; the shown coin is known to have been there."""
    held = total = Fraction(0)
    for order in permutations(range(len(bag)), 3):
        hand = [bag[i] for i in order]
        if shown not in hand:
            continue
        hand.remove(shown)
        for rest in permutations(hand):
            total += 1
            held += shown in rest[hidden:]
    return held / total


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_probabilities_are_those_of_listing_every_case(hidden: int) -> None:  # WC 9.3
    state = played(begin(referee=True), (CHANCE, DRAW), (0, {"type": "deploy", "coin": "pikeman", "at": [2, -3]}))
    for _ in range(hidden):
        state = played(state, (1, {"type": "pass"}), (0, {"type": "pass"}))
    bag = [unit for unit in FIRST[0] for _ in range(2)] + ["royal"]
    assert odds_in_hand(state.purses[0], "pikeman") == brute_force(bag, "pikeman", hidden)


@pytest.mark.parametrize("seed", range(6))
def test_referee_and_naive_list_of_worlds_agree_and_hold_the_truth(seed: int) -> None:  # WC 9.2, WC 9.3
    done = Table(seed).play(most_plies=40, rounds=3)
    assert done["plies"] > 5
    assert done["plies tried"] > 100


@pytest.mark.long
def test_referee_and_naive_list_of_worlds_agree_in_many_games_of_three_rounds() -> None:
    assert "50 games" in report(50)


@pytest.mark.long
def test_referee_and_naive_list_of_worlds_agree_in_whole_games() -> None:
    for seed in range(4):
        assert Table(seed).play(most_plies=300)["plies"] > 100


def test_everything_a_referee_lists_is_legal_in_some_hidden_state_and_the_rest_in_none() -> None:  # WC 9.2
    rng = Random(8)
    state = begin(referee=True)
    for _ in range(40):
        if isinstance(GAME.turn(state), Over):
            break
        by_state = set()
        seat = 0 if asked(state)[0] == CHANCE else asked(state)[0]
        for one, _weight in state.purses[seat].known:
            purse = replace(state.purses[seat], known=((one, 1),))
            sure = replace(state.with_purse(seat, purse), table=replace(state.table, referee=False))
            by_state |= {as_seen(ply.action) for ply in GAME.legal(sure)}
        assert by_state == {ply.action for ply in GAME.legal(state)}
        state = GAME.apply(state, play.random_ply(GAME, state, rng))


# --- views


def test_a_player_sees_the_own_coins_and_how_many_the_others_have() -> None:  # WC 9.4
    state = position({}, hands={0: ["archer", "cavalry"], 1: ["knight", "pikeman"]}, bags={0: ["royal"], 1: ["royal"]})
    state = played(state, (0, {"type": "pass", "coin": "archer"}))
    words = load("en", [GAME.words])
    told = [words.say(fact) for fact in GAME.view(state, 0).facts]
    assert "In player A's hand: 1 cavalry." in told
    assert "Face down among player A's discards: 1 archer." in told
    assert "Player B has in bag, in hand and face down, taken together: 1 knight, 1 pikeman and 1 royal." in told
    other = [words.say(fact) for fact in GAME.view(state, 1).facts]
    assert "Player A has in bag, in hand and face down, taken together: 1 archer, 1 cavalry and 1 royal." in other
    assert not any("hand:" in fact or "discards:" in fact for fact in other if "1's" in fact)
    assert len(GAME.view(state, "room").facts) == 4


def test_whoever_was_told_the_same_sees_the_same() -> None:  # WC 9.4
    one = position({}, hands={0: ["archer"], 1: ["knight", "pikeman"]}, bags={1: ["royal"]})
    other = position({}, hands={0: ["archer"], 1: ["royal", "knight"]}, bags={1: ["pikeman"]})
    not_told: tuple[Observer, ...] = (0, "room")
    told: tuple[Observer, ...] = (1, "referee")
    assert all(GAME.view(one, observer) == GAME.view(other, observer) for observer in not_told)
    assert all(GAME.view(one, observer) != GAME.view(other, observer) for observer in told)


def test_partners_do_not_see_each_others_hands() -> None:  # WC 9.4
    state = position({}, units=FOUR, hands={0: ["scout"], 2: ["swordsman"]})
    assert "swordsman" not in str([fact for fact in GAME.view(state, 0).facts if "hand" in fact.id])
    assert in_play(state, 2, "hand") == ["swordsman"]


def test_coins_spent_face_down_are_said_to_their_player_only() -> None:  # WC 9.4
    words = load("en", [GAME.words])
    state = position({}, hands={0: ["archer"]}, supply={"cavalry": 1})
    ply: Ply[Any] = Ply(0, GAME.read_action({"type": "recruit", "coin": "archer", "unit": "cavalry"}))
    said = [words.say(GAME.say(state, ply, observer)) for observer in (0, 1, "room", "referee")]
    own, other = "recruits cavalry, spending archer", "recruits cavalry"
    assert said == [own, other, other, own]
    draw: Ply[Any] = Ply(CHANCE, GAME.read_action({"type": "draw", "coins": {"0": ["archer"], "1": ["knight"]}}))
    assert "knight" not in words.say(GAME.say(state, draw, 0))
    assert "archer" in words.say(GAME.say(state, draw, 0))
    assert words.say(GAME.say(state, draw, "room")) == "everybody draws"
