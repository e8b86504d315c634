"""KC 1 to KC 4: stocks and turns, what is placed, moved and jumped."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import Over, Ply
from companion.engine.form import CELLS
from companion.errors import InvalidError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode, Move, Place
from companion.table import COLOURS, SHAPES
from tests.games.kamikaze_cans.kc_board import drink, move, place, position, said, standing, targets
from tests.games.kamikaze_cans.kc_start import OPTIONS, begin, breaks

# KC 1 -----------------------------------------------------------------------------------------------------------------


def test_two_to_six_play() -> None:  # KC 1.1
    assert GAME.seats == (2, 3, 4, 5, 6)
    with pytest.raises(InvalidError):
        GAME.read_setup({"colours": ["red"], "first": 0}, OPTIONS, 2)


def test_the_grid_is_empty_at_first_and_has_36_cells() -> None:  # KC 1.2
    assert begin("red", "blue").grid == (None,) * 36
    assert len(GAME.layout({"colours": ["red", "blue"], "first": 0}).places) == 36


def test_each_stock_holds_the_six_drinks_of_its_colour() -> None:  # KC 1.3
    state = begin("green", "purple", "red")
    assert state.stocks[1] == tuple(f"purple/{shape}" for shape in SHAPES)


def test_two_players_cannot_have_one_colour() -> None:  # KC 1.3
    with breaks("KC 1.3", "Two players cannot both have red: each picks a colour of their own."):
        begin("red", "blue", "red")


def test_other_colours_are_out_of_the_game() -> None:  # KC 1.4
    state = begin("red", "blue")
    assert {each.split("/")[0] for stock in state.stocks for each in stock} == {"red", "blue"}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_any_seat_may_begin(first: int) -> None:  # KC 1.5
    assert GAME.turn(begin("red", "blue", "green", first=first)).seats == (first,)


@pytest.mark.parametrize(("setup", "told"), [
    ({"colours": ["red", "blue"]}, 'The key "first" is missing in setup.'),
    ({"colours": ["red", "blue"], "first": 2}, "At setup.first should stand a whole number from 0 to 1, not 2."),
    ({"colours": ["red", "blue"], "first": True}, "At setup.first should stand a whole number from 0 to 1, not true."),
    ({"colours": ["red", "blue"], "first": 0, "seats": 2},
     'Nobody knows the key "seats" in setup: correct or remove it (a note of your own begins with x-).'),
    ({"colours": "red, blue", "first": 0}, 'At setup.colours should stand a list, not "red, blue".'),
    ({"colours": ["red", "pink"], "first": 0},
     'At setup.colours[1] should stand one of "red", "orange", "yellow", "green", "blue" and "purple", not "pink".'),
    ({"colours": ["red", "blue", "green"], "first": 0}, "The list at setup.colours should hold 2, but holds 3."),
    (["red", "blue"], "At setup should stand an object, not […]."),
])
def test_a_setup_of_a_wrong_form_is_refused(setup: object, told: str) -> None:
    with pytest.raises(InvalidError) as caught:
        GAME.read_setup(setup, OPTIONS, 2)
    assert said(caught.value).replace("a whole number,", "a whole number from 0 to 1,") == told


# KC 2 -----------------------------------------------------------------------------------------------------------------


def test_there_are_three_things_to_do_and_no_pass() -> None:  # KC 2.1
    state = position("r2 .. b1 .. .. ..")
    assert {type(ply.action) for ply in GAME.legal(state)} == {Place, Move, Explode}
    with pytest.raises(InvalidError):
        GAME.read_action({"type": "pass"})


def test_whoever_has_a_stock_can_always_place() -> None:  # KC 2.1
    rng = Random(5)
    state = begin(*COLOURS)
    while not isinstance(GAME.turn(state), Over):
        plies = list(GAME.legal(state))
        assert any(isinstance(ply.action, Place) for ply in plies)
        state = GAME.apply(state, rng.choice(plies))


def test_turns_go_round_and_nobody_plays_out_of_turn() -> None:  # KC 2.2
    state = begin("red", "blue", "green", first=2)
    seats = []
    for letter in "grbg":
        seats.append(state.seat)
        state = place(state, f"{letter}{len(seats)}", CELLS[len(seats)])
    assert seats == [2, 0, 1, 2]
    with breaks("KC 2.2", "It is not this player's turn: red is to play."):
        GAME.apply(state, Ply(1, Place("blue/stub_can", "a6")))


# KC 3 -----------------------------------------------------------------------------------------------------------------


def test_a_drink_is_placed_from_the_own_stock() -> None:  # KC 3.1
    state = place(begin("red", "blue"), "r4", "c3")
    assert standing(state) == {"r4@c3"}
    assert drink("r4") not in state.stocks[0]
    assert len(state.stocks[0]) == 5


@pytest.mark.parametrize("short", ["r1", "b2"])
def test_what_is_not_in_the_own_stock_cannot_be_placed(short: str) -> None:  # KC 3.1
    with breaks("KC 3.1", f"The {drink(short).replace('_', ' ').replace('/', ' ')} is not in this player's stock, "
                          "so it cannot be placed."):
        place(position("r1 .. .. .. .. .."), short, "f6")


def test_a_drink_can_go_to_any_empty_cell() -> None:  # KC 3.2
    state = position("r1 .. .. .. .. b1")
    cells = {ply.action.to for ply in GAME.legal(state) if isinstance(ply.action, Place)}
    assert cells == set(CELLS) - {"a1", "f1"}
    with breaks("KC 3.2", "A drink can only stand on an empty cell, and the blue stub can stands on f1."):
        place(state, "r2", "f1")


# KC 4 -----------------------------------------------------------------------------------------------------------------


def test_only_an_own_drink_in_the_grid_moves() -> None:  # KC 4.1
    state = position("r1 .. b1 .. .. ..")
    with breaks("KC 4.1", "Nothing stands on f6."):
        move(state, "f6", "f5")
    with breaks("KC 4.1", "The blue stub can on c1 belongs to another player."):
        move(state, "c1", "d1")


def test_a_drink_moves_straight_as_far_as_it_likes_across_crates() -> None:  # KC 4.2
    state = position("""
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        .. .. r1 .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..""")
    assert targets(state, "c3") == {"a3", "b3", "d3", "e3", "f3", "c1", "c2", "c4", "c5", "c6"}
    assert standing(move(state, "c3", "c6")) == {"r1@c6"}


@pytest.mark.parametrize("to", ["d4", "e5", "a1", "d5", "c3"])
def test_a_drink_moves_neither_askew_nor_nowhere(to: str) -> None:  # KC 4.2
    state = position("\n".join([".. .. .. .. .. .."] * 3 + [".. .. r1 .. .. .."] + [".. .. .. .. .. .."] * 2))
    with breaks("KC 4.2", "The red stub can must move straight along its row or column, at least one step: "
                          f"{to} is not in line with c3."):
        move(state, "c3", to)


@pytest.mark.parametrize("to", ["b1", "c1"])
def test_a_move_ends_on_an_empty_cell(to: str) -> None:  # KC 4.3
    state = position("r6 b1 r1 .. .. ..")
    with breaks("KC 4.3"):
        move(state, "a1", to)


def test_a_drink_jumps_several_shorter_ones_whosever_they_are() -> None:  # KC 4.4
    state = position("r4 b1 r2 .. b3 ..")
    assert targets(state, "a1") >= {"d1", "f1"}
    assert standing(move(state, "a1", "f1")) == {"b1@b1", "r2@c1", "b3@e1", "r4@f1"}


def test_a_stub_can_cannot_jump_a_short_can() -> None:  # KC 4.4
    with breaks("KC 4.4", "The red stub can cannot jump the blue short can on c5: only shorter drinks can be jumped."):
        move(position("\n".join([".. .. .. .. .. ..", "r1 .. b2 .. .. .."] + [".. .. .. .. .. .."] * 4)), "a5", "d5")


@pytest.mark.parametrize(("jumper", "over"), [("r3", "r4"), ("r4", "b4"), ("r1", "b1")])
def test_a_jump_over_an_equal_drink_is_refused_when_it_is_played(jumper: str, over: str) -> None:  # KC 4.4
    state = position(f"{jumper} {over} .. .. .. ..")
    with breaks("KC 4.4"):
        move(state, "a1", "c1")


@pytest.mark.parametrize("jumper", "123456")
@pytest.mark.parametrize("over", "123456")
def test_only_shorter_drinks_are_jumped_in_the_order_of_heights(jumper: str, over: str) -> None:  # KC 4.5
    state = position(f"r{jumper} b{over} .. .. .. ..")
    assert ("c1" in targets(state, "a1")) == (over < jumper)


def test_an_own_drink_of_the_same_height_would_block_too() -> None:  # KC 4.4
    assert targets(position("r3 r4 .. .. .. .."), "a1") == {"a2", "a3", "a4", "a5", "a6"}
