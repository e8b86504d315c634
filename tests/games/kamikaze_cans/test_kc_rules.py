"""Each rule of RULES.md, by its number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from companion.engine import Over, Ply, ToMove
from companion.engine.form import CELLS
from companion.errors import IllegalError, InvalidError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.state import State
from companion.games.kamikaze_cans.actions import Explode
from companion.games.kamikaze_cans.actions import Move
from companion.games.kamikaze_cans.actions import Place
from companion.table import COLOURS, SHAPES
from tests.games.kamikaze_cans.kc_board import drink, explode, move, place, position, said, standing, targets

OPTIONS = GAME.read_options({}, 2)


def begin(*colours: str, first: int = 0) -> State:
    setup = GAME.read_setup({"colours": list(colours), "first": first}, OPTIONS, len(colours))
    return GAME.start(setup, OPTIONS, len(colours))


@contextmanager
def breaks(rule: str, words: str | None = None) -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words is None or said(caught.value) == words


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


@pytest.mark.parametrize("jumper", "123456")
@pytest.mark.parametrize("over", "123456")
def test_only_shorter_drinks_are_jumped_in_the_order_of_heights(jumper: str, over: str) -> None:  # KC 4.5
    state = position(f"r{jumper} b{over} .. .. .. ..")
    assert ("c1" in targets(state, "a1")) == (over < jumper)


def test_an_own_drink_of_the_same_height_would_block_too() -> None:  # KC 4.4
    assert targets(position("r3 r4 .. .. .. .."), "a1") == {"a2", "a3", "a4", "a5", "a6"}


# KC 5 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", "1456")
def test_only_short_and_tall_cans_explode_by_choice(shape: str) -> None:  # KC 5.1
    state = position(f"r{shape} .. .. .. .. ..")
    name = drink(f"r{shape}").split("/")[1].replace("_", " ")
    with breaks("KC 5.1", f"The red {name} cannot be exploded: only short cans and tall cans explode when you want."):
        explode(state, "a1")


def test_only_an_own_can_in_the_grid_explodes() -> None:  # KC 5.1
    state = position("r2 b2 .. .. .. ..")
    assert {ply.action.at for ply in GAME.legal(state) if isinstance(ply.action, Explode)} == {"a1"}
    with breaks("KC 5.1", "The blue short can on b1 belongs to another player."):
        explode(state, "b1")
    with breaks("KC 5.1", "Nothing stands on c1."):
        explode(state, "c1")


@pytest.mark.parametrize("can", ["r2", "r3"])
def test_an_explosion_takes_the_eight_cells_around_own_drinks_and_crate_walls_included(can: str) -> None:  # KC 5.2
    state = position(f"""
        .. .. .. .. .. ..
        b4 .. b6 g4 .. ..
        .. g5 {can} r5 .. g6
        .. r6 b5 p4 .. ..
        .. .. r4 .. .. ..
        .. .. .. .. .. ..""", colours="rbgp")
    assert standing(explode(state, "c4")) == {"b4@a5", "g6@f4", "r4@c2"}


def test_an_explosion_at_the_edge_does_not_reach_round_it() -> None:  # KC 5.2
    state = position("b6 .. .. .. .. b5\nb4 .. .. .. r4 r2")
    assert standing(explode(state, "f1")) == {"b6@a2", "b4@a1"}


def test_what_exploded_is_out_of_the_game_not_back_in_the_stock() -> None:  # KC 5.2
    after = explode(position("r2 b4 .. .. .. .."), "a1")
    assert drink("r2") not in after.stocks[0]
    assert drink("b4") not in after.stocks[1]


def test_a_destroyed_can_explodes_in_turn() -> None:  # KC 5.3
    state = position("r2 .. .. .. b2 b4\n.. b3 r3 b5 .. ..")
    assert standing(explode(state, "a2")) == {"b2@e2", "b4@f2"}


def test_the_chain_is_the_same_from_whichever_can_it_starts() -> None:  # KC 5.3
    drawn = "r2 b5 .. .. .. r6\n.. b2 .. r3 .. ..\n.. .. b3 .. b4 .."
    ends = [standing(explode(position(drawn), at)) for at in ("a3", "d2")]
    assert ends == [{"r6@f3"}, {"r6@f3"}]


@pytest.mark.parametrize(("chain", "left"), [(True, set()), (False, {"b4@c1"})])
def test_a_stub_can_passes_an_explosion_on_unless_the_option_says_no(chain: bool, left: set[str]) -> None:  # KC 5.4
    assert standing(explode(position("r2 b1 b4 .. .. ..", chain=chain), "a1")) == left


# KC 6 -----------------------------------------------------------------------------------------------------------------


def test_placing_the_last_drink_ends_the_game_at_once() -> None:  # KC 6.1
    state = position("r1 r2 r3 r4 r5 ..")
    assert isinstance(GAME.turn(state), ToMove)
    after = place(state, "r6", "f1")
    assert GAME.turn(after) == Over((0,), "stock empty")
    assert list(GAME.legal(after)) == []


def test_an_explosion_that_leaves_only_the_stock_ends_nothing() -> None:  # KC 6.1
    after = explode(position("r1 r2 r3 r4 r5 .."), "b1")
    assert isinstance(GAME.turn(after), ToMove)


def test_after_the_end_nothing_is_played() -> None:  # KC 6.2
    over = place(position("r1 r2 r3 r4 r5 .."), "r6", "f1")
    with breaks("KC 6.2", "The game is over: nothing more can be played."):
        place(over, "b1", "f6")


def test_the_quiet_limit_counts_moves_of_all_players_in_a_row() -> None:  # KC 6.3
    state = position("r1 b2 b1 .. .. ..", limit=3)
    state = move(move(state, "a1", "a2"), "b1", "b2")
    state = move(place(state, "r2", "f6"), "b2", "b3")
    state = move(state, "a2", "a3")
    assert isinstance(GAME.turn(state), ToMove)
    state = move(state, "b3", "b4")
    assert isinstance(GAME.turn(state), Over)
    assert GAME.turn(state).reason == "quiet limit"
    with breaks("KC 6.2", "The game is over: nothing more can be played."):
        move(state, "a3", "a4")


def test_an_explosion_starts_the_count_again() -> None:  # KC 6.3
    state = position("r1 .. .. .. .. b2", limit=2)
    state = explode(move(state, "a1", "a2"), "f1")
    assert isinstance(GAME.turn(move(state, "a2", "a3")), ToMove)


def test_without_a_limit_people_may_move_for_ever() -> None:  # KC 6.4
    state = position("r1 .. .. .. .. b1")
    for _ in range(100):
        for origin, to in (("a1", "a2"), ("f1", "f2"), ("a2", "a1"), ("f2", "f1")):
            state = move(state, origin, to)
    assert isinstance(GAME.turn(state), ToMove)


@pytest.mark.parametrize("limit", [0, -1, 2.0, True, "3"])
def test_a_quiet_limit_is_a_whole_number_from_1(limit: object) -> None:  # KC 6.3
    with pytest.raises(InvalidError):
        GAME.read_options({"quiet_limit": limit}, 2)


# KC 7 -----------------------------------------------------------------------------------------------------------------

POINTS = {"1": 4, "2": -1, "3": -2, "4": 3, "5": 2, "6": 1}


@pytest.mark.parametrize(("shape", "points"), POINTS.items())
def test_points_in_the_grid(shape: str, points: int) -> None:  # KC 7.1
    others = " ".join(f"r{each}" for each in POINTS if each != shape)
    assert GAME.scores(position(f"r{shape} .. .. .. .. ..", out=others))[0] == points


@pytest.mark.parametrize(("shape", "points"), POINTS.items())
def test_points_in_the_stock(shape: str, points: int) -> None:  # KC 7.2
    others = " ".join(f"r{each}" for each in POINTS if each != shape)
    assert GAME.scores(position(".. .. .. .. .. ..", out=others))[0] == -points


def test_the_examples_of_the_text() -> None:  # KC 7.1, KC 7.2
    def only(short: str, drawn: str) -> int:
        out = " ".join(f"r{each}" for each in POINTS if f"r{each}" != short)
        return GAME.scores(position(drawn, out=out))[0]

    assert only("r1", ".. .. .. .. .. ..") == -4
    assert only("r3", ".. .. .. .. .. ..") == 2
    assert only("r6", "r6 .. .. .. .. ..") == 1
    assert only("r2", "r2 .. .. .. .. ..") == -1
    assert only("r1", "r1 .. .. .. .. ..") == 4


def test_the_examples_of_jumping() -> None:  # KC 4.4, KC 4.5
    assert all("c1" not in targets(position(f"r1 b{over} .. .. .. .."), "a1") for over in "123456")
    assert all("c1" in targets(position(f"r6 b{over} .. .. .. .."), "a1") for over in "12345")
    assert "c1" not in targets(position("r6 b6 .. .. .. .."), "a1")


def test_drinks_that_left_the_game_count_nothing() -> None:  # KC 7.3
    assert GAME.scores(position(".. .. .. .. .. ..", out="r1 r2 r3 r4 r5 r6"))[0] == 0


def test_the_most_points_win() -> None:  # KC 7.4
    after = place(position("r1 r2 r3 r4 r5 ..\nb1 .. .. .. .. .."), "r6", "f6")
    assert GAME.scores(after) == (7, 1)
    assert GAME.turn(after) == Over((0,), "stock empty")


def test_players_with_equally_many_points_share_the_win() -> None:  # KC 7.4
    drawn = "r1 r2 r3 r4 r5 ..\nb1 b4 .. .. .. ..\ng1 .. .. .. .. .."
    after = place(position(drawn, colours="rbg", out="b3 b5"), "r6", "f6")
    assert GAME.scores(after) == (7, 7, 1)
    assert GAME.turn(after) == Over((0, 1), "stock empty")
