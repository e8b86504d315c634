"""CW 4: how crates are decided and paid; whole games; actions of a wrong form."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Choose, Over, Ply, ToMove, play
from companion.errors import InvalidError
from companion.games.crate_wars import GAME
from companion.table import COLOURS, SHAPES
from tests.games.crate_wars.cw_play import LOCAL, WORDS, begin, breaks, do, end, lying

# CW 4 -----------------------------------------------------------------------------------------------------------------

SEVEN = "red/stub_can red/tall_can red/short_can orange/stub_can orange/tall_can orange/short_can yellow/stub_can"


def test_crates_are_looked_at_in_order_once_both_have_passed() -> None:  # CW 4.1
    greens = "green/stub_can green/tall_can green/short_can"
    state = lying({2: (greens, "blue/tallest_bottle"), 1: (SEVEN, "blue/stub_can")})
    assert state.decided == ()
    state = end(state)
    assert GAME.turn(state).seats == (0,)
    with breaks("CW 4.6", "crate 1"):
        do(state, 0, "keep", crate=2, drinks=SEVEN.split()[:6])
    state = do(state, 0, "keep", crate=1, drinks=SEVEN.split()[:6])
    assert len(state.decided) == 6  # crate 2 had no matching drinks: nobody was asked


def test_the_purple_example_two_drinks_at_three_hundred_are_six_points() -> None:  # CW 4.2
    cards = ["red", "orange", "purple", "green", "blue", "yellow"]
    state = replace(
        lying({3: ("purple/stub_can purple/tall_can red/stub_can", "")}),
        terms=replace(begin().terms, cards=(tuple(cards), SHAPES)),
    )
    seen = GAME.view(state, "room")
    assert "crate 3: 6 to 0 points" in [WORDS.say(fact) for fact in seen.facts]


def test_the_stub_can_example_each_at_five_hundred_is_five_points() -> None:  # CW 4.2
    shapes = ("tallest_bottle", "short_can", "tall_can", "square_sides", "stub_can", "not_tallest_bottle")
    state = replace(
        lying({5: ("red/tall_can", "blue/stub_can green/stub_can")}),
        terms=replace(begin().terms, cards=(COLOURS, shapes)),
    )
    assert "crate 5: 0 to 10 points" in [WORDS.say(fact) for fact in GAME.view(state, 0).facts]


def test_with_global_points_every_drink_counts_what_its_card_is_worth() -> None:  # CW 4.3
    # red card at crate 1, purple at 6; stub cans at 1, tallest bottles at 6
    state = lying({2: ("red/tall_can purple/stub_can", "blue/tallest_bottle green/short_can")}, "global")
    assert "crate 2: 7 to 8 points" in [WORDS.say(fact) for fact in GAME.view(state, 0).facts]
    assert GAME.read_options({"points": "global"}, 2) == {"points": "global"}
    with pytest.raises(InvalidError):
        GAME.read_options({"points": "both"}, 2)


def test_more_points_win_the_crate_with_the_drinks_of_both_sides() -> None:  # CW 4.4
    state = end(lying({1: ("red/stub_can", "blue/tall_can")}))
    assert state.decided[0].winner == 0
    assert state.decided[0].drinks == ("blue/tall_can", "red/stub_can")
    assert GAME.placement(state)["won:0:1"] == ("blue/tall_can", "red/stub_can")


def test_equal_points_none_included_discard_everything() -> None:  # CW 4.5
    none, even = ("red/stub_can", ""), ("yellow/tall_can", "red/tall_can")
    state = end(lying({1: ("blue/tall_can", "blue/short_can"), 2: none, 3: even}))
    assert [each.winner for each in state.decided] == [None] * 6
    assert all(each.drinks == () for each in state.decided)


def test_the_winner_of_more_than_six_keeps_six() -> None:  # CW 4.6
    state = end(lying({1: (SEVEN, "blue/stub_can green/tall_can")}))
    assert GAME.turn(state) == ToMove((0,), GAME.turn(state).ask)
    among = tuple(sorted([*SEVEN.split(), "blue/stub_can", "green/tall_can"]))
    assert list(GAME.legal(state)) == [Ply(0, Choose("keep", among, 6, (("crate", 1),), "drinks"))]
    with breaks("CW 4.6", "six drinks, not 5"):
        do(state, 0, "keep", crate=1, drinks=SEVEN.split()[:5])
    with breaks("CW 4.6", "does not lie at crate 1"):
        do(state, 0, "keep", crate=1, drinks=[*SEVEN.split()[:5], "purple/stub_can"])
    with breaks("CW 4.6", "First the winner"):
        do(state, 0, "pass")
    with breaks("CW 4.6", "other player"):
        do(state, 1, "keep", crate=1, drinks=SEVEN.split()[:6])
    with breaks("CW 4.6", "after both players have passed"):
        do(begin(), 0, "keep", crate=1, drinks=SEVEN.split()[:6])
    kept = do(state, 0, "keep", crate=1, drinks=[*SEVEN.split()[:5], "green/tall_can"])
    assert len(kept.decided[0].drinks) == 6
    assert isinstance(GAME.turn(kept), Over)


def test_with_six_nothing_is_asked_nor_where_nobody_won() -> None:  # CW 4.6
    six = end(lying({1: (" ".join(SEVEN.split()[:5]), "blue/tall_can")}))
    assert isinstance(GAME.turn(six), Over)
    tie = end(lying({6: (SEVEN, "blue/stub_can")}))
    assert isinstance(GAME.turn(tie), Over)


def test_two_keeps_are_asked_in_crate_order_each_of_its_winner() -> None:  # CW 4.6
    eight = "blue/short_can green/short_can purple/short_can red/short_can blue/tall_can green/tall_can red/tall_can"
    state = end(lying({1: (SEVEN.replace("yellow", "blue"), ""), 2: ("", eight)}))
    state = do(state, 0, "keep", crate=1, drinks=SEVEN.split()[:6])
    assert GAME.turn(state).seats == (1,)
    state = do(state, 1, "keep", crate=2, drinks=eight.split()[:6])
    assert isinstance(GAME.turn(state), Over)


def test_cards_pay_who_has_more_of_them_in_the_crates_won() -> None:  # CW 4.7
    state = end(lying({1: ("red/stub_can", "red/tall_can"), 2: ("", "purple/short_can")}, coins=(0, 0)))
    # seat 0 has both reds (card at 1), the stub can (1) and the tall can (3); seat 1 the purple (6) short can (2)
    assert GAME.scores(state) == (500, 800)


def test_equal_numbers_pay_nobody() -> None:  # CW 4.7
    equal = end(lying({1: ("red/stub_can", ""), 2: ("", "red/short_can")}, coins=(0, 0)))
    assert GAME.scores(equal) == (100, 200)  # one red each: only the shapes pay


def test_unspent_coins_count() -> None:  # CW 4.8
    assert GAME.scores(end(lying({}, coins=(3, 1)))) == (1500, 500)


def test_more_yen_win_and_equal_yen_both() -> None:  # CW 4.9
    assert GAME.turn(end(lying({}, coins=(3, 1)))) == Over((0,), "all crates scored")
    over = end(begin())
    assert GAME.turn(over) == Over((0, 1), "all crates scored")
    assert list(GAME.legal(over)) == []
    with breaks("CW 4.9"):
        do(over, 0, "pass")


def test_scores_before_the_end_are_those_if_both_passed_now() -> None:  # CW 4.10
    state = lying({1: ("red/stub_can", "red/tall_can"), 2: ("", "purple/short_can")})
    assert GAME.scores(state) == GAME.scores(end(state)) == (2500, 2800)
    many = end(lying({1: (SEVEN, "blue/stub_can")}, coins=(0, 0)))
    assert GAME.scores(many)[0] == 100 + 200 + 300 + 500 + 100 + 200 + 300  # all eight drinks, until six are kept


# whole games ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.sampled_from(["local", "global"]))
@settings(max_examples=40, deadline=None)
def test_drinks_and_coins_are_never_made(seed: int, points: str) -> None:
    rng = Random(seed)
    for state, _ in play.random_game(GAME, begin(points), rng, 300):
        drinks = [drink for supply in state.supplies for drink in supply]
        drinks += [drink for side in state.beside for crate in side for drink in crate]
        assert len(drinks) == len(set(drinks))
        assert all(0 <= coins <= 4 for coins in state.coins)


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "place", "drink": "red/stub_can"},
        {"type": "place", "drink": "red/stub_can", "crate": 7},
        {"type": "place", "drink": "red/stub_can", "crate": True},
        {"type": "place", "drink": "red/stub_can", "crate": 1.0},
        {"type": "place", "drink": "pink/stub_can", "crate": 1},
        {"type": "vend", "crate": "1"},
        {"type": "pass", "crate": 1},
        {"type": "keep", "crate": 1, "drinks": "red/stub_can"},
        {"type": "keep", "crate": 1, "drinks": ["red/stub_can", "red/stub_can"]},
        {"type": "leap"},
        [], None, "pass",
    ],
)  # fmt: skip
def test_actions_of_a_wrong_form_are_refused(broken: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_action(broken)


def test_another_piece_set_is_played_with_its_own_colours() -> None:
    colours = ("pink", "grey", "black", "white", "brown", "teal")
    game = GAME.with_colours(colours)
    dealt = game.deal(2, LOCAL, Random(1))
    assert game.read_setup(dealt, LOCAL, 2) == dealt
    with pytest.raises(InvalidError):
        GAME.read_setup(dealt, LOCAL, 2)
