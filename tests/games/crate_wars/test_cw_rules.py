"""Each rule of RULES.md, by its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import CHANCE, Chance, Choose, Over, Ply, ToMove, play
from companion.errors import IllegalError, InvalidError
from companion.games.crate_wars import GAME
from companion.games.crate_wars.setup import deals
from companion.games.crate_wars.state import State
from companion.table import COLOURS, SHAPES, all_drinks, colour_of, shape_of
from companion.words import load

WORDS = load("en", [GAME.words])
LOCAL = GAME.read_options({}, 2)


def square() -> list[list[str]]:
    """The colour player's shapes of each colour go round: three of each."""
    first = [f"{colour}/{SHAPES[(row + step) % 6]}" for row, colour in enumerate(COLOURS) for step in range(3)]
    return [first, [drink for drink in all_drinks() if drink not in first]]


def setup(**changes: Any) -> Any:
    return {"colour_cards": list(COLOURS), "shape_cards": list(SHAPES), "supplies": square(), "first": 0, **changes}


def begin(points: str = "local", **changes: Any) -> State:
    return GAME.start(GAME.read_setup(setup(**changes), LOCAL, 2), GAME.read_options({"points": points}, 2), 2)


def lying(crates: dict[int, tuple[str, str]], points: str = "local", **changes: Any) -> State:
    """A state in which these drinks lie at the crates, the colour player's first; `passed` and all is as given."""
    state = begin(points)
    beside = tuple(tuple(tuple(sorted(crates.get(k, ("", ""))[seat].split())) for k in range(1, 7)) for seat in (0, 1))
    return replace(state, beside=beside, supplies=((), ()), **changes)


def do(state: State, player: Any, type: str, **keys: Any) -> State:
    return GAME.apply(state, Ply(player, GAME.read_action({"type": type, **keys})))


def end(state: State) -> State:
    """Both pass."""
    state = do(state, state.on_turn, "pass")
    return do(state, state.on_turn, "pass")


def legal_types(state: State) -> set[str]:
    return {ply.action.type for ply in GAME.legal(state)}


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)


# CW 1 -----------------------------------------------------------------------------------------------------------------


def test_two_play_the_colour_player_in_front() -> None:  # CW 1.1
    assert GAME.seats == (2,)
    supply = {zone.spot: zone for zone in GAME.layout(setup()).zones}
    assert supply["supply:0"].corners_mm[0][1] < supply["supply:1"].corners_mm[0][1]


def test_six_crates_lie_in_a_line_with_their_worth_on_them() -> None:  # CW 1.2
    layout = GAME.layout(setup())
    line = [body for body in layout.bodies if body.spot.startswith("line:")]
    assert [body.at_mm[0] for body in line] == sorted(body.at_mm[0] for body in line)
    placed = GAME.placement(begin())
    for crate in range(1, 7):
        coins = placed[f"yen:{crate}:0"] + placed.get(f"yen:{crate}:1", ())
        assert coins == ("yen:100",) * crate


@pytest.mark.parametrize("key", ["colour_cards", "shape_cards"])
def test_a_card_that_lies_twice_is_refused(key: str) -> None:  # CW 1.3
    cards = setup()[key]
    with breaks("CW 1.3", f"setup.{key}"):
        begin(**{key: [cards[1], *cards[1:]]})


def test_a_card_that_is_none_is_refused() -> None:  # CW 1.3
    with pytest.raises(InvalidError):
        begin(colour_cards=["pink", *COLOURS[1:]])


def test_a_drink_too_many_is_refused_with_its_place() -> None:  # CW 1.4
    first, second = square()
    with breaks("CW 1.4", "The red stub can is there twice at setup.supplies"):
        begin(supplies=[first, [*second, first[0]]])
    with breaks("CW 1.4", "setup.supplies[0]"):
        begin(supplies=[[*first, second[0]], second[1:]])


