"""PP 1 to PP 3: what lies on the table, where the grabber goes, and what happens there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.form import CELLS
from companion.errors import InvalidError
from companion.games.pick_and_pack import GAME
from companion.games.pick_and_pack.state import cell_index, with_one
from tests.games.pick_and_pack.pp_play import (
    ONE_END,
    TILES,
    TRAYS,
    activate,
    begin,
    breaks,
    do,
    grab,
    landings,
    packed,
    position,
)

# PP 1 -----------------------------------------------------------------------------------------------------------------


def test_two_play_and_either_begins() -> None:  # PP 1.1
    assert GAME.seats == (2,)
    assert begin(first=1).on_turn == 1
    with pytest.raises(InvalidError):
        begin(first=2)


def test_36_trays_of_the_right_numbers_lie_in_the_grid() -> None:  # PP 1.2
    with breaks("PP 1.2", "At setup.trays are 9 trays with 1, there should be 10"):
        begin(trays=[[2, 1, 1, 1, 1, 1], *TRAYS[1:]])
    for bad in (TRAYS[1:], [TRAYS[0][1:], *TRAYS[1:]], [[7, 1, 1, 1, 1, 1], *TRAYS[1:]], [[True] * 6, *TRAYS[1:]]):
        with pytest.raises(InvalidError):
            begin(trays=bad)


def test_the_grabber_starts_on_the_six_which_can_be_grabbed_later() -> None:  # PP 1.3
    state = begin()
    assert CELLS[state.grabber] == "c4"
    assert GAME.placement(state)["grid:c4"] == ("tray:6", "grabber")
    state = grab(grab(state, "a4"), "a1")
    assert state.trays[cell_index("c4")] == 6
    assert packed(grab(replace(state, grabber=cell_index("c1"), on_turn=1), "c4", 2), 1) == ["1", "6", "", ""]


def test_red_owns_the_ends_of_columns_and_blue_those_of_rows() -> None:  # PP 1.4
    state = position(empty="a4 c1")
    assert {ply.action.end for ply in GAME.legal(state) if ply.action.type == "activate"} == {"bottom", "top"}
    with breaks("PP 1.4", "left ends are the other player's"):
        activate(state, "a4", "left")
    state = replace(state, on_turn=1)
    assert {ply.action.end for ply in GAME.legal(state) if ply.action.type == "activate"} == {"left", "right"}


def test_each_has_two_tiles_of_each_kind() -> None:  # PP 1.5
    with breaks("PP 1.5", "At setup.tiles[1] are 3 premium tiles"):
        begin(tiles=[TILES[0], {"left": ONE_END, "right": ["premium", "premium", *ONE_END[2:]]}])
    for bad in (
        [TILES[0], TILES[0]], TILES[:1], [TILES[0], {**TILES[1], "top": ONE_END}],
        [TILES[0], {"left": ONE_END, "right": ONE_END[1:]}], [TILES[0], {"left": ONE_END, "right": ["joker"] * 6}],
    ):  # fmt: skip
        with pytest.raises(InvalidError):
            begin(tiles=bad)


def test_each_has_four_open_empty_crates() -> None:  # PP 1.7
    assert packed(begin(), 0) == packed(begin(), 1) == ["", "", "", ""]


# PP 2 -----------------------------------------------------------------------------------------------------------------


def test_red_moves_along_the_row_and_blue_along_the_column() -> None:  # PP 2.1
    assert landings(begin()) == {"a4", "b4", "d4", "e4", "f4"}
    assert landings(begin(first=1)) == {"c1", "c2", "c3", "c5", "c6"}
    with breaks("PP 2.1", "cannot move the grabber from c4 to c5"):
        grab(begin(), "c5")
    with breaks("PP 2.1", "at least one step"):
        grab(begin(), "c4")
    between = position("a4", back="b4", empty="c4")
    assert {"d4", "e4", "f4"} < landings(between)


def test_players_take_turns() -> None:  # PP 2.2
    state = grab(begin(), "a4")
    assert GAME.turn(state).seats == (1,)
    with breaks("PP 2.2"):
        do(state, "grab", 0, to="b4", crate=1)


def test_the_five_spaces_of_red_in_a_fresh_row_can_all_be_reached() -> None:  # PP 2.3
    assert len(landings(begin())) == 5


def test_an_empty_cell_needs_an_unplayed_tile_on_the_crossing_line() -> None:  # PP 2.4
    state = position(empty="a4 b4")
    assert {"a4", "b4"} < landings(state)
    red = ((None, *ONE_END[1:]), ("back", *ONE_END[1:]))
    state = replace(state, tiles=(red, state.tiles[1]))
    assert landings(state) == {"b4", "d4", "e4", "f4"}
    for end in ("bottom", "top"):
        with breaks("PP 2.4", f"No unplayed tile lies at the {end} end"):
            activate(state, "a4", end, crate=1)
    one_left = replace(state, tiles=((red[0], tuple(ONE_END)), state.tiles[1]))
    assert "a4" in landings(one_left)


def test_a_face_down_tray_cannot_be_gone_to() -> None:  # PP 2.5
    state = position(back="a4")
    assert landings(state) == {"b4", "d4", "e4", "f4"}
    with breaks("PP 2.5", "lies face down"):
        grab(state, "a4")
    with breaks("PP 2.5"):
        activate(state, "a4", "top", crate=1)


# PP 3 -----------------------------------------------------------------------------------------------------------------


def test_a_grabbed_tray_lies_on_top_and_its_cell_is_empty() -> None:  # PP 3.1
    state = position("a5", red=["4", "33", "21", "55"])
    after = grab(state, "c5", 1)
    assert packed(after, 0) == ["44", "33", "21", "55"]
    assert GAME.placement(after)["grid:c5"] == ("grabber",)
    assert GAME.placement(after)["packing:0:1"] == ("tray:4", "tray:4")
    with breaks("PP 3.1", "No tray lies on b5"):
        grab(position("a5", empty="b5"), "b5")
    with breaks("PP 3.3", "must be grabbed"):
        activate(position("a5"), "b5", "top")


def test_a_tray_goes_into_the_open_crate_with_the_fewest() -> None:  # PP 3.2
    state = position(red=["1", "", "11", ""])
    assert {ply.action.crate for ply in GAME.legal(state)} == {2, 4}
    with breaks("PP 3.2", "crate 1 has more than another"):
        grab(state, "a4", 1)
    closed = position(red=["1", "p", "11", "w"])
    assert {ply.action.crate for ply in GAME.legal(closed)} == {1}
    with breaks("PP 3.2", "Crate 2 is closed"):
        grab(closed, "a4", 2)


def test_on_an_empty_cell_one_of_the_two_tiles_is_activated() -> None:  # PP 3.3
    state = position(empty="b4")
    ends = [ply.action.end for ply in GAME.legal(state) if ply.action.to == "b4"]
    assert set(ends) == {"bottom", "top"}
    assert GAME.placement(activate(state, "b4", "top", crate=3))["grid:b4"] == ("grabber",)


def test_the_turn_ends_by_itself_without_a_rush_order() -> None:  # PP 3.4
    assert grab(begin(), "a4").on_turn == 1
    with breaks("PP 3.6"):
        do(begin(), "rush")
    with breaks("PP 3.6"):
        do(begin(), "end")


def test_a_rush_order_stored_before_gives_one_more_move() -> None:  # PP 3.5
    state = replace(position(), stored=(1, 0), usable=1)
    state = grab(state, "a4")
    assert GAME.turn(state).seats == (0,)
    assert [ply.action.type for ply in GAME.legal(state)] == ["rush", "end"]
    state = do(state, "rush")
    assert (state.stored, state.spent) == ((0, 0), (1, 0))
    assert GAME.placement(state)["rush:0"] == ("tile:red:back",)
    assert landings(state) == {"b4", "c4", "d4", "e4", "f4"}
    assert grab(state, "b4", 2).on_turn == 1


def test_two_rush_orders_can_be_used_in_one_turn() -> None:  # PP 3.5
    state = grab(replace(position(), stored=(2, 0), usable=2), "a4")
    state = grab(do(state, "rush"), "b4", 2)
    assert state.may_rush
    state = grab(do(state, "rush"), "d4", 3)
    assert (state.on_turn, state.stored, state.spent) == (1, (0, 0), (2, 0))


def test_a_rush_order_of_this_turn_cannot_be_used_in_it() -> None:  # PP 3.5
    state = activate(position(empty="c4", at="a4"), "c4", "top")
    assert (state.on_turn, state.stored) == (1, (1, 0))
    one_old = activate(replace(position(empty="c4", at="a4"), stored=(1, 0), usable=1), "c4", "top")
    assert one_old.stored == (2, 0)
    spent = grab(do(one_old, "rush"), "b4")
    assert (spent.on_turn, spent.stored) == (1, (1, 0))


def test_a_rush_needs_a_move_for_it() -> None:  # PP 3.5
    state = replace(position(back="b4 c4 d4 e4 f4", at="f4"), stored=(1, 0), usable=1)
    state = grab(replace(state, trays=with_one(state.trays, cell_index("e4"), 3)), "e4")
    assert state.on_turn == 0  # a4 is left
    state = replace(position(back="a4 b4 c4 d4 f4", at="f4"), stored=(1, 0), usable=1)
    assert grab(state, "e4").on_turn == 1


def test_who_does_not_rush_ends_the_turn() -> None:  # PP 3.6
    state = grab(replace(position(), stored=(1, 0), usable=1), "a4")
    with breaks("PP 3.6", "First say whether a rush order is used"):
        grab(state, "b4", 2)
    after = do(state, "end")
    assert (after.on_turn, after.stored) == (1, (1, 0))
