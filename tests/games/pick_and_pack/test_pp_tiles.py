"""PP 4: what the tiles do."""

from __future__ import annotations

from dataclasses import replace

from companion.games.pick_and_pack import GAME
from companion.games.pick_and_pack.state import cell_index
from tests.games.pick_and_pack.pp_play import WORDS, activate, breaks, further_keys, landings, packed, position

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


def test_stored_rush_orders_are_counted_as_people_do() -> None:  # PP 3.5
    def said(first: int, second: int) -> list[str]:
        return [WORDS.say(fact) for fact in GAME.view(replace(position(), stored=(first, second)), "room").facts]

    assert said(1, 2) == ["player A has one rush order to use", "player B has 2 rush orders to use"]
    assert said(0, 1) == ["player B has one rush order to use"]