def test_supplies_hold_three_of_each_colour_and_of_each_shape() -> None:  # CW 1.4
    first, second = square()
    at = second.index("red/tallest_bottle")
    bad = [["red/tallest_bottle", *first[1:]], [*second[:at], *second[at + 1 :], first[0]]]
    with breaks("CW 1.4", "three of each shape"):  # the colours still fit, the shapes do not
        begin(supplies=bad)


@given(st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_every_deal_can_be_dealt(seed: int) -> None:  # CW 1.5
    dealt = GAME.deal(2, LOCAL, Random(seed))
    assert GAME.read_setup(dealt, LOCAL, 2) == dealt
    for supply in dealt["supplies"]:
        assert set(Counter(map(colour_of, supply)).values()) == {3}
        assert set(Counter(map(shape_of, supply)).values()) == {3}


def test_there_are_297200_deals_each_equally_likely() -> None:  # CW 1.5
    assert deals(6, (3,) * 6) == 297_200
    # of the first colour each of the 20 sets of three shapes is the start of equally many deals
    assert deals(5, (2, 2, 2, 3, 3, 3)) * 20 == 297_200
    rng = Random(5)
    first_rows = Counter(
        tuple(d for d in GAME.deal(2, LOCAL, rng)["supplies"][0] if d.startswith("red/")) for _ in range(2000)
    )
    assert len(first_rows) == 20
    assert min(first_rows.values()) > 50


def test_players_are_told_which_drinks_to_take() -> None:  # CW 1.5
    told = [WORDS.say(phrase) for phrase in GAME.instructions(setup())]
    assert told[0] == (
        "In front of player 1, from crate 1 to crate 6, lie the cards red, orange, yellow, green, blue and purple."
    )
    assert "Player 1 takes of red: stub can, short can and tall can." in told
    assert "Player 2 takes of stub can: orange, yellow, green and blue." not in told
    assert len(told) == 2 + 6 + 6


def test_each_has_four_coins_and_either_may_begin() -> None:  # CW 1.6
    assert begin().coins == (4, 4)
    assert begin(first=1).on_turn == 1


# CW 2 -----------------------------------------------------------------------------------------------------------------


def test_turns_alternate() -> None:  # CW 2.1
    state = do(begin(), 0, "place", drink="red/stub_can", crate=1)
    assert GAME.turn(state).seats == (1,)
    with breaks("CW 2.1", "other player"):
        do(state, 0, "pass")


def test_after_a_pass_the_other_goes_on_alone() -> None:  # CW 2.2
    state = do(begin(), 0, "pass")
    for crate, drink in enumerate(state.supplies[1][:5], start=1):
        state = do(state, 1, "place", drink=drink, crate=crate)
        assert state.on_turn == 1
    with breaks("CW 2.2"):
        do(state, 0, "place", drink="red/stub_can", crate=1)


# CW 3 -----------------------------------------------------------------------------------------------------------------


def test_only_drinks_of_the_own_supply_are_placed() -> None:  # CW 3.1
    state = begin()
    with breaks("CW 3.1", "The purple tall can is not in this player's supply"):
        do(state, 0, "place", drink="purple/tall_can", crate=1)
    after = do(state, 0, "place", drink="red/stub_can", crate=2)
    assert after.beside[0][1] == ("red/stub_can",)
    assert "red/stub_can" not in after.supplies[0]


def test_any_drink_goes_to_any_crate() -> None:  # CW 3.2
    placed = [ply.action for ply in GAME.legal(begin()) if ply.action.type == "place"]
    assert len(placed) == 18 * 6


def test_without_a_coin_there_is_no_vend_and_no_recall() -> None:  # CW 3.3
    state = lying({1: ("red/stub_can", "red/tall_can")}, coins=(0, 4))
    assert legal_types(state) == {"pass"}
    for type in ("vend", "recall"):
        with breaks("CW 3.3", "no 500 yen coin"):
            do(state, 0, type, crate=1)
    assert do(replace(state, coins=(1, 4)), 0, "recall", crate=1).coins == (0, 4)


def test_a_vend_needs_a_drink_on_the_other_side() -> None:  # CW 3.4
    state = lying({1: ("red/stub_can", ""), 2: ("", "red/tall_can")})
    with breaks("CW 3.4"):
        do(state, 0, "vend", crate=1)
    vended = do(state, 0, "vend", crate=2)
    assert vended.coins == (3, 4)
    assert isinstance(GAME.turn(vended), Chance)
    assert "beside:1:2" not in GAME.placement(vended)


def test_what_comes_out_goes_back_and_the_rest_leaves_the_game() -> None:  # CW 3.5
    state = do(lying({2: ("red/stub_can", "red/tall_can blue/stub_can")}), 0, "vend", crate=2)
    assert list(GAME.legal(state)) == [
        Ply(CHANCE, Choose("vended", ("blue/stub_can", "red/tall_can"), None, (("crate", 2),), "returned"))
    ]
    after = do(state, "chance", "vended", crate=2, returned=["red/tall_can"])
    assert after.beside[1][1] == ("red/tall_can",)
    assert after.beside[0][1] == ("red/stub_can",)
    assert after.on_turn == 1
    assert do(state, "chance", "vended", crate=2, returned=[]).beside[1][1] == ()
    both = {"crate": 2, "returned": ["red/tall_can", "blue/stub_can"]}
    assert GAME.write_action(GAME.read_action({"type": "vended", **both}))["returned"] == [
        "blue/stub_can", "red/tall_can",
    ]  # fmt: skip


def test_the_machine_is_settled_before_anybody_acts() -> None:  # CW 3.5
    state = do(lying({2: ("", "red/tall_can")}), 0, "vend", crate=2)
    for player in (0, 1):
        with breaks("CW 3.5", "First say what came out"):
            do(state, player, "pass")
    with breaks("CW 3.5", "did not go into the machine"):
        do(state, "chance", "vended", crate=2, returned=["red/stub_can"])
    with breaks("CW 3.5", "belong to crate 2"):
        do(state, "chance", "vended", crate=3, returned=[])
    with breaks("CW 3.5", "Nothing is in the machine"):
        do(begin(), "chance", "vended", crate=2, returned=[])
    with pytest.raises(InvalidError):
        do(state, "chance", "vended", crate=2, returned=["red/tall_can", "red/tall_can"])


def test_each_drink_sticks_with_one_in_four() -> None:  # CW 3.6
    state = do(lying({2: ("", "red/tall_can blue/stub_can")}), 0, "vend", crate=2)
    odds = {action.returned: chance for action, chance in GAME.outcomes(state)}
    assert odds == {
        (): Fraction(1, 16), ("blue/stub_can",): Fraction(3, 16), ("red/tall_can",): Fraction(3, 16),
        ("blue/stub_can", "red/tall_can"): Fraction(9, 16),
    }  # fmt: skip
    rng = Random(3)
    drawn = Counter(GAME.sample(state, rng).returned for _ in range(4000))
    assert all(abs(drawn[returned] / 4000 - chance) < 0.03 for returned, chance in odds.items())


def test_a_recall_takes_all_own_drinks_of_a_crate_back() -> None:  # CW 3.7
    state = lying({3: ("red/stub_can red/tall_can", "blue/stub_can")})
    after = do(state, 0, "recall", crate=3)
    assert after.supplies[0] == ("red/stub_can", "red/tall_can")
    assert after.beside[0][2] == ()
    assert after.beside[1][2] == ("blue/stub_can",)
    with breaks("CW 3.7", "No own drink lies at crate 1"):
        do(state, 0, "recall", crate=1)


def test_a_pass_is_always_legal_and_for_good_and_the_supply_leaves() -> None:  # CW 3.8
    state = begin()
    assert Ply(0, GAME.read_action({"type": "pass"})) in list(GAME.legal(state))
    after = do(state, 0, "pass")
    assert after.supplies == ((), state.supplies[1])
    after = do(after, 1, "place", drink=after.supplies[1][0], crate=1)
    assert after.on_turn == 1


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
