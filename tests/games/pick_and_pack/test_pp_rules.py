"""Each rule of RULES.md, by its number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Over, Ply, play
from companion.engine.form import CELLS
from companion.errors import IllegalError, InvalidError
from companion.games.pick_and_pack import GAME
from companion.games.pick_and_pack.state import PackingCrate, State, cell_index, with_one
from companion.words import load

WORDS = load("en", [GAME.words])
TRAYS = [
    [1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 2, 2],
    [2, 2, 2, 2, 2, 2],
    [3, 3, 6, 3, 3, 3],
    [3, 3, 4, 4, 4, 4],
    [4, 4, 5, 5, 5, 5],
]
"""The grabber starts on c4."""
ONE_END = ["premium", "wholesale", "rush_order", "quality_control", "order_mixup", "malfunction"]
"""At every end: premium on line 1 … malfunction on line 6."""
TILES = [{"bottom": ONE_END, "top": ONE_END}, {"left": ONE_END, "right": ONE_END}]


def setup(**changes: Any) -> Any:
    return {"trays": TRAYS, "tiles": TILES, "first": 0, **changes}


def begin(**changes: Any) -> State:
    return GAME.start(GAME.read_setup(setup(**changes), {}, 2), {}, 2)


def position(
    at: str = "c4", empty: str = "", back: str = "", red: Any = None, blue: Any = None, **changes: Any
) -> State:
    """The start with the grabber at a cell, cells emptied or face down, and the crates filled: `["34", "", "5p", …]`,
    apples from the lowest tray, `p` and `w` for closed crates."""
    state = replace(begin(), grabber=cell_index(at), **changes)
    trays = state.trays
    for cell in empty.split():
        trays = with_one(trays, cell_index(cell), 0)
    for cell in back.split():
        trays = with_one(trays, cell_index(cell), -1)
    return replace(state, trays=trays, crates=(crates(red), crates(blue)))


def crates(drawn: Any) -> tuple[PackingCrate, ...]:
    kinds: Any = {"p": "premium", "w": "wholesale"}
    return tuple(
        PackingCrate(tuple(int(each) for each in text if each.isdigit()), kinds.get(text[-1:]))
        for text in drawn or ["", "", "", ""]
    )


def do(state: State, type: str, player: int | None = None, **keys: Any) -> State:
    keys = {key.rstrip("_"): value for key, value in keys.items()}
    seat = state.on_turn if player is None else player
    return GAME.apply(state, Ply(seat, GAME.read_action({"type": type, **keys})))


def grab(state: State, to: str, crate: int = 1) -> State:
    return do(state, "grab", to=to, crate=crate)


def activate(state: State, to: str, end: str, **keys: Any) -> State:
    return do(state, "activate", to=to, end=end, **keys)


def landings(state: State) -> set[str]:
    return {ply.action.to for ply in GAME.legal(state)}


def further_keys(state: State, to: str, end: str) -> list[Any]:
    """What may be added to an activation there."""
    written = [GAME.write_action(ply.action) for ply in GAME.legal(state)]
    return [
        {key: value for key, value in each.items() if key not in ("type", "to", "end")}
        for each in written if each.get("to") == to and each.get("end") == end
    ]


def packed(state: State, seat: int) -> list[str]:
    return ["".join(map(str, crate.trays)) + (crate.closed or "")[:1] for crate in state.crates[seat]]


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)


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


# PP 4 -----------------------------------------------------------------------------------------------------------------


def test_a_used_tile_lies_face_down_or_moves_away() -> None:  # PP 4.1
    premium = activate(position(empty="a4"), "a4", "top", crate=1)
    assert "end:top:1" not in GAME.placement(premium)
    mixup = activate(position(empty="e4"), "e4", "top")
    assert GAME.placement(mixup)["end:top:5"] == ("tile:red:back",)
    stored = activate(position("a4", empty="c4"), "c4", "bottom")
    assert "end:bottom:3" not in GAME.placement(stored)
    assert GAME.placement(stored)["rush:0"] == ("tile:red:rush_order",)


def test_what_lies_face_down_stays_so() -> None:  # PP 4.2
    state = replace(activate(position(empty="e4"), "e4", "top"), on_turn=0, grabber=cell_index("a4"))
    with breaks("PP 2.4"):
        activate(state, "e4", "top")


def test_premium_closes_an_own_crate_empty_ones_too() -> None:  # PP 4.3
    state = position(empty="a4", red=["33", "", "1w", ""])
    assert further_keys(state, "a4", "bottom") == [{"crate": 1}, {"crate": 2}, {"crate": 4}]
    after = activate(state, "a4", "bottom", crate=2)
    assert packed(after, 0) == ["33", "p", "1w", ""]
    assert GAME.placement(activate(state, "a4", "top", crate=1))["packing:0:1"] == (
        "tray:3", "tray:3", "tile:red:premium",
    )  # fmt: skip
    for bad in ({"crate": 3}, {}, {"crate": 1, "mine": 1}):
        with breaks("PP 4.3"):
            activate(state, "a4", "bottom", **bad)


def test_wholesale_closes_a_crate_of_the_other() -> None:  # PP 4.4
    state = position(empty="b4", blue=["5", "", "p", "w"])
    assert further_keys(state, "b4", "top") == [{"crate": 1}, {"crate": 2}]
    after = activate(state, "b4", "top", crate=1)
    assert packed(after, 1) == ["5w", "", "p", "w"]
    assert GAME.placement(after)["packing:1:1"] == ("tray:5", "tile:red:wholesale")
    with breaks("PP 4.4"):
        activate(state, "b4", "top", crate=3)


def test_a_rush_order_is_stored() -> None:  # PP 4.5
    state = position("a4", empty="c4")
    assert further_keys(state, "c4", "top") == [{}]
    assert activate(state, "c4", "top").stored == (1, 0)
    with breaks("PP 4.5"):
        activate(state, "c4", "top", crate=1)


def test_quality_control_takes_a_top_tray_into_the_emptiest_own_crate() -> None:  # PP 4.6
    state = position(empty="d4", red=["1", "1", "22", "p"], blue=["35", "", "4w", "2"])
    assert further_keys(state, "d4", "top") == [
        {"from": 1, "crate": 1}, {"from": 1, "crate": 2}, {"from": 4, "crate": 1}, {"from": 4, "crate": 2},
    ]  # fmt: skip
    after = activate(state, "d4", "top", from_=1, crate=2)
    assert (packed(after, 0), packed(after, 1)) == (["1", "15", "22", "p"], ["3", "", "4w", "2"])
    for bad in ({"from_": 2, "crate": 1}, {"from_": 3, "crate": 1}, {"from_": 1}, {}):
        with breaks("PP 4.6"):
            activate(state, "d4", "top", **bad)
    with breaks("PP 3.2"):
        activate(state, "d4", "top", from_=1, crate=3)


def test_an_order_mixup_swaps_top_trays() -> None:  # PP 4.7
    state = position(empty="e4", red=["12", "", "6p", "3"], blue=["35", "", "4w", "2"])
    assert further_keys(state, "e4", "bottom") == [
        {"theirs": 1, "mine": 1}, {"theirs": 1, "mine": 4}, {"theirs": 4, "mine": 1}, {"theirs": 4, "mine": 4},
    ]  # fmt: skip
    after = activate(state, "e4", "bottom", theirs=1, mine=1)
    assert (packed(after, 0), packed(after, 1)) == (["15", "", "6p", "3"], ["32", "", "4w", "2"])
    for bad in ({"theirs": 2, "mine": 1}, {"theirs": 1, "mine": 3}, {"theirs": 1}, {"from_": 1, "crate": 1}):
        with breaks("PP 4.7"):
            activate(state, "e4", "bottom", **bad)


def test_the_malfunction_example_hits_blues_wholesale() -> None:  # PP 4.8
    state = position(empty="f4", back="a1")
    keys = further_keys(state, "f4", "top")
    assert len(keys) == 34 + 12  # trays less f4 and a1; blue's tiles
    after = activate(state, "f4", "top", tile=["left", 2])
    assert GAME.placement(after)["end:left:2"] == ("tile:blue:back",)
    assert GAME.placement(after)["end:top:6"] == ("tile:red:back",)
    tray = activate(state, "f4", "top", tray="c4")
    assert GAME.placement(tray)["grid:c4"] == ("tray:back",)
    for bad in (
        {"tray": "a1"}, {"tray": "f4"}, {"tile": ["top", 1]}, {}, {"tray": "b4", "tile": ["left", 2]}, {"crate": 1},
    ):  # fmt: skip
        with breaks("PP 4.8"):
            activate(state, "f4", "top", **bad)
    gone = replace(after, on_turn=0, grabber=cell_index("e4"))
    assert {"tile": ["left", 2]} not in further_keys(gone, "f4", "bottom")


def test_stored_rush_orders_cannot_be_hit() -> None:  # PP 4.8
    blue = ((None,) * 6, (None,) * 6)
    state = position(empty="f4")
    state = replace(state, tiles=(state.tiles[0], blue), stored=(0, 2))
    assert all("tray" in keys for keys in further_keys(state, "f4", "top"))


def test_a_tile_without_a_target_is_turned_face_down() -> None:  # PP 4.9
    for to, end in (("d4", "top"), ("e4", "bottom")):
        state = position(empty=to)
        assert further_keys(state, to, end) == [{}]
        after = activate(state, to, end)
        assert (packed(after, 0), packed(after, 1)) == (["", "", "", ""], ["", "", "", ""])
        with breaks("PP 4.9", "nothing that"):
            activate(state, to, end, theirs=1, mine=1)
    only_mine = position(empty="e4", red=["1", "", "", ""])
    assert further_keys(only_mine, "e4", "top") == [{}]
    bare = replace(position(), trays=(0,) * 36)
    bare = replace(bare, tiles=(bare.tiles[0], ((None,) * 6, ("back",) * 6)))
    assert further_keys(bare, "f4", "top") == [{}]


def test_blues_example_two_trays_and_two_tiles_but_not_where_no_tile_is_left() -> None:  # PP 2.4
    # blue in column c: trays on c1 and c3, an empty cell with quality control and malfunction, two empty without tiles
    left = ["back", None, "premium", "quality_control", None, "premium"]
    right = [None, "back", "premium", "malfunction", "back", "premium"]
    state = position("c6", empty="c2 c4 c5", on_turn=1)
    state = replace(state, tiles=(state.tiles[0], (tuple(left), tuple(right))))
    assert landings(state) == {"c1", "c3", "c4"}
    assert {ply.action.end for ply in GAME.legal(state) if ply.action.to == "c4"} == {"left", "right"}


# PP 5 -----------------------------------------------------------------------------------------------------------------


def test_four_closed_crates_end_the_game_at_once() -> None:  # PP 5.1
    state = position(empty="a4", red=["5p", "4w", "3p", "2"], stored=(1, 0), usable=1)
    over = activate(state, "a4", "top", crate=4)
    assert GAME.turn(over) == Over((0,), "all crates closed")
    others = position(empty="b4", blue=["5p", "4w", "3p", "2"])
    assert GAME.turn(activate(others, "b4", "top", crate=4)) == Over((1,), "all crates closed")


def test_no_move_at_the_start_of_a_turn_ends_the_game() -> None:  # PP 5.2
    state = position(back="c1 c2 c4 c5 c6", at="a3", stored=(0, 2), red=["9", "", "", ""])
    over = grab(state, "c3", 2)
    assert GAME.turn(over) == Over((0,), "no legal move")
    # nobody is stopped by a missing move for a rush
    stuck = replace(position(back="b4 c4 d4 e4 f4", at="f4"), stored=(1, 0), usable=1)
    assert grab(stuck, "a4").over == ""


def test_points_of_open_premium_and_wholesale_crates() -> None:  # PP 5.3
    state = position(red=["12", "33p", "5w", "3w"], blue=["", "p", "w", "111"])
    assert GAME.scores(state) == (3 + 12 + 2 + 1, 3)


def test_equal_points_win_for_both() -> None:  # PP 5.4
    state = position(empty="a4", red=["5p", "w", "w", ""], blue=["55", "", "", ""])
    assert GAME.turn(activate(state, "a4", "top", crate=4)) == Over((0, 1), "all crates closed")


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_games_end_within_sixty_moves_and_no_tray_is_lost(seed: int) -> None:  # PP 5.5
    rng = Random(seed)
    moves = 0
    state = GAME.start(GAME.deal(2, {}, rng), {}, 2)
    for before, ply in play.random_game(GAME, state, rng, 500):
        moves += ply.action.type in ("grab", "activate")
        state = GAME.apply(before, ply)
        in_crates = [apples for side in state.crates for crate in side for apples in crate.trays]
        assert len(in_crates) + sum(apples != 0 for apples in state.trays) == 36
    assert isinstance(GAME.turn(state), Over)
    assert moves <= 60


def test_after_the_end_nothing_is_played() -> None:  # PP 5.6
    over = activate(position(empty="a4", red=["5p", "4w", "3p", "2"]), "a4", "top", crate=4)
    assert list(GAME.legal(over)) == []
    with breaks("PP 5.6"):
        grab(over, "b4")


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "grab", "to": "g1", "crate": 1},
        {"type": "grab", "to": "a1", "crate": 5},
        {"type": "grab", "to": "a1", "crate": "1"},
        {"type": "grab", "to": "a1"},
        {"type": "grab", "to": "a1", "crate": 1, "end": "top"},
        {"type": "activate", "to": "a1", "end": "front"},
        {"type": "activate", "to": "a1", "end": "top", "crate": None},
        {"type": "activate", "to": "a1", "end": "top", "tile": ["left", 7]},
        {"type": "activate", "to": "a1", "end": "top", "tile": ["left"]},
        {"type": "activate", "to": "a1", "end": "top", "tray": 1},
        {"type": "rush", "to": "a1"},
        {"type": "pass"},
    ],
)
def test_actions_of_a_wrong_form_are_refused(broken: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_action(broken)


def test_players_are_told_how_to_lay_the_table() -> None:
    told = [WORDS.say(phrase) for phrase in GAME.instructions(setup())]
    assert told[3] == "Row 4 from the front, left to right: trays with 3, 3, 6, 3, 3 and 3 apples."
    assert told[-1] == "The grabber stands on c4."
    assert len(told) == 6 + 4 + 1
