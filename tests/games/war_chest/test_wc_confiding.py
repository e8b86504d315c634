"""What a player tells of the own hand, and what each observer of a table may derive: WC 9.5, WC 9.6."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.bots import Budget, Greedy, RandomBot, Search
from companion.engine import CHANCE, Over, Ply, conformance, play
from companion.errors import IllegalError, InvalidError
from companion.games.war_chest import GAME, WarChest
from companion.games.war_chest.rules import new_table, start
from companion.games.war_chest.views import Knowledge
from companion.words import load
from tests.games.war_chest.wc_positions import legal, played

FIRST = (("swordsman", "pikeman", "crossbowman", "light_cavalry"), ("archer", "cavalry", "lancer", "scout"))
DRAW = {"type": "draw"}
DEPLOY = {"type": "deploy", "coin": "pikeman", "at": [2, -3]}
PASS = {"type": "pass"}
WORDS = load("en", [GAME.words])


def at_table(*plies: Any) -> Any:
    table = new_table(FIRST, ("raven", "wolf"), referee=True)
    return played(start(table, 0), (CHANCE, DRAW), *plies)


def facts(state: Any, observer: Any) -> list[str]:
    return [WORDS.say(fact) for fact in GAME.view(state, observer).facts]


def why_not(state: Any, seat: int, told: Any) -> tuple[str, str]:
    with pytest.raises(IllegalError) as error:
        GAME.confide(state, seat, told)
    return error.value.rule, WORDS.say(error.value.phrase)


def test_a_hand_that_was_entered_is_known_to_its_player_alone() -> None:  # WC 9.5
    before = at_table()
    after = GAME.confide(before, 0, {"hand": ["royal", "pikeman", "pikeman"]})
    assert "In player A's hand: 2 pikeman and 1 royal." in facts(after, 0)
    assert "In player A's hand: 2 pikeman and 1 royal." not in facts(before, 0)
    for observer in (1, "room", "referee"):
        assert GAME.view(after, observer) == GAME.view(before, observer)
    assert list(GAME.legal(after)) == list(GAME.legal(before))


def test_a_hand_may_be_entered_in_part() -> None:  # WC 9.5
    state = GAME.confide(at_table(), 0, {"hand": ["royal"]})
    told = facts(state, 0)
    assert "Player A's hand holds a royal coin for certain." in told
    assert "Player A's hand holds a pikeman coin with odds of 13 in 28." in told  # 1 - C(6, 2) / C(8, 2)
    both = GAME.confide(state, 0, {"hand": ["pikeman", "royal"]})
    assert "Player A's hand holds a pikeman coin for certain." in facts(both, 0)


def test_what_was_entered_follows_the_coins_that_are_spent() -> None:  # WC 9.5
    state = GAME.confide(at_table(), 0, {"hand": ["royal", "pikeman", "pikeman"]})
    state = played(state, (0, DEPLOY), (1, PASS))
    assert "In player A's hand: 1 pikeman and 1 royal." in facts(state, 0)
    state = played(state, (0, PASS), (1, PASS))
    told = facts(state, 0)
    assert "Player A's hand holds a royal coin with odds of 1 in 2." in told  # which of the two was it?
    state = GAME.confide(state, 0, {"hand": ["royal"]})
    assert "Face down among player A's discards: 1 pikeman." in facts(state, 0)


def test_a_hand_that_cannot_be_is_refused_with_the_reason() -> None:  # WC 9.5
    state = at_table((0, DEPLOY), (1, PASS))
    rule, why = why_not(state, 0, {"hand": ["pikeman", "pikeman"]})
    assert rule == "WC 9.5"
    assert why == (
        "The hand cannot hold 2 pikeman: the count is 1 on the board, 2 in the supply and 1 hidden."
    )
    assert why_not(state, 0, {"hand": ["royal", "royal"]})[0] == "WC 9.5"
    assert why_not(state, 0, {"hand": ["royal"] * 3})[1] == "There are only 2 coins in the hand, and 3 were entered."
    assert why_not(state, 0, {"hand": ["archer"]})[0] == "WC 3.2"
    assert why_not(state, 0, {"drawn": ["royal"]})[0] == "WC 9.5"
    assert why_not(state, 0, {"next": ["royal"]})[0] == "WC 9.5"
    assert why_not(state, 7, {"hand": []})[0] == "WC 9.5"


@pytest.mark.parametrize("told", [[], "royal", {"hands": []}, {"hand": "royal"}, {"hand": [1]}, {"hand": None}, None])
def test_what_is_entered_must_have_the_right_form(told: Any) -> None:  # WC 9.5
    with pytest.raises(InvalidError):
        GAME.confide(at_table(), 0, told)


def test_in_the_open_and_after_the_end_there_is_nothing_to_enter() -> None:  # WC 9.5
    state = start(new_table(FIRST, ("raven", "wolf")), 0)
    assert why_not(state, 0, {"hand": []})[0] == "WC 9.5"
    assert list(GAME.may_confide(state, 0)) == []


def test_a_hand_that_proves_wrong_is_put_aside_and_its_player_told() -> None:  # WC 9.5
    state = GAME.confide(at_table(), 0, {"hand": ["royal", "swordsman", "swordsman"]})
    other = at_table((0, DEPLOY))
    state = played(state, (0, DEPLOY))
    aside = [fact for fact in GAME.view(state, 0).facts if fact.id == "wc.fact.put_aside"]
    assert len(aside) == 1
    assert "put aside" in WORDS.say(aside[0])
    without = [fact for fact in GAME.view(state, 0).facts if fact.id != "wc.fact.put_aside"]
    assert without == list(GAME.view(other, 0).facts)
    for observer in (1, "room", "referee"):
        assert GAME.view(state, observer) == GAME.view(other, observer)
    again = GAME.confide(state, 0, {"hand": ["royal"]})
    assert "put aside" not in " ".join(facts(again, 0))


def test_an_entry_that_was_mistyped_is_replaced_by_the_next() -> None:  # WC 9.5
    state = GAME.confide(at_table(), 0, {"hand": ["royal", "swordsman", "swordsman"]})
    state = GAME.confide(state, 0, {"hand": ["royal", "swordsman", "pikeman"]})
    assert "In player A's hand: 1 pikeman, 1 royal and 1 swordsman." in facts(state, 0)


def test_what_a_record_tells_of_hidden_coins_is_known_to_their_player_alone() -> None:  # WC 9.6
    named = at_table((0, {"type": "pass", "coin": "royal"}))
    unnamed = at_table((0, {"type": "pass"}))
    for observer in (1, "room", "referee"):
        assert GAME.view(named, observer) == GAME.view(unnamed, observer)
    assert "Face down among player A's discards: 1 royal." in facts(named, 0)
    ply: Ply[Any] = Ply(0, GAME.read_action({"type": "pass", "coin": "royal"}))
    said = [WORDS.say(GAME.say(at_table(), ply, observer)) for observer in (0, 1, "room", "referee")]
    assert said == ["passes, spending royal", "passes", "passes", "passes"]


def test_seats_and_referee_see_what_follows_and_the_room_only_what_lies_open() -> None:  # WC 9.6
    state = at_table((0, DEPLOY))
    follows = "Player A's hand holds a pikeman coin with odds of 1 in 7."
    assert all(follows in facts(state, observer) for observer in (0, 1, "referee"))
    assert facts(state, "room") == [
        "Player A: 6 in the bag, 2 in the hand, 0 discarded.",
        "Player A has in bag, in hand and face down, taken together: 2 crossbowman, 2 light cavalry, 1 pikeman, 1 royal"
        " and 2 swordsman.",
        "Player B: 6 in the bag, 3 in the hand, 0 discarded.",
        "Player B has in bag, in hand and face down, taken together: 2 archer, 2 cavalry, 2 lancer, 1 royal and"
        " 2 scout.",
    ]


def test_when_the_game_is_over_everybody_sees_what_was_entered() -> None:  # WC 9.6
    rng = Random(11)
    state: Any = GAME.confide(at_table(), 1, {"hand": ["royal"]})
    while not isinstance(GAME.turn(state), Over):
        state = GAME.apply(state, play.random_ply(GAME, state, rng))
    seen = [GAME.view(state, observer) for observer in (0, 1, "room", "referee")]
    assert len({each.facts for each in seen}) == 1
    assert all(isinstance(each.known, Knowledge) and each.known.purses == state.purses for each in seen)


def test_a_made_up_state_deals_hidden_coins_by_the_odds_and_plays_on_in_the_open() -> None:  # WC 9.3, WC 9.6
    state = at_table((0, DEPLOY))
    seen, rng, held = GAME.view(state, 1), Random(3), 0
    for _ in range(2100):
        world = GAME.possible(seen, rng)
        ((one, _),) = world.purses[0].known
        held += one.hand[1]
    assert abs(Fraction(held, 2100) - Fraction(1, 7)) < Fraction(1, 40)
    assert all("coin" in each for each in legal(world, "pass"))
    assert "coins" in GAME.write_action(GAME.sample(_to_the_draw(world), rng))
    while not isinstance(GAME.turn(world), Over):
        world = GAME.apply(world, play.random_ply(GAME, world, rng))
        assert all(len(purse.known) == 1 for purse in world.purses)


def _to_the_draw(state: Any) -> Any:
    while state.active is not None or state.due:
        state = GAME.apply(state, next(GAME.legal(state)))
    return state


def test_a_made_up_state_keeps_to_what_its_observer_entered() -> None:  # WC 9.5
    state = GAME.confide(at_table(), 0, {"hand": ["royal", "pikeman", "pikeman"]})
    for seed in range(20):
        world = GAME.possible(GAME.view(state, 0), Random(seed))
        assert world.purses[0].known[0][0].hand == (0, 2, 0, 0, 1)


def test_a_priests_coin_and_a_second_hand_may_be_entered() -> None:  # WC 9.5
    table = new_table(FIRST, ("raven", "wolf"), referee=True, preview=True)
    state = played(start(table, 0), (CHANCE, DRAW))
    state = GAME.confide(state, 1, {"next": ["royal", "archer", "archer"]})
    assert "Player B's second hand: 2 archer and 1 royal." in facts(state, 1)
    assert any("drawn" not in each for each in GAME.may_confide(state, 1))
    priests = (("warrior_priest", *FIRST[0][:3]), FIRST[1])
    state = start(new_table(priests, ("raven", "wolf"), referee=True), 0)
    deployed = {"type": "deploy", "coin": "warrior_priest", "at": [2, -3]}
    state = played(state, (CHANCE, DRAW), (0, deployed), (1, PASS))
    moved = {"type": "move", "coin": "warrior_priest", "from": [2, -3], "to": [2, -2]}
    assert moved in [GAME.write_action(ply.action) for ply in GAME.legal(state)]


class TellsEverybody(WarChest):
    """A broken game: what a seat confides is told to all."""

    def confide(self, state: Any, seat: int, told: Any) -> Any:
        after = super().confide(state, seat, told)
        purse = after.purses[seat]
        return after.with_purse(seat, replace(purse, seen=purse.own))


class AllowsLess(WarChest):
    """A broken game: what a seat confides decides what is legal."""

    def confide(self, state: Any, seat: int, told: Any) -> Any:
        after = super().confide(state, seat, told)
        purse: Any = after.purses[seat]
        return after.with_purse(seat, replace(purse, known=purse.own))


@pytest.mark.parametrize("broken", [TellsEverybody, AllowsLess])
def test_the_laws_find_a_game_that_does_not_keep_a_confidence(broken: type[WarChest]) -> None:  # WC 9.5
    def play_some() -> None:
        for seed in range(5):
            conformance.conforms(broken(), 2, WORDS, Random(seed), {"knowledge": "referee"}, most_plies=12)

    with pytest.raises(conformance.ConformanceError, match="confides"):
        play_some()


def test_a_bot_plays_at_a_table_from_what_its_seat_told() -> None:  # WC 9.5, WC 9.6
    rng, budget = Random(2), Budget(time_s=10.0, clock_s=lambda: 0.0, playouts=20)
    state: Any = GAME.confide(at_table(), 0, {"hand": ["royal", "pikeman", "pikeman"]})
    for bot in (RandomBot(), Greedy(), Search()):
        ply = bot.choose(GAME, GAME.view(state, 0), rng, budget).ply
        assert ply.action.coin in ("royal", "pikeman")
        unsure = bot.choose(GAME, GAME.view(at_table(), 0), rng, budget).ply
        GAME.apply(at_table(), unsure)
