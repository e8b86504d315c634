"""CW 1: what lies on the table."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InvalidError
from companion.games.crate_wars import GAME
from companion.games.crate_wars.setup import deals
from companion.table import COLOURS, colour_of, shape_of
from tests.games.crate_wars.cw_play import LOCAL, WORDS, begin, breaks, setup, square

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
        begin("local", **{key: [cards[1], *cards[1:]]})


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
        "In front of player A, from crate 1 to crate 6, lie the cards red, orange, yellow, green, blue and purple."
    )
    assert "Player A takes of red: stub can, short can and tall can." in told
    assert "Player B takes of stub can: orange, yellow, green and blue." not in told
    assert len(told) == 2 + 6 + 6


def test_each_has_four_coins_and_either_may_begin() -> None:  # CW 1.6
    assert begin().coins == (4, 4)
    assert begin(first=1).on_turn == 1
